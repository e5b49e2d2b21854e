import { expect, test } from "vitest";
import type { Fault } from "../model/fault.ts";
import { missedFaultNotes, plannedText } from "./missed-fault-text.ts";

test("a fault that did not happen is one note, with its targets and both times", () => {
  const fault: Fault = { kind: "kill", at: 5_000, node: "n*" };
  const missed = ["n1", "n2", "n3", "n4", "n5"].map((target) => ({ fault, target, at: 5_000 }));
  expect(missedFaultNotes(missed.slice(2, 3), 500)).toEqual([
    "note: n3 was to be killed at 5.0 s, but the job ended at 0.5 s",
  ]);
  expect(missedFaultNotes(missed.slice(0, 2), 500)).toEqual([
    "note: n1 and n2 were to be killed at 5.0 s, but the job ended at 0.5 s",
  ]);
  expect(missedFaultNotes(missed, 500)).toEqual([
    "note: n1, n2, n3 and 2 more were to be killed at 5.0 s, but the job ended at 0.5 s",
  ]);
});

test.each([
  [{ kind: "slow", at: 1, node: "n1", factor: 4 }, "be slowed 4-fold"],
  [{ kind: "slow", at: 1, node: "n1", factor: 1 }, "regain full speed"],
  [{ kind: "pause", at: 1, node: "n1", forMs: 2 }, "be paused"],
  [{ kind: "stress", at: 1, node: "n1", factor: 3, onMs: 1, offMs: 1 }, "be slowed 3-fold on and"],
  [{ kind: "fill-disk", at: 1, node: "n1", forMs: 2 }, "have a full disk"],
] satisfies [Fault, string][])("%j", (fault, text) => {
  expect(plannedText(fault, ["n1"], 1)).toContain(`n1 was to ${text}`);
});
