import { defined } from "../../base/assert.ts";
import type { RunResult } from "../../hosts/engine/index.ts";
import { counted, seconds } from "../../report/quantity.ts";
import { acts, outputsGone } from "../acts.ts";
import { brief } from "../display/sentence.ts";
import { here } from "../here.ts";
import { table } from "../table.ts";
import type { Comparison } from "./plain-count.ts";
import { DEMO, scaledParameters } from "./plan.ts";

/** One of the demo's two runs, and its result. */
export interface DemoOutcome {
  readonly title: string;
  readonly result: RunResult;
  /** The comparison of the run's output with the plain count. */
  readonly comparison: Comparison;
}

/** The text at the end of the demo. */
export function reportText(outcomes: readonly DemoOutcome[], width: number): string {
  return [
    "",
    comparisonTable(outcomes),
    "",
    `With LATE the job was ${timesFaster(outcomes).toFixed(2)} times as fast.`,
    ...outcomes.flatMap((outcome) => actsOf(outcome, width)),
    ...outcomes.flatMap(placesOf),
    "",
    "Set for so short a job on four nodes, of which two are bad:",
    scaledTable(),
  ].join("\n");
}

type Row = readonly [name: string, of: (outcome: DemoOutcome) => string];

const ROWS: readonly Row[] = [
  ["response time", ({ result }) => seconds(result.responseMs)],
  [
    "speculative copies",
    ({ result: { totals } }) => `${totals.speculative}, ${totals.speculativeWon} won`,
  ],
  ["attempts killed", ({ result }) => String(result.totals.killed)],
  [`attempts lost with ${DEMO.killedNode}`, ({ result }) => String(result.totals.lost)],
  ["outputs lost or missed", ({ result }) => outputsGone(result).map(brief).join(" ") || "none"],
  ["recomputed", ({ result }) => String(result.totals.recomputed)],
  ["slot time wasted", ({ result }) => seconds(result.totals.wastedMs)],
  [`${DEMO.slowNode} really slowed`, ({ result }) => slowedText(result)],
  ["against a plain count", ({ comparison }) => comparedText(comparison)],
];

/** The first run's response time over the last run's. */
export function timesFaster(outcomes: readonly DemoOutcome[]): number {
  const first = defined(outcomes[0], "a first run").result.responseMs;
  return first / defined(outcomes.at(-1), "a last run").result.responseMs;
}

function comparisonTable(outcomes: readonly DemoOutcome[]): string {
  const rows = ROWS.map(([name, of]) => [name, ...outcomes.map(of)]);
  return table([{ title: "" }, ...outcomes.map(({ title }) => ({ title }))], rows);
}

function slowedText({ nodes }: RunResult): string {
  const facts = nodes.find(({ name }) => name === DEMO.slowNode)?.slowed;
  return facts === undefined ? "no" : `${facts.achieved.toFixed(1)}-fold`;
}

function comparedText(comparison: Comparison): string {
  return comparison.kind === "equal"
    ? `equal, ${counted(comparison.words, "word")}`
    : `DIFFERENT: ${comparison.text}`;
}

function placesOf({ title, result }: DemoOutcome): readonly string[] {
  return ["", `${title}: output ${here(result.output)}`, `  journal ${here(result.journal)}`];
}

function actsOf({ title, result }: DemoOutcome, width: number): readonly string[] {
  const rows = acts(result).map(({ at, what, text }) => [seconds(at), what, text]);
  if (rows.length === 0) return [];
  const columns = [{ title: "at", align: "right" as const }, { title }, { title: "why" }];
  return ["", table(columns, rows, width)];
}

function scaledTable(): string {
  const columns = [
    { title: "parameter" },
    { title: "here", align: "right" as const },
    { title: "published", align: "right" as const },
  ];
  return table(
    columns,
    scaledParameters().map(({ name, here, published }) => [name, here, published]),
  );
}
