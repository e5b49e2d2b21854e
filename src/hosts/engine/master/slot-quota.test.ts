import { expect, test } from "vitest";
import { nodeId, slotKind } from "../../../model/ids.ts";
import { EngineNode } from "./engine-node.ts";
import { SlotQuota } from "./slot-quota.ts";

function nodes(count: number, slots = 1): readonly EngineNode[] {
  return Array.from({ length: count }, (_, i) => {
    const node = new EngineNode({
      ...{ id: nodeId(i), name: `n${i + 1}`, directory: "", slots, rack: 0 },
    });
    node.state = "live";
    node.booting = false;
    return node;
  });
}

/** The map and reduce slots that each node may offer. */
const offered = (all: readonly EngineNode[], quota: SlotQuota): readonly (readonly number[])[] =>
  all.map((node) => quota.free(node).map(({ count }) => count));

test("with memory for all slots, all are offered", () => {
  const all = nodes(2, 2);
  expect(offered(all, new SlotQuota(all, 4))).toEqual([
    [2, 2],
    [2, 2],
  ]);
});

test("otherwise each kind has a quota, and unused offers pass from node to node", () => {
  const all = nodes(3);
  const quota = new SlotQuota(all, 2);
  expect(offered(all, quota)).toEqual([
    [1, 1],
    [1, 1],
    [0, 0],
  ]);
  quota.turn(slotKind(0), { doTasksWait: true });
  expect(offered(all, quota)).toEqual([
    [0, 1],
    [1, 1],
    [1, 0],
  ]);
});

test("nodes that use their offers get the next offers too", () => {
  const all = nodes(3);
  const quota = new SlotQuota(all, 2);
  all[0]?.held.set(7, slotKind(0));
  all[1]?.held.set(8, slotKind(0));
  quota.turn(slotKind(0), { doTasksWait: true });
  all[0]?.held.clear();
  expect(offered(all, quota)).toEqual([
    [1, 1],
    [0, 1],
    [0, 0],
  ]);
});

test("where no task waits, offers pass on only after some heartbeats", () => {
  const all = nodes(3);
  const quota = new SlotQuota(all, 2);
  all[0]?.held.set(7, slotKind(0));
  const beat = (): void => quota.turn(slotKind(0), { doTasksWait: false });
  for (let beats = 0; beats < 19; beats++) beat();
  expect(offered(all, quota).map(([maps]) => maps)).toEqual([0, 1, 0]);
  beat();
  expect(offered(all, quota).map(([maps]) => maps)).toEqual([0, 0, 1]);
});

test("offers pass over nodes that cannot use them", () => {
  const all = nodes(4);
  const [, second, third] = all;
  if (second !== undefined) second.booting = true;
  if (third !== undefined) third.state = "lost";
  const quota = new SlotQuota(all, 1);
  quota.turn(slotKind(0), { doTasksWait: true });
  expect(offered(all, quota)[3]).toEqual([1, 0]);
  quota.turn(slotKind(0), { doTasksWait: true });
  expect(offered(all, quota)[0]).toEqual([1, 1]);
});

test("busy slots count, wherever they are", () => {
  const all = nodes(3);
  all[2]?.held.set(7, slotKind(0));
  expect(offered(all, new SlotQuota(all, 2))).toEqual([
    [1, 1],
    [0, 1],
    [0, 0],
  ]);
});

test("the slots of a lost node go to others", () => {
  const all = nodes(3);
  const [first] = all;
  if (first !== undefined) first.state = "lost";
  expect(offered(all, new SlotQuota(all, 2)).slice(1)).toEqual([
    [1, 1],
    [1, 1],
  ]);
});
