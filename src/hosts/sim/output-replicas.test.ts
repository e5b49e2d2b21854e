import { describe, expect, test } from "vitest";
import { BLOCK, MACHINE, run } from "../../../test/support/faulty.ts";

describe("a reduce that writes replicas", () => {
  const nodes = [
    { name: "mapper", slots: { map: 1 }, host: "machine" },
    { name: "reducer", slots: { reduce: 1 }, host: "machine" },
    { name: "store", count: 2, slots: {}, host: "machine" },
  ];
  const slowLinks = { ...MACHINE, upBytesPerMs: 20_000, downBytesPerMs: 20_000 };
  const cluster = { nodes, hosts: { machine: slowLinks } };
  const map = { inputBytes: BLOCK, replicas: 4, outputPerInput: 1, cpuBytesPerMs: 1e9 };
  const responseOf = (outputReplicas: number, faults: object[] = []) =>
    run({ cluster, map, reduce: { outputReplicas }, faults }).responseMs;

  test("writes them in a pipeline: as fast as the slowest disk or link on the way", () => {
    // One replica: 1 s on the node's own disk. More: 60 MB at the links' 20 MB/s.
    expect(responseOf(2) - responseOf(1)).toBeCloseTo(2_000, 3);
    expect(responseOf(4)).toBeCloseTo(responseOf(2), 3);
  });

  test("chooses other nodes for each block", () => {
    const faults = [{ kind: "load", at: 0, node: "store-0", writers: 5 }];
    const blocks = (outputBlockBytes: number) =>
      run({ cluster, map, reduce: { outputReplicas: 2, outputBlockBytes }, faults }).responseMs;
    // One block either uses the crowded disk or does not; many blocks use it partly.
    const whole = blocks(60_000_000);
    const many = blocks(1_000_000);
    expect(many).not.toBeCloseTo(whole, 0);
    expect(Math.abs(many - whole)).toBeLessThan(4_000);
  });

  test("slows other users of the disks that it writes to", () => {
    const faults = ["mapper", "store-0", "store-1"].map((node) => {
      return { kind: "load", at: 0, node, writers: 5 };
    });
    // Map and copy are slower too; the last 60 MB are written at a sixth of 60 MB/s.
    const [alone, replicated] = [1, 2].map((replicas) => responseOf(replicas, faults));
    expect((replicated ?? 0) - (alone ?? 0)).toBeCloseTo(6_000 - 1_000, 3);
  });

  test("continues with the remaining nodes when one dies", () => {
    const whole = run({ cluster, map, reduce: { outputReplicas: 4 } });
    const at = whole.responseMs - 1_000;
    const faults = ["store-0", "store-1"].map((node) => ({ kind: "kill", at, node }));
    const { result, responseMs } = run({ cluster, map, reduce: { outputReplicas: 4 }, faults });
    expect(result.jobs[0]?.outcome).toBe("succeeded");
    expect(result.attempts.original.failed).toBe(0);
    expect(responseMs).toBeCloseTo(whole.responseMs, 3);
  });

  test("waits while one of the nodes is paused", () => {
    const at = responseOf(4) - 1_000;
    const faults = [{ kind: "pause", at, node: "store-0", forMs: 5_000 }];
    expect(responseOf(4, faults)).toBeCloseTo(responseOf(4) + 5_000, 3);
  });

  test("fails where its own disk is full", () => {
    const at = responseOf(4) - 1_000;
    const faults = [{ kind: "fill-disk", at, node: "reducer", forMs: 100 }];
    const { result } = run({ cluster, map, reduce: { outputReplicas: 4 }, faults });
    expect(result.attempts.original.failed).toBe(1);
  });
});
