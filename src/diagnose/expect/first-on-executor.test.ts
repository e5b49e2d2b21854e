import { expect, test } from "vitest";
import { ColumnsBuilder } from "../../history/columns-builder.ts";
import type { Plan } from "../schedule/planned.ts";
import { firstOnExecutor } from "./first-on-executor.ts";

/** Attempts of one phase by executor, start and end, in the order of their starts. */
function firstOf(
  attempts: readonly (readonly [executor: number, start: number, end: number])[],
  slots: readonly number[],
): readonly number[] {
  const builder = new ColumnsBuilder();
  for (const [executor, start] of attempts) {
    const row = builder.append();
    builder.columns.startedAt[row] = start;
    builder.columns.executor[row] = executor;
  }
  const plan = {
    job: {
      executors: ["0", "1"],
      slots: slots.map((executor) => ({ executor })),
      phases: [{ name: "stage 0", attempts: builder.build() }],
    },
    count: attempts.length,
    phase: new Int32Array(attempts.length),
    row: Int32Array.from(attempts.keys()),
    start: Float64Array.from(attempts, ([, start]) => start),
    end: Float64Array.from(attempts, ([, , end]) => end),
  } as unknown as Plan;
  return [...firstOnExecutor(plan)];
}

test("as many attempts as an executor has slots are first, until one has ended there", () => {
  const attempts = [
    [0, 0, 5_000],
    [0, 10, 5_100],
    [1, 20, 6_000],
    [0, 5_000, 6_000],
    [1, 7_000, 8_000],
  ] as const;
  expect(firstOf(attempts, [0, 0, 1, 1])).toEqual([1, 1, 1, 0, 0]);
});

test("one that began just before the recorded end of the one in its slot is not first", () => {
  const attempts = [
    [0, 0, 5_000],
    [0, 10, 5_100],
    [0, 4_400, 6_000],
    [0, 4_990, 6_000],
  ] as const;
  expect(firstOf(attempts, [0, 0])).toEqual([1, 1, 0, 0]);
  // Where the log names no slots, only the times tell.
  expect(firstOf(attempts, [])).toEqual([1, 1, 1, 1]);
});
