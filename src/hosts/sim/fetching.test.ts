import { describe, expect, test } from "vitest";
import { scriptedData } from "../../../test/golden/policies/scripted.ts";
import { run } from "../../../test/support/faulty.ts";
import { use } from "../../policy/policy.ts";

const racks = ["r1", "r2", "r3"];
const asks = ["output@job/map/0 replicate job/map/0 r2"];
const replicated = {
  cluster: {
    racks,
    nodes: [
      { name: "mapper", rack: "r1", slots: { map: 1 }, host: "machine" },
      { name: "keeper", rack: "r2", slots: {}, host: "machine" },
      { name: "reducer", rack: "r3", slots: { reduce: 1 }, host: "machine" },
    ],
  },
  map: { outputPerInput: 1, replicas: 3 },
  maps: 2,
  reduce: { outputPerInput: 0 },
  start: "done",
  data: [use(scriptedData, { asks, racks })],
};

describe("an output with a copy elsewhere", () => {
  const whole = run(replicated);

  test("exists twice before the first read", () => {
    const [copied] = whole.of("output-replicated");
    expect(copied?.node).toBe(1);
    expect(copied?.at).toBeLessThan(whole.of("attempt-succeeded")[1]?.at ?? 0);
  });

  test("is fetched from the copy at once when the first source has lost it", () => {
    const faults = [{ kind: "lose-outputs", at: 15_000, node: "keeper" }];
    const { of, result } = run({ ...replicated, faults });
    expect(of("fetch-failed").map(({ from }) => from)).toEqual([1]);
    expect(result.attempts.recompute.launched).toBe(0);
    expect(result.makespanMs - whole.result.makespanMs).toBeLessThan(2_000);
  });

  test("is fetched from the copy when the first source dies, before its expiry", () => {
    const faults = [{ kind: "kill", at: 15_000, node: "keeper" }];
    const { result } = run({ ...replicated, faults });
    expect(result.attempts.recompute.launched).toBe(0);
    expect(result.makespanMs - whole.result.makespanMs).toBeLessThan(2_000);
  });

  test("is fetched from the copy when the first source is paused and given up", () => {
    const faults = [{ kind: "pause", at: 15_000, node: "keeper", forMs: 900_000 }];
    const { result } = run({ ...replicated, faults });
    expect(result.attempts.recompute.launched).toBe(0);
    expect(result.unfinished).toEqual([]);
    // Its expiry is 30 s.
    expect(result.makespanMs).toBeGreaterThan(45_000);
    expect(result.makespanMs).toBeLessThan(50_000);
  });
});

test("a reader asks again for lost outputs after a wait, though the rest arrives", () => {
  const cluster = {
    nodes: [
      { name: "mapper", slots: { map: 1 }, host: "machine" },
      { name: "reducer", slots: { reduce: 1 }, host: "machine" },
    ],
  };
  const fetch = { retryMs: 10_000, retryGrowth: 1.3, reportEveryFailures: 10 };
  const parts = { cluster, maps: 6, map: { outputPerInput: 1, replicas: 2 }, start: "done" };
  const faults = [{ kind: "lose-outputs", at: 40_000, node: "mapper", share: 0.6 }];
  const { of, result } = run({ ...parts, reduce: { fetch }, faults });
  const tries = [...new Set(of("fetch-failed").map(({ at }) => at))];
  expect(tries.length).toBeGreaterThan(1);
  for (const [i, at] of tries.slice(1).entries()) {
    expect(at - (tries[i] ?? 0)).toBeGreaterThanOrEqual(10_000 - 1e-6);
  }
  expect(result.unfinished).toEqual([]);
});
