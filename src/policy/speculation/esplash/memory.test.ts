import { describe, expect, test } from "vitest";
import { nodeId, phaseId } from "../../../model/ids.ts";
import { addNode, addTime, type EsplashMemory, othersMeanMs, remember } from "./memory.ts";

const TYPE = phaseId(0);
const [N1, N2, N3] = [nodeId(1), nodeId(2), nodeId(3)];

/** n1 and n2 are of level 1 and have finished a task each; n3 has no level. */
function twoOfLevel1(): EsplashMemory {
  const memory = remember();
  memory.times.set(TYPE, new Map());
  memory.table.set(TYPE, new Map());
  addNode(memory, N1, 1);
  addNode(memory, N2, 1);
  addNode(memory, N3, undefined);
  addTime(memory, { type: TYPE, node: N1, ms: 100 });
  addTime(memory, { type: TYPE, node: N2, ms: 300 });
  addTime(memory, { type: TYPE, node: N3, ms: 900 });
  return memory;
}

describe("the mean of a level's other nodes", () => {
  const othersOf = (node: typeof N1) => othersMeanMs(twoOfLevel1(), { type: TYPE, level: 1, node });

  test("leaves out the node's own tasks", () => {
    expect(othersOf(N1)).toBe(300);
    expect(othersOf(N2)).toBe(100);
  });

  test("takes nothing from the level's cell for a node that is not in it", () => {
    expect(othersOf(N3)).toBe(200);
  });

  test("is unknown where no other node has finished a task of the type", () => {
    const memory = twoOfLevel1();
    addNode(memory, N1, 2);
    addTime(memory, { type: TYPE, node: N1, ms: 100 });
    expect(othersMeanMs(memory, { type: TYPE, level: 2, node: N1 })).toBeUndefined();
  });
});
