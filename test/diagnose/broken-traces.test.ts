import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { diagnose } from "../../src/diagnose/index.ts";
import type { AttemptColumns } from "../../src/history/columns.ts";
import type { Trace, TraceJob, TracePhase } from "../../src/history/model.ts";
import { why } from "../../src/index.ts";
import { openTrace } from "../../src/trace/open/open-trace.ts";
import { tryPolicies } from "../../src/whatif/index.ts";

let trace: Trace;
beforeAll(async () => {
  trace = await openTrace("fixtures/hadoop/json.jhist");
});

const job = (): TraceJob => {
  const [only] = trace.jobs;
  if (only === undefined) throw new Error("no job");
  return only;
};

/** The job with other phases; the columns are copied, so that they can be broken. */
const withPhases = (change: (phase: TracePhase, i: number) => TracePhase): TraceJob => ({
  ...job(),
  phases: job().phases.map(change),
});

/** The job with one cell of its first phase overwritten. */
const withCell = (name: Cells, row: number, value: number): TraceJob =>
  withPhases((phase, i) => {
    if (i > 0) return phase;
    const column = phase.attempts[name].slice();
    column[row] = value;
    return { ...phase, attempts: { ...phase.attempts, [name]: column } };
  });

type Cells = {
  [K in keyof AttemptColumns]-?: AttemptColumns[K] extends Int32Array | Uint8Array | Float64Array
    ? K
    : never;
}[keyof AttemptColumns];

/** Values that no job has, by column: beyond either end, and no number. */
const WRONG: Readonly<Record<string, readonly number[]>> = {
  task: [-1, 99_999],
  ordinal: [-1],
  node: [-2, 99],
  executor: [-2, 99],
  kinds: [6, 250],
  ends: [5, 250],
  localities: [3, 250],
  startedAt: [Number.NaN, Number.POSITIVE_INFINITY],
  endedAt: [Number.NaN, Number.NEGATIVE_INFINITY],
  heardAt: [Number.NaN],
  inputBytes: [Number.POSITIVE_INFINITY],
  gcMs: [Number.NEGATIVE_INFINITY],
};

describe("a broken value is refused with its column, row and value", () => {
  const cases = Object.entries(WRONG).flatMap(([name, values]) =>
    values.map((value) => [name as Cells, value] as const),
  );

  test.each(cases)("%s %d", (name, value) => {
    fc.assert(
      fc.property(fc.nat(job().phases[0]!.attempts.length - 1), (row) => {
        const broken = withCell(name, row, value);
        const says = `phases[0].attempts.${name}[${row}]: expected `;
        expect(() => diagnose(trace, broken)).toThrow(says);
        expect(() => diagnose(trace, broken)).toThrow(`found ${value}`);
        expect(() => tryPolicies(broken, { policies: ["none"] })).toThrow(says);
      }),
      { numRuns: 5 },
    );
  });
});

const without = <T extends { slice(from: number): T }>(column: T): T => column.slice(1);

test.each<[string, () => TraceJob, string]>([
  [
    "a column that is shorter",
    () =>
      withPhases((phase) => {
        const gcMs = without(phase.attempts.gcMs);
        return { ...phase, attempts: { ...phase.attempts, gcMs } };
      }),
    "phases[0].attempts.gcMs: expected a value for each attempt, ",
  ],
  [
    "an edge to nowhere",
    () => withPhases((phase) => ({ ...phase, reads: [{ phase: 7, start: { when: "done" } }] })),
    "phases[0].reads[0].phase: expected nothing to point at, found 7",
  ],
  [
    "a phase that reads itself",
    () =>
      withPhases((phase, i) =>
        i === 0 ? phase : { ...phase, reads: [{ phase: 1, start: { when: "done" } }] },
      ),
    "phases[1].reads[0].phase: expected 0 to 0, found 1",
  ],
  [
    "a slot on a node that is not there",
    () => ({ ...job(), slots: [{ kind: "map", node: 77, executor: -1, from: 0 }] }),
    "slots[0].node: expected 0 to ",
  ],
  ["a job without an end", () => ({ ...job(), endedAt: Number.NaN }), "endedAt: expected a number"],
])("%s is refused", (_, broken, says) => {
  expect(() => diagnose(trace, broken())).toThrow(says);
});

test("the library refuses a broken trace, too", async () => {
  const broken = { ...trace, jobs: [withCell("node", 0, 99)] };
  await expect(why(broken)).rejects.toThrow("attempts.node[0]: expected -1 to ");
});
