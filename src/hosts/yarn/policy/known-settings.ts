import { hint } from "../../../base/hint.ts";

/** The known keys of a job's configuration below `broomwagon.`: docs/internals/yarn-protocol.md. */
const KNOWN: readonly string[] = [
  "discipline",
  "enabled",
  "journal",
  "journal.max-mb",
  "names",
  "node",
  "placement.timeout-ms",
  "policies",
  "policy",
  "set",
  "tasks",
];

/** A line for each unknown key, such as a misspelt one; without the prefix. */
export const unknownSettings = (keys: readonly string[]): readonly string[] =>
  keys
    .filter((key) => !KNOWN.includes(key))
    .map((key) => `broomwagon.${key} is not known and does nothing${hint(key, KNOWN)}`);
