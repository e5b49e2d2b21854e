import { expect, test } from "vitest";
import { tableFrom } from "../../test/support/tables.ts";
import { CURVE_POINTS, TRACE_ENDS } from "../history/columns.ts";
import { REDUCE_STAGES } from "../model/job.ts";
import { PAGE_ATTEMPT, type PageDocument, type PageHead } from "../report/page/document.ts";
import { LOOKS } from "./classes.ts";
import { leftText, momentAt, scoreText } from "./moment.ts";
import { Run } from "./run.ts";
import { slowRate } from "./slow-rate.ts";
import { peersByPhase, refusalOf, standingsOf, tasksAtWork } from "./standing.ts";

const NOW = 10_000;
const MAP = 0;
const REDUCE = 1;

interface Ran {
  readonly phase: number;
  readonly task: number;
  readonly ordinal?: number;
  readonly from: number;
  /** If absent, the attempt runs. */
  readonly to?: number;
  readonly score?: number;
  /** When it reached the twelfths of its work, in ms after its start. */
  readonly curve?: readonly number[];
}

/** A job of three maps, and reduces that read them. */
function runOf(ran: readonly Ran[], told: Partial<PageHead> = {}): Run {
  const columns = tableFrom(PAGE_ATTEMPT, ran.length);
  for (const [i, { phase, task, ordinal = 0, from, to = Number.NaN, score = 1 }] of ran.entries()) {
    columns.node[i] = 0;
    columns.phase[i] = phase;
    columns.task[i] = task;
    columns.ordinal[i] = ordinal;
    columns.startedAt[i] = from;
    columns.endedAt[i] = Number.isNaN(to) ? NOW : to;
    columns.heardAt[i] = Number.isNaN(to) ? NOW : to;
    columns.ends[i] = TRACE_ENDS.indexOf(Number.isNaN(to) ? "cut-off" : "succeeded");
    columns.score[i] = score;
  }
  const curves = new Float32Array(ran.length * CURVE_POINTS).fill(Number.NaN);
  for (const [i, { curve = [] }] of ran.entries()) curves.set(curve, i * CURVE_POINTS);
  const head = {
    ...{ jobs: [{ name: "job" }], nodes: [{ name: "n1" }], rows: [{ node: 0, slot: "s" }] },
    ...{ refusals: [], decisions: [], spans: [], endsAt: NOW, ...told },
    phases: [
      { name: "map", job: 0, tasks: 3, reads: [] },
      { name: "reduce", job: 0, tasks: 1, reads: [MAP], stages: REDUCE_STAGES },
    ],
  };
  const attempts = { ...columns, curves };
  return new Run({ head, attempts } as unknown as PageDocument);
}

const RAN: readonly Ran[] = [
  { phase: MAP, task: 0, from: 0, to: 4_000 },
  { phase: MAP, task: 1, from: 0, score: 0.25 },
  { phase: MAP, task: 1, ordinal: 1, from: 8_000, score: 0.5 },
  { phase: MAP, task: 2, from: 0, score: 0.5 },
  { phase: REDUCE, task: 0, from: 5_000, score: 0.3 },
];

test("a task with a healthy copy is left out, and a reduce waits for the maps", () => {
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
    { phase: MAP, score: 2 / 3, toGoMs: 10_000, waiting: 0, holding: 1 },
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

/** The running attempts, their progress and their time left, in words. */
const wordsOf = (run: Run): readonly string[] =>
  momentAt(run, NOW).running.map(
    (going) => `${run.nameOf(going.i)}: ${scoreText(going)}, ${leftText(run, going)}`,
  );

const MAPS: readonly Ran[] = [0, 1, 2].map((task) => ({ phase: MAP, task, from: 0, to: 1_000 }));

test("below a twentieth of a stage, and on a silent node, the time left is unknown", () => {
  expect(wordsOf(runOf([{ phase: MAP, task: 0, from: 9_000, score: 0.04 }]))).toEqual([
    "map/0#0: 0.04, cannot tell",
  ]);
  const copied = new Array<number>(8).fill(0);
  const barely = { phase: REDUCE, task: 0, from: 2_000, score: 0.68, curve: copied };
  expect(wordsOf(runOf([...MAPS, barely]))).toEqual(["reduce/0#0: reduce 0.68, cannot tell"]);
  const spans = [{ node: 0, what: "silent", from: 9_000, to: NOW, text: "" } as const];
  expect(wordsOf(runOf([{ phase: MAP, task: 0, from: 0, score: 0.5 }], { spans }))).toEqual([
    "map/0#0: 0.50, cannot tell",
  ]);
});

test("stages that took no time say nothing about the stage that an attempt is in", () => {
  const copied = new Array<number>(8).fill(0);
  const reduce = { phase: REDUCE, task: 0, from: 2_000, score: 0.7, curve: copied };
  // A tenth of the last stage in 8 s.
  expect(wordsOf(runOf([...MAPS, reduce]))).toEqual(["reduce/0#0: reduce 0.70, 72.0 s"]);
});

test("later stages take as long as they took the peers", () => {
  const curve = [1, 2, 3, 4, 4, 4, 4, 4, 5, 6, 7, 8].map((s) => 100 * s);
  const peer = { phase: REDUCE, task: 1, from: 1_000, to: 1_800, curve };
  const slow = { phase: REDUCE, task: 0, from: 2_000, score: 1 / 6 };
  // Half of the copy in 8 s, then no sort, and 0.4 s for the reduce.
  expect(wordsOf(runOf([...MAPS, peer, slow]))).toEqual(["reduce/0#0: copy 0.17, 8.40 s"]);
});

test("the refusal of a task is its own last one, or the last of all copies", () => {
  const refused = { where: "", text: "", count: 1, numbers: {}, from: 8_000 };
  const refusals = [
    { ...refused, who: "job/map/2", rule: "too-young", to: 9_000 },
    { ...refused, who: "job/map/2", rule: "not-slow", to: 9_900 },
    { ...refused, who: "", rule: "speculative-cap", to: 9_500, count: 9 },
    { ...refused, who: "", rule: "not-planned", to: NOW, numbers: { slot: "map" } },
  ];
  const run = runOf(RAN, { refusals });
  const moment = momentAt(run, NOW);
  const rules = tasksAtWork(run, moment).map((task) => refusalOf(run, moment, task)?.rule);
  expect(rules).toEqual(["not-slow", "speculative-cap", "speculative-cap"]);
});

test("a rate is slow as the policy had it, or else below the 25th percentile", () => {
  const ran = [1_000, 2_000, 4_000].map((to, task): Ran => ({ phase: MAP, task, from: 0, to }));
  const of = [0, 1, 2];
  expect(slowRate(runOf(ran), "map", of, NOW)).toBeCloseTo(0.000375, 9);
  const refused = { who: "job/map/2", where: "", rule: "not-slow", text: "", count: 1 };
  const refusals = [{ ...refused, from: 8_000, to: 9_000, numbers: { slowTaskPerMs: 0.5 } }];
  expect(slowRate(runOf(ran, { refusals }), "map", of, NOW)).toBe(0.5);
  expect(slowRate(runOf(ran, { refusals }), "map", of, 4_000)).toBeCloseTo(0.000375, 9);
  expect(slowRate(runOf([]), "map", [], NOW)).toBeNaN();
});

test("attempts that run have a colour of their own in each phase", () => {
  const { shows } = runOf(RAN);
  const colors = [0, 3, 4].map((i) => LOOKS[shows[i] ?? 0]?.color);
  expect(new Set(colors).size).toBe(3);
});
