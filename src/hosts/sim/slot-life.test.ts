import { describe, expect, test } from "vitest";
import { slotKind } from "../../model/ids.ts";
import { mostAtOnce, SlotLife } from "./slot-life.ts";

const core = slotKind(0);
const gpu = slotKind(1);
const spans = [
  { kind: core, count: 2, fromMs: 100, untilMs: 300 },
  { kind: core, count: 4, fromMs: 200, untilMs: 400 },
  { kind: gpu, count: 1, fromMs: 150, untilMs: Number.POSITIVE_INFINITY },
];

describe("slots that come and go", () => {
  test("exist from their first millisecond until just before their last", () => {
    const life = new SlotLife(spans);
    const present = (ms: number) => life.present(core, ms, false);
    expect([99, 100, 199, 200, 299, 300, 399, 400].map(present)).toEqual([0, 2, 2, 6, 6, 4, 4, 0]);
    expect(life.joinsAtMs).toBe(100);
    expect(life.changesMs).toEqual([100, 150, 200, 300, 400]);
    expect([mostAtOnce(spans, core), mostAtOnce(spans, gpu)]).toEqual([6, 1]);
  });

  test("stay after their end if they are the last of the node and a task is pinned to it", () => {
    const life = new SlotLife(spans);
    expect([300, 400, 500].map((ms) => life.present(core, ms, true))).toEqual([4, 4, 4]);
    expect([life.isOver(core, 399), life.isOver(core, 400), life.isOver(gpu, 1e9)]).toEqual([
      false,
      true,
      false,
    ]);
  });

  test("stay for ever once they are kept", () => {
    const life = new SlotLife(spans);
    life.keep(core);
    expect([350, 450].map((ms) => life.present(core, ms, false))).toEqual([4, 4]);
    expect(life.keeps(gpu)).toBe(false);
  });
});
