import { spawnSync } from "node:child_process";

/** Root without the capability to override file modes. */
const LOST = "-dac_override,-dac_read_search";
const BOUND = ["setpriv", `--bounding-set=${LOST}`, `--inh-caps=${LOST}`];

/**
 * The prefix for a command that must obey file modes, as for every user but root; undefined, with a
 * message, if that is impossible here.
 */
export function boundByModes(): readonly string[] | undefined {
  if (process.getuid?.() !== 0) return [];
  const [command = "", ...flags] = BOUND;
  if (spawnSync(command, [...flags, "true"]).status === 0) return BOUND;
  console.warn("Root cannot be bound by modes here: tests of what may not be written are skipped.");
  return undefined;
}
