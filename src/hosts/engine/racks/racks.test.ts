import { expect, test } from "vitest";
import { rackToReadFrom } from "./racks.ts";

test("data in the node's own rack does not cross racks", () => {
  const holders = [{ rack: 1 }, { rack: 2 }];
  expect(rackToReadFrom(holders, { rack: 2, task: 0 })).toBeUndefined();
  expect(rackToReadFrom(holders, { rack: 0, task: 3 })).toBe(2);
  expect(rackToReadFrom([], { rack: 0, task: 3 })).toBeUndefined();
});
