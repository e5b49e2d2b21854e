import { expect, test } from "vitest";
import { columnsOf, type PageDocument } from "../report/page/document.ts";
import { CURVE_POINTS, TRACE_ENDS } from "../trace/columns.ts";
import { leftText, momentAt } from "./moment.ts";
import { Run } from "./run.ts";
import { peersByPhase, standingsOf, tasksAtWork } from "./standing.ts";

const NOW = 10_000;
const MAP = 0;
const REDUCE = 1;

interface Ran {
  readonly phase: number;
  readonly task: number;
  readonly ordinal?: number;
  readonly from: number;
  /** Where it is left out, the attempt runs. */
  readonly to?: number;
  readonly score?: number;
}

/** A job of three maps and one reduce that reads them. */
function runOf(ran: readonly Ran[]): Run {
  const columns = columnsOf(() => new Float64Array(ran.length));
  for (const [i, { phase, task, ordinal = 0, from, to = Number.NaN, score = 1 }] of ran.entries()) {
    columns.phase[i] = phase;
    columns.task[i] = task;
    columns.ordinal[i] = ordinal;
    columns.startedAt[i] = from;
    columns.endedAt[i] = Number.isNaN(to) ? NOW : to;
    columns.end[i] = TRACE_ENDS.indexOf(Number.isNaN(to) ? "cut-off" : "succeeded");
    columns.score[i] = 1_000 * score;
  }
  const curves = new Float64Array(ran.length * CURVE_POINTS).fill(Number.NaN);
  const head = {
    ...{ jobs: [{ name: "job" }], nodes: [{ name: "n1" }], rows: [{ node: 0, slot: "s" }] },
    ...{ refusals: [], decisions: [], spans: [], endsAt: NOW },
    phases: [
      { name: "map", job: 0, tasks: 3, reads: [] },
      { name: "reduce", job: 0, tasks: 1, reads: [MAP] },
    ],
  };
  const attempts = { length: ran.length, curves, ...columns };
  return new Run({ head, attempts } as unknown as PageDocument);
}

const RAN: readonly Ran[] = [
  { phase: MAP, task: 0, from: 0, to: 4_000 },
  { phase: MAP, task: 1, from: 0, score: 0.25 },
  { phase: MAP, task: 1, ordinal: 1, from: 8_000, score: 0.5 },
  { phase: MAP, task: 2, from: 0, score: 0.5 },
  { phase: REDUCE, task: 0, from: 5_000, score: 0.3 },
];

test("a task with a healthy copy is not in the way, and a reduce waits for the maps", () => {
  const run = runOf(RAN);
  const moment = momentAt(run, NOW);
  const tasks = tasksAtWork(run, moment);
  expect(tasks.map(({ first, leftMs }) => [run.nameOf(first.i), Math.round(leftMs)])).toEqual([
    ["map/2#0", 10_000],
    ["map/1#0", 2_000],
    ["reduce/0#0", 11_667],
  ]);
  expect(tasks.map(({ first }) => leftText(run, first))).toEqual([
    "10.0 s",
    "30.0 s",
    "waits for map",
  ]);
  expect(standingsOf(run, moment, tasks, peersByPhase(run))).toEqual([
    { phase: MAP, done: 1, tasks: 3, toGoMs: 10_000, waiting: 0, holding: 1 },
  ]);
});

test("tasks without a slot come in waves, each as long as the peers took", () => {
  const run = runOf(
    [RAN[0], { phase: MAP, task: 1, from: 9_000, score: 0.5 }].flatMap((one) => one ?? []),
  );
  const moment = momentAt(run, NOW);
  const [standing] = standingsOf(run, moment, tasksAtWork(run, moment), peersByPhase(run));
  expect(standing).toMatchObject({ toGoMs: 4_000, waiting: 1 });
});

test("below a twentieth of its work, nobody can tell what is left of an attempt", () => {
  const run = runOf([{ phase: MAP, task: 0, from: 9_000, score: 0.04 }]);
  const [going] = momentAt(run, NOW).running;
  expect(going === undefined ? "" : leftText(run, going)).toBe("cannot tell yet");
});
