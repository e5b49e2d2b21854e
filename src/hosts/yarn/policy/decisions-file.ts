/** Beside the journal: what is worth a line to somebody who watches, as it happens. */
export const DECISIONS_FILE = "broomwagon-decisions.ndjson";
