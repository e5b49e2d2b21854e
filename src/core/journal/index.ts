/**
 * The journal: every event and decision, as lines of JSON that a replay reproduces to the byte.
 *
 * The first line holds the set-up, its policies by name and parameters. Each step then has a line:
 * `at` (ms), `event` and its fields, and `actions` if there were any. The host's own lines are
 * `{"host": ...}`. Things are named: nodes and jobs by their names, tasks `job/phase/index`,
 * attempts `job/phase/index#n` for the n-th of the task, requests `r0`; `@7` is an id whose name is
 * gone. Non-finite numbers are strings. Slots are pairs of kind and count. For the tasks of a
 * phase, `{"all": x}` holds a field that all share and `{"each": [...]}` one that differs. Amounts
 * are score, bytes read, bytes written and records, without trailing zeros.
 *
 * In version 2, lines `{"check": [lines, sum]}` seal the lines above them with their number and
 * their chained checksum: FNV-1a over the UTF-16 units of each line and its end, in hexadecimal.
 */
export { Names } from "./names.ts";
export { checkSeals, type Journal, type JournalEntry, parseJournal } from "./read.ts";
export { Recorded } from "./recorded.ts";
export {
  headersAgree,
  type Replayed,
  type ReplayedStep,
  type ReplayOptions,
  replay,
} from "./replay.ts";
export { isSeal, Seal } from "./seal.ts";
export type { SetupDescription } from "./setup-line.ts";
export { type JournalOptions, type JournalWriter, journalWriter } from "./write.ts";
