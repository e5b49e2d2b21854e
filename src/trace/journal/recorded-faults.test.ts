import { expect, test } from "vitest";
import type { TraceJob } from "../../history/model.ts";
import { RecordedFaults } from "./recorded-faults.ts";

const fault = (at: number, is: "begin" | "end", number: number, node = "n1") => ({
  kind: "fault",
  node,
  what: is === "begin" ? "runs at a third of its speed" : "",
  at,
  fault: number,
  is,
});

function faultsOf(lines: readonly object[], submittedAt: number, endedAt: number) {
  const faults = new RecordedFaults();
  for (const line of lines) faults.read({ ...line });
  return faults.addTo({ submittedAt, endedAt } as TraceJob).evidence?.faults;
}

test("a job has the faults that lasted while it ran, from its submission on", () => {
  const lines = [
    fault(0, "begin", 0),
    fault(900, "end", 0),
    fault(500, "begin", 1, "n2"),
    fault(1_500, "begin", 2, "n3"),
    fault(1_600, "end", 2, "n3"),
    fault(5_000, "begin", 3, "n4"),
  ];
  const what = "runs at a third of its speed";
  expect(faultsOf(lines, 1_000, 2_000)).toEqual([
    { node: "n2", what, fromMs: 0 },
    { node: "n3", what, fromMs: 500 },
  ]);
});

test("a job without faults, and lines of another kind, have none", () => {
  expect(faultsOf([fault(3_000, "begin", 0)], 1_000, 2_000)).toBeUndefined();
  const other = { ...fault(0, "begin", 0), kind: "summary" };
  expect(faultsOf([other, fault(0, "end", 1)], 1_000, 2_000)).toBeUndefined();
});
