import { expect, test } from "vitest";
import { jobId, phaseId, slotKind, taskId } from "../model/ids.ts";
import type { Phase } from "../model/job.ts";
import { InputBytes } from "./input-bytes.ts";

/** A phase of tasks that read this, if it is known, after the phases of these ids. */
function phase(id: number, inputBytes: readonly (number | undefined)[], after: readonly number[]) {
  return {
    id: phaseId(id),
    name: String(id),
    job: jobId(0),
    slots: [slotKind(0)],
    after: after.map((read) => ({ phase: phaseId(read), start: { when: "done" as const } })),
    tasks: inputBytes.map((bytes, index) => ({
      id: taskId(10 * id + index),
      phase: phaseId(id),
      index,
      replicas: [],
      stages: [],
      ...(bytes !== undefined && { inputBytes: bytes }),
    })),
  } satisfies Phase;
}

const [UNKNOWN, ALSO_UNKNOWN] = [undefined, undefined];

test("a task reads its split, and what was written for its partition", () => {
  const bytes = new InputBytes({
    phases: [
      phase(7, [100, UNKNOWN], []),
      phase(8, [UNKNOWN, ALSO_UNKNOWN], [7]),
      phase(9, [5], [7, 8]),
    ],
  });
  const all = () => [
    [bytes.of(0, 0), bytes.of(0, 1)],
    [bytes.of(1, 0), bytes.of(1, 1)],
    [bytes.of(2, 0)],
  ];
  expect(all()).toEqual([[100, Number.NaN], [Number.NaN, Number.NaN], [5]]);
  bytes.wrote(0, [3, 4]);
  bytes.wrote(0, [10]);
  expect(all()).toEqual([[100, Number.NaN], [13, 4], [18]]);
  bytes.wrote(1, [1]);
  expect(all()).toEqual([[100, Number.NaN], [13, 4], [19]]);
});

test("a task that is not there is refused", () => {
  const bytes = new InputBytes({ phases: [phase(0, [1], [])] });
  expect(() => bytes.of(0, 1)).toThrow("missing: a cell");
});
