import { describe, expect, test } from "vitest";
import { columnsBy } from "../base/rows.ts";
import { ATTEMPT, type AttemptColumns, LOCALITIES, TRACE_ENDS } from "../history/columns.ts";
import type { TraceJob, TracePhase } from "../history/model.ts";
import { ATTEMPT_KINDS } from "../model/attempt.ts";
import { jobMeasures, recomputesByNode } from "./job-measures.ts";
import { phaseMeasures } from "./phase-measures.ts";
import { runsOf } from "./task-runs.ts";

/** An attempt by its column's names; times in s. */
interface Cells {
  readonly task: number;
  readonly from: number;
  readonly to: number;
  readonly node?: number;
  readonly kind?: (typeof ATTEMPT_KINDS)[number];
  readonly end?: (typeof TRACE_ENDS)[number];
  readonly locality?: (typeof LOCALITIES)[number];
  readonly input?: number;
  readonly shuffled?: number;
  readonly output?: number;
}

function attemptsOf(list: readonly Cells[]): AttemptColumns {
  const cells: Readonly<Record<string, (of: Cells) => number | undefined>> = {
    task: ({ task }) => task,
    node: ({ node = 0 }) => node,
    kinds: ({ kind = "original" }) => ATTEMPT_KINDS.indexOf(kind),
    ends: ({ end = "succeeded" }) => TRACE_ENDS.indexOf(end),
    localities: ({ locality }) =>
      locality === undefined ? undefined : LOCALITIES.indexOf(locality),
    startedAt: ({ from }) => from * 1_000,
    endedAt: ({ to }) => to * 1_000,
    heardAt: ({ to }) => to * 1_000,
    inputBytes: ({ input }) => input,
    shuffleBytes: ({ shuffled }) => shuffled,
    outputBytes: ({ output }) => output,
  };
  const columns = columnsBy(ATTEMPT, (name, { make, unknown }) => {
    const column = make(list.length).fill(unknown);
    for (const [row, one] of list.entries()) column[row] = cells[name]?.(one) ?? unknown;
    return column;
  });
  return { ...columns, length: list.length };
}

const phaseOf = (
  name: "map" | "reduce",
  list: readonly Cells[],
  reads: TracePhase["reads"] = [],
): TracePhase => ({
  ...{ name, kind: name, span: -1, reads },
  tasks: new Set(list.map(({ task }) => task)).size,
  attempts: attemptsOf(list),
});

const jobOf = (...phases: readonly TracePhase[]): TraceJob => ({
  ...{ id: "job", name: "job", submittedAt: 0, endedAt: 100_000, outcome: "succeeded" },
  ...{ phases, spans: [], executors: [], slots: [], lacks: new Set() },
  nodes: ["a", "b", "c"],
  racks: ["r0", "r0", "r1"],
  settings: { values: {} },
});

const usual = { from: 0, to: 10, input: 100 } as const;
/** Tasks 0 to 6 are alike; 7 is a little slow, 8 is slow, and 9 is slow since it reads much. */
const MAPS: readonly Cells[] = [
  ...Array.from({ length: 7 }, (_, task) => ({ ...usual, task })),
  { task: 7, from: 0, to: 14, input: 100 },
  { task: 8, from: 0, to: 20, input: 100 },
  { task: 9, from: 0, to: 30, input: 300 },
];

/** Of the job's last phase. */
const measuresOfLast = (job: TraceJob) => phaseMeasures(runsOf(job).at(-1)?.runs ?? []);

const measuresOf = (job: TraceJob) => jobMeasures([{ job, phases: runsOf(job) }]);

describe("the measures of a phase", () => {
  // Least squares by hand: time = 2.333 s + 0.09222 s a byte, so 11.56 s for 100 bytes and 30 s for
  // 300. Tasks 8 and 9 take over 15 s; bytes explain 9, and of the two that take over 1.2 times
  // what bytes explain, 7 is no outlier.
  test("are the shares of Mantri 4.1 and 4.2", () => {
    const phase = phaseOf("map", MAPS);
    const measures = measuresOfLast(jobOf(phase));
    expect(measures).toEqual({
      ...{ tasks: 10, medianMs: 10_000, outliers: 0.2, outlierTimes: 2.5 },
      ...{ explained: 0.5, improvable: 0.5 },
    });
  });

  test("say nothing of bytes where a task's are unknown", () => {
    const phase = phaseOf("map", [...MAPS, { task: 10, from: 0, to: 10 }]);
    const measures = measuresOfLast(jobOf(phase));
    expect(measures?.outliers).toBeCloseTo(2 / 11);
    expect(measures).not.toHaveProperty("explained");
    expect(measures).not.toHaveProperty("improvable");
  });

  test("count a task from its first attempt: a copy that won hides no outlier", () => {
    const copied: readonly Cells[] = [
      ...MAPS.slice(0, 7),
      { task: 7, from: 0, to: 35, end: "killed", input: 100 },
      { task: 7, from: 25, to: 35, kind: "speculative", input: 100 },
    ];
    const phase = phaseOf("map", copied);
    expect(measuresOfLast(jobOf(phase))).toMatchObject({
      outliers: 1 / 8,
      outlierTimes: 3.5,
    });
  });

  test("do not count the time that a reader waited for its input", () => {
    const map = phaseOf("map", MAPS);
    const readers = [0, 1, 2].map((task) => ({ task, from: 5, to: 40, shuffled: 10 }));
    const reduce = phaseOf("reduce", readers, [{ phase: 0, start: { when: "done" } }]);
    expect(measuresOfLast(jobOf(map, reduce))?.medianMs).toBe(10_000);
  });

  test("are absent without a success", () => {
    const phase = phaseOf("map", [{ task: 0, from: 0, to: 5, end: "failed" }]);
    expect(measuresOfLast(jobOf(phase))).toBeUndefined();
  });
});

describe("the measures of a job", () => {
  test("count localities by the success of each task (Elephant 4.2)", () => {
    const places = ["node", "node", "rack", "any"] as const;
    const phase = phaseOf("map", [
      ...places.map((locality, task) => ({ ...usual, task, locality })),
      { ...usual, task: 0, end: "killed", kind: "speculative", locality: "any", to: 4 },
    ]);
    expect(measuresOf(jobOf(phase))).toMatchObject({
      ...{ nodeLocal: 0.5, rackLocal: 0.25, crossRackBytes: 100 },
      ...{ copies: 1, usefulCopies: 0, wastedMs: 4_000, recomputes: 0 },
    });
  });

  test("count the bytes that a reader fetches from the outputs of other racks", () => {
    const map = phaseOf("map", [
      { task: 0, from: 0, to: 1, node: 0, locality: "node", input: 1, output: 30 },
      { task: 1, from: 0, to: 1, node: 2, locality: "node", input: 1, output: 10 },
    ]);
    const readers = [
      { task: 0, from: 2, to: 3, node: 1, shuffled: 400 },
      { task: 1, from: 2, to: 3, node: 2, shuffled: 400 },
    ];
    const reduce = phaseOf("reduce", readers, [{ phase: 0, start: { when: "done" } }]);
    expect(measuresOf(jobOf(map, reduce)).crossRackBytes).toBe(100 + 300);
  });

  test("give recomputes to the node that lost the output", () => {
    const phase = phaseOf("map", [
      { ...usual, task: 0, node: 2 },
      { ...usual, task: 1, node: 0 },
      { task: 0, from: 20, to: 33, node: 1, kind: "recompute" },
    ]);
    expect(measuresOf(jobOf(phase))).toMatchObject({ recomputes: 1, recomputedMs: 13_000 });
    expect(recomputesByNode({ job: jobOf(phase), phases: runsOf(jobOf(phase)) })).toEqual(
      new Map([["c", 1]]),
    );
  });
});
