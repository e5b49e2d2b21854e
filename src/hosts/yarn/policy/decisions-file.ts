/** The file beside the journal with a line for each decision, as it happens, for the client. */
export const DECISIONS_FILE = "broomwagon-decisions.ndjson";
/** The policies' journal, beside it. */
export const JOURNAL_FILE = "broomwagon-journal.ndjson";
