import { expect, test } from "vitest";
import { lasting, smallJob, whyOf } from "../../../test/diagnose/support/small-job.ts";
import { ColumnsBuilder } from "../../history/columns-builder.ts";
import { offCPU } from "./off-cpu.ts";
import type { Seen } from "./seen.ts";

/** Attempts of ten seconds by their time on the CPU, in s; the first ones are late. */
function hintsOf(cpu: readonly number[], late: number): readonly string[] {
  const builder = new ColumnsBuilder();
  for (const seconds of cpu) {
    const row = builder.append();
    builder.columns.startedAt[row] = row;
    builder.columns.cpuMs[row] = 1_000 * seconds;
  }
  const plan = {
    job: { phases: [{ attempts: builder.build() }] },
    count: cpu.length,
    phase: new Int32Array(cpu.length),
    row: Int32Array.from(cpu.keys()),
    start: new Float64Array(cpu.length),
    end: new Float64Array(cpu.length).fill(10_000),
  };
  const seen = { plan, late: Array.from({ length: late }, (_, n) => n) } as unknown as Seen;
  return offCPU(seen).map(({ text }) => text);
}

test("late attempts that waited where the others computed are told apart", () => {
  expect(hintsOf([2, 2, 3, 9, 9, 8, 9], 3)).toEqual([
    "The late attempts spent 20 % of their time on the CPU, the others 90 %: they waited for " +
      "something.",
  ]);
  expect(hintsOf([8, 9, 9, 9, 9, 8, 9], 3)).toEqual([]);
  // The phase waits by nature; or too few were late.
  expect(hintsOf([0.2, 0.2, 0.3, 1, 1, 1, 1], 3)).toEqual([]);
  expect(hintsOf([2, 2, 9, 9, 9, 8, 9], 2)).toEqual([]);
});

test("a diagnosis says that its late attempts waited, unless they computed", () => {
  const late = (cpuMs: number) =>
    smallJob((task) => (task % 7 === 3 ? { ...lasting(task, 25_000), cpuMs } : {}));
  expect(whyOf(late(9_000)).hints.map(({ kind, text }) => [kind, text])).toEqual([
    [
      "off-cpu",
      "The late attempts spent 36 % of their time on the CPU, the others 89 %: they waited for " +
        "something.",
    ],
  ]);
  expect(whyOf(late(22_500)).hints).toEqual([]);
});
