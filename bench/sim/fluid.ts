import { measure } from "../measure.ts";

const FIGURES = ["count", "lastMs", "cpuMs", "rssBytes"] as const;

/**
 * Last end and sum of all ends, in seconds, of SimGrid 3.32's plain max-min model: in five lanes
 * among 200 hosts with precisions of 1e-12, since its own ones print other digits there.
 */
const SHUFFLES: readonly (readonly [hosts: number, mode: string, last: string, sum: string])[] = [
  [50, "lanes", "2.014385", "2254.328"],
  [100, "lanes", "3.626178", "17776.877"],
  [200, "lanes", "7.452606", "142643.229"],
  [50, "all", "1.592000", "2751.863"],
  [100, "all", "3.182678", "22428.669"],
];

/** Nodes, and the milliseconds between two computations of the rates: 0 for exact rates. */
const SORTS: readonly (readonly [nodes: number, shareEveryMs: number])[] = [
  [200, 0],
  [1_000, 1_000],
];

export interface FluidRow {
  readonly workload: string;
  /** Flows or tasks per second of CPU time, including the start of the process. */
  readonly perSecond: number;
  readonly rssBytes: number;
  /** Last end and sum of all ends in seconds; of a sort, its makespan. */
  readonly digits: readonly string[];
  readonly asPublished: boolean | undefined;
}

export type PrintFluid = (row: FluidRow, text: string) => void;

/**
 * Shared disks and links: shuffles on a star of links, and LATE's sort on nodes with disks. Prints
 * a row for each; returns whether all answers are right.
 */
export function fluid(print: PrintFluid): boolean {
  let right = true;
  const show = (row: FluidRow, unit: string) => {
    right &&= row.asPublished !== false;
    print(row, textOf(row, unit));
  };
  for (const shuffle of SHUFFLES) show(shuffleRow(...shuffle), "flows");
  for (const sort of SORTS) show(sortRow(...sort), "tasks");
  return right;
}

function shuffleRow(hosts: number, mode: string, last: string, sum: string): FluidRow {
  const run = measure("./fluid-run.js", ["w3", String(hosts), mode], [...FIGURES, "sumMs"]);
  const digits = [(run.lastMs / 1000).toFixed(6), (run.sumMs / 1000).toFixed(3)];
  return {
    workload: `shuffle of ${hosts} hosts, ${mode === "lanes" ? "five lanes" : "all at once"}`,
    perSecond: Math.round((run.count / run.cpuMs) * 1000),
    rssBytes: run.rssBytes,
    digits,
    asPublished: digits[0] === last && digits[1] === sum,
  };
}

function sortRow(nodes: number, shareEveryMs: number): FluidRow {
  const run = measure("./fluid-run.js", ["late", String(nodes), String(shareEveryMs)], FIGURES);
  const rates = shareEveryMs === 0 ? "exact rates" : `rates every ${shareEveryMs} ms`;
  return {
    workload: `sort on ${nodes} nodes, ${rates}`,
    perSecond: Math.round((run.count / run.cpuMs) * 1000),
    rssBytes: run.rssBytes,
    digits: [(run.lastMs / 1000).toFixed(3)],
    asPublished: undefined,
  };
}

function textOf({ workload, perSecond, rssBytes, digits, asPublished }: FluidRow, unit: string) {
  const speed = `${perSecond.toLocaleString("en")} ${unit}/s`.padStart(16);
  const memory = `${Math.round(rssBytes / 1e6)} MB`.padStart(8);
  const verdict = asPublished ? ": as published" : ": NOT as published";
  const ends = `${digits.join(", ")}${asPublished === undefined ? "" : verdict}`;
  return `${workload.padEnd(40)}${speed}${memory}  ${ends}`;
}
