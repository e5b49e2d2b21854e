import { spawnSync } from "node:child_process";
import { availableParallelism } from "node:os";

const COUNT = 2_000;
/** The last line that `npm run worlds` prints. */
const DONE =
  /^[\d,]+ of [\d,]+ worlds, ([\d,]+) steps in ([\d.]+) s: ([\d.]+) worlds\/s; none broke/m;

export interface WorldsRow {
  readonly workload: string;
  /** Per second of wall time, on all cores. */
  readonly perSecond: number;
  readonly steps: number;
  readonly cores: number;
}

/**
 * Random worlds with all their checks, on all cores. Prints a row; returns whether none broke an
 * invariant.
 */
export function worlds(print: (row: WorldsRow, text: string) => void): boolean {
  const args = ["run", "--silent", "worlds", "--", "--count", String(COUNT)];
  const { stdout, stderr } = spawnSync("npm", args, { encoding: "utf8" });
  const [, steps, seconds, rate] = DONE.exec(stdout) ?? [];
  if (steps === undefined || rate === undefined) {
    console.error(`${stdout}${stderr}`.trimEnd());
    return false;
  }
  const row: WorldsRow = {
    workload: `${COUNT.toLocaleString("en")} random worlds`,
    perSecond: Number(rate),
    steps: Number(steps.replaceAll(",", "")),
    cores: availableParallelism(),
  };
  print(
    row,
    `${row.workload.padEnd(40)}${`${rate} worlds/s`.padStart(16)}  ${steps} steps, \
${seconds} s on ${row.cores} cores`,
  );
  return true;
}
