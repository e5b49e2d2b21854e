/**
 * The journal: all that happened and was decided, as lines of JSON that a replay reproduces to the
 * byte.
 *
 * The first line holds the set-up, its policies by name and parameters. Then comes a line for each
 * step: `at` (ms), `event` and its fields, and `actions` if there were any. Lines of the host's own
 * are `{"host": ...}`. Things are named: nodes and jobs by their names, tasks `job/phase/index`,
 * attempts `job/phase/index#n` for the n-th of the task, requests `r0`; `@7` is an id whose name is
 * gone. Non-finite numbers are strings. Slots are pairs of kind and count; of a phase's tasks,
 * `{"all": x}` says what they share and `{"each": [...]}` what they do not; amounts are score,
 * bytes read, bytes written and records, noughts at the end left out.
 *
 * Of version 2, lines `{"check": [lines, sum]}` seal those above them: how many there are, and
 * their chained checksum, FNV-1a over the UTF-16 units of each line and its end, in hexadecimal.
 */
export { Names } from "./names.ts";
export { checkSeals, type Journal, type JournalEntry, parseJournal } from "./read.ts";
export { type Replayed, type ReplayedStep, replay } from "./replay.ts";
export { isSeal, Seal } from "./seal.ts";
export type { SetupDescription } from "./setup-line.ts";
export { type JournalOptions, type JournalWriter, journalWriter } from "./write.ts";
