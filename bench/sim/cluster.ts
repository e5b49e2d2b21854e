import { measure } from "../measure.ts";
import { disciplineOf } from "./decide.ts";

const FIGURES = ["tasks", "makespanMs", "cpuMs", "rssBytes"] as const;

/** Nodes of each workload: a backlog of 2,000 jobs, or 10,000 tasks that run at once. */
const WORKLOADS = [
  ["one-job", 1_000],
  ["backlog", 200],
] as const;

interface Row {
  readonly policy: string;
  readonly workload: string;
  readonly nodes: number;
  /** Tasks per second of CPU time, including the start of the process. */
  readonly perSecond: number;
  readonly makespanMs: number;
  readonly rssBytes: number;
}

/** What a user's scenario takes with the defaults of a scenario file, under each policy. */
export function cluster(
  policies: readonly string[],
  print: (row: Row, text: string) => void,
): void {
  for (const policy of policies) {
    for (const [workload, nodes] of WORKLOADS) {
      const run = measure(
        "./cluster-run.js",
        [disciplineOf(policy), `${nodes}`, workload],
        FIGURES,
      );
      const { makespanMs, rssBytes } = run;
      const perSecond = Math.round((run.tasks / run.cpuMs) * 1000);
      const row = { policy, workload, nodes, perSecond, makespanMs, rssBytes };
      print(row, rowText(row));
    }
  }
}

function rowText({ policy, workload, nodes, perSecond, makespanMs, rssBytes }: Row): string {
  const size = `${nodes.toLocaleString("en")} nodes`.padStart(14);
  const speed = `${perSecond.toLocaleString("en")} tasks/s`.padStart(18);
  const memory = `${Math.round(rssBytes / 1e6)} MB`.padStart(8);
  const end = `ends at ${(makespanMs / 1000).toFixed(3)} s`.padStart(24);
  return `${policy.padEnd(16)}${workload.padEnd(8)}${size}${speed}${memory}${end}`;
}
