import { spawnSync } from "node:child_process";

/** Root without the right to read and write where a file's mode does not allow it. */
const LOST = "-dac_override,-dac_read_search";
const BOUND = ["setpriv", `--bounding-set=${LOST}`, `--inh-caps=${LOST}`];

/**
 * What goes before a command that is to be bound by the modes of files, as it is for everybody but
 * root; undefined, and said so: it cannot be bound here.
 */
export function boundByModes(): readonly string[] | undefined {
  if (process.getuid?.() !== 0) return [];
  const [command = "", ...flags] = BOUND;
  if (spawnSync(command, [...flags, "true"]).status === 0) return BOUND;
  console.warn("Root cannot be bound by modes here: tests of what may not be written are skipped.");
  return undefined;
}
