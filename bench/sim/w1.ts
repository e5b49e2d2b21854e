import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { HEAP_FLAGS } from "../measure.ts";
import { type Measured, type Row, rowOf } from "./row.ts";
import { buildSimcore } from "./simcore.ts";
import { sizeOf } from "./w1-model.ts";

/**
 * Sums of job completion times and makespans in ms from five other simulators, from SimPy to
 * simcore, for the same workload.
 */
const PUBLISHED: ReadonlyMap<string, string> = new Map([
  ["S", "246211424, 13346436"],
  ["M", "2188627006, 13545839"],
  ["L", "20314945713, 13640746"],
  ["XL", "204787650859, 46537468"],
]);

export const SIZES: ReadonlySet<string> = new Set(PUBLISHED.keys());

/** The ratios to simcore that full mode should reach. */
const FULL_GOALS: ReadonlyMap<string, number> = new Map([
  ["M", 0.2],
  ["L", 0.5],
]);
/** Full mode with the journal on should take at most 1.6 times as long. */
const JOURNAL_GOAL = 0.625;

type Contestant = "kernel" | "full" | "journal" | "simcore" | "reference";

export interface W1Options {
  readonly sizes: readonly string[];
  readonly rounds: number;
  readonly print: (row: Row) => void;
  readonly tell: (line: string) => void;
}

/**
 * W1 in each mode, in turn with simcore and with a loop of forty lines. Returns whether all answers
 * are as published.
 */
export function w1({ sizes, rounds, print, tell }: W1Options): boolean {
  const simcore = buildSimcore();
  if ("missing" in simcore) tell(`without simcore: ${simcore.missing}`);
  let right = true;
  for (const size of sizes) {
    // A journal of the larger sizes would take longer than all the others together.
    const modes: Contestant[] = ["kernel", "full", ...(size === "S" ? ["journal" as const] : [])];
    const peers: Contestant[] = ["reference", ...("path" in simcore ? ["simcore" as const] : [])];
    const runs = new Map<Contestant, Measured[]>();
    for (let round = 1; round <= rounds; round += 1) {
      for (const contestant of [...modes, ...peers]) {
        tell(`W1 ${size}, ${contestant}, round ${round} of ${rounds}`);
        const { sums, ...measured } = run(commandOf(contestant, size, simcore));
        runs.set(contestant, [...(runs.get(contestant) ?? []), measured]);
        if (sums === PUBLISHED.get(size)) continue;
        tell(`W1 ${size}, ${contestant}: ${sums} is NOT as published, ${PUBLISHED.get(size)}`);
        right = false;
      }
    }
    for (const row of rowsOf(size, runs)) print(row);
  }
  return right;
}

function rowsOf(size: string, runs: ReadonlyMap<Contestant, readonly Measured[]>): readonly Row[] {
  const { jobs, tasksPerJob } = sizeOf(size);
  const beside = (ours: Contestant, peer: Contestant, goal?: number): Row[] => {
    const own = runs.get(ours);
    const others = runs.get(peer);
    if (own === undefined || others === undefined) return [];
    const compared = { work: `W1 ${size} ${ours}`, unit: "tasks", units: jobs * tasksPerJob };
    const against = { name: peer, runs: others };
    return [rowOf({ ...compared, ours: own, peer: against, ...(goal !== undefined && { goal }) })];
  };
  return [
    ...beside("kernel", "simcore"),
    ...beside("kernel", "reference"),
    ...beside("full", "simcore", FULL_GOALS.get(size)),
    ...beside("full", "reference"),
    ...beside("journal", "full", JOURNAL_GOAL),
  ];
}

function commandOf(
  contestant: Contestant,
  size: string,
  simcore: ReturnType<typeof buildSimcore>,
): readonly string[] {
  if (contestant === "simcore" && "path" in simcore) {
    const { jobs, tasksPerJob, slots } = sizeOf(size);
    return [simcore.path, `${jobs}`, `${tasksPerJob}`, `${slots}`];
  }
  const script = contestant === "reference" ? "./w1-reference.js" : "./w1-run.js";
  const path = fileURLToPath(new URL(`..${script.slice(1)}`, import.meta.url));
  const node = [process.execPath, ...HEAP_FLAGS, path, size];
  return contestant === "reference" ? node : [...node, contestant];
}

/** Runs a program to its end. Its time is that of the whole process. */
function run([program = "", ...args]: readonly string[]): Measured & { readonly sums: string } {
  const startedAt = performance.now();
  const text = execFileSync(program, args, { encoding: "utf8" });
  const seconds = (performance.now() - startedAt) / 1000;
  const { sumJct, makespan, rssBytes = 0 } = JSON.parse(text);
  return { seconds, peakBytes: rssBytes, sums: `${sumJct}, ${makespan}` };
}
