/** The file beside the journal with a line for each decision, as it happens, for the client. */
export const DECISIONS_FILE = "broomwagon-decisions.ndjson";
