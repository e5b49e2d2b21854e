import { describe, expect, test } from "vitest";
import { rackId } from "../../../model/ids.ts";
import { pathFactor } from "./path.ts";

const [A, B] = [rackId(0), rackId(1)];

/** A task that reads 600 bytes on the first rack and 200 on the second, in 100 ms on average. */
function factorOn(rack: typeof A, speeds: Readonly<Record<"up" | "down", number>>): number {
  const byRack = new Map([
    [A, 600],
    [B, 200],
  ]);
  const links = (of: typeof A) => ({
    rack: of,
    upBytesPerMs: of === A ? speeds.up : 10,
    downBytesPerMs: speeds.down,
  });
  return pathFactor({ byRack, rack, meanMs: 100, racks: [A, B], links });
}

describe("the factor of a path", () => {
  test("is the transfer's difference from the mean of all racks, of the mean time", () => {
    // 200 bytes at 10 bytes per ms come to the first rack, 600 to the second: 20 ms and 60 ms.
    expect(factorOn(A, { up: 10, down: 10 })).toBeCloseTo(0.8);
    expect(factorOn(B, { up: 10, down: 10 })).toBeCloseTo(1.2);
  });

  test("counts the slowest of all links, not their sum", () => {
    // The first rack's uplink needs 120 ms for what its downlink's end takes in 60 ms.
    expect(factorOn(B, { up: 5, down: 10 })).toBeCloseTo(1.5);
  });

  test("is at least a tenth", () => {
    expect(factorOn(A, { up: 0.1, down: 10 })).toBe(0.1);
  });

  test("is 1 on all racks while a link that is needed is down", () => {
    for (const rack of [A, B]) {
      expect(factorOn(rack, { up: 0, down: 10 })).toBe(1);
      expect(factorOn(rack, { up: 10, down: 0 })).toBe(1);
    }
  });
});
