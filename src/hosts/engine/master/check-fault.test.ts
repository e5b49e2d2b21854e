import { expect, test } from "vitest";
import { InputError } from "../../../base/input-error.ts";
import type { Fault } from "../../../model/fault.ts";
import { checkFaults } from "./check-fault.ts";

const slow = { kind: "slow", at: 0, node: "n1", factor: 2 } as const;
const nodes = ["n1", "n2", "n3"];
const oneRack = { nodes, racks: ["rack-1"], hasLimitedLinks: false };
const twoRacks = { nodes, racks: ["rack-1", "rack-2"], hasLimitedLinks: true };

test.each<[string, Fault]>([
  ["a pattern", { ...slow, node: "n*", pick: 2 }],
  ["what is drawn", { ...slow, factor: { kind: "uniform", from: 1, to: 4 }, everyMs: 500 }],
  ["any kind of death", { kind: "kill", at: 0, node: "n2", what: "tracker" }],
  ["a share of the outputs", { kind: "lose-outputs", at: 0, node: "n2", share: 0.5 }],
  ["an eviction", { kind: "evict", at: 0, node: "n1", count: 2 }],
  ["congestion where links have a limit", { kind: "congestion", at: 0, rack: "*", share: 0.5 }],
])("%s is a fault of the engine too", (_, fault) => {
  expect(() => checkFaults([fault], twoRacks)).not.toThrow();
});

test.each<[Fault, string]>([
  [{ kind: "load", at: 0, node: "n1", writers: 1 }, "fault 1 (load): only the simulator does this"],
  [{ kind: "congestion", at: 0, rack: "*", share: 0.1 }, "links have a limit: --racks and"],
  [{ ...slow, node: "n4" }, "expected a node from n1 to n3, found n4"],
  [{ ...slow, node: "n*", pick: 4 }, 'expected "pick" of at most 3, found 4'],
  [{ ...slow, factor: 0.5 }, "expected a factor of 1 or more, found 0.5"],
  [{ ...slow, at: -1 }, 'expected a time "at" of 0 ms or more, found -1'],
  [{ kind: "pause", at: 0, node: "n1", forMs: 0 }, 'expected "forMs" above 0, found 0'],
  [{ kind: "evict", at: 0, node: "n1", share: 2 }, "expected a share from 0 to 1, found 2"],
])("what the engine cannot do is refused: %j", (fault, says) => {
  expect(() => checkFaults([fault], oneRack)).toThrow(InputError);
  expect(() => checkFaults([fault], oneRack)).toThrow(says);
});

test("an unknown rack is refused", () => {
  const fault: Fault = { kind: "congestion", at: 0, rack: "rack-3", share: 0.1 };
  const says = "expected a rack from rack-1 to rack-2, found rack-3";
  expect(() => checkFaults([fault], twoRacks)).toThrow(says);
});
