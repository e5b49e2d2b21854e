import { expect, test } from "vitest";
import { InputError } from "../../../base/input-error.ts";
import type { Fault } from "../../../model/fault.ts";
import { checkFaults } from "./faults.ts";

const slow = { kind: "slow", at: 0, node: "n1", factor: 2 } as const;

test.each<[string, Fault]>([
  ["a pattern", { ...slow, node: "n*", pick: 2 }],
  ["what is drawn", { ...slow, factor: { kind: "uniform", from: 1, to: 4 }, everyMs: 500 }],
  ["any kind of death", { kind: "kill", at: 0, node: "n2", what: "tracker" }],
  ["all outputs", { kind: "lose-outputs", at: 0, node: "n2", share: 1 }],
])("%s is a fault of the engine too", (_, fault) => {
  expect(() => checkFaults([fault], 3)).not.toThrow();
});

test.each<[Fault, string]>([
  [{ kind: "load", at: 0, node: "n1", writers: 1 }, "fault 1 (load): only the simulator does this"],
  [{ kind: "evict", at: 0, node: "n1" }, "fault 1 (evict): only the simulator does this"],
  [{ kind: "congestion", at: 0, rack: "*", share: 0.1 }, "only the simulator does this"],
  [{ kind: "lose-outputs", at: 0, node: "n1", share: 0.5 }, "all of a node's go"],
  [{ ...slow, node: "n4" }, "expected a node from n1 to n3, found n4"],
  [{ ...slow, node: "n*", pick: 4 }, 'expected "pick" of at most 3, found 4'],
  [{ ...slow, factor: 0.5 }, "expected a factor of 1 or more, found 0.5"],
  [{ ...slow, at: -1 }, 'expected a time "at" of 0 ms or more, found -1'],
  [{ kind: "pause", at: 0, node: "n1", forMs: 0 }, 'expected "forMs" above 0, found 0'],
])("what the engine cannot do is refused: %j", (fault, says) => {
  expect(() => checkFaults([fault], 3)).toThrow(InputError);
  expect(() => checkFaults([fault], 3)).toThrow(says);
});
