import { describe, expect, test } from "vitest";
import { BLOCK, run } from "../../../test/support/faulty.ts";

describe("congestion", () => {
  const cluster = {
    racks: ["r1", "r2"],
    nodes: [
      { name: "mapper", rack: "r1", slots: { map: 1 }, host: "machine" },
      { name: "reducer", rack: "r2", slots: { reduce: 1 }, host: "machine" },
    ],
    rackUpBytesPerMs: 30_000,
    rackDownBytesPerMs: 30_000,
  };
  const parts = {
    cluster,
    map: { inputBytes: BLOCK, outputPerInput: 1, replicas: 2, cpuBytesPerMs: 1e9 },
    reduce: { outputPerInput: 0 },
  };
  const congestion = { kind: "congestion", at: 0, rack: "r1", share: 0.5 };
  /** Reading, writing; copying at 30 MB/s; reading again. */
  const COPY_MS = 2_000;

  test("takes a share of the rack's outgoing and incoming bandwidth", () => {
    const free = run(parts).responseMs;
    expect(run({ ...parts, faults: [congestion] }).responseMs - free).toBeCloseTo(COPY_MS, 3);
    const up = { ...congestion, way: "up" };
    expect(run({ ...parts, faults: [up] }).responseMs - free).toBeCloseTo(COPY_MS, 3);
    const down = { ...congestion, way: "down" };
    expect(run({ ...parts, faults: [down] }).responseMs).toBe(free);
    const other = { ...congestion, rack: "r2", way: "up" };
    expect(run({ ...parts, faults: [other] }).responseMs).toBe(free);
  });

  test("several congestions each take their share of what the others leave", () => {
    const free = run(parts).responseMs;
    const faults = [congestion, congestion];
    expect(run({ ...parts, faults }).responseMs - free).toBeCloseTo(3 * COPY_MS, 3);
  });

  test("is reported when it begins, changes and ends", () => {
    const share = { kind: "choice", values: [0.2, 0.4] };
    const faults = [{ ...congestion, at: 1_000, share, everyMs: 500, until: 3_000 }];
    const samples = run({ ...parts, faults }).of("links-sampled");
    expect(samples.slice(0, 2).map(({ at }) => at)).toEqual([0, 0]);
    const later = samples.slice(2);
    expect(new Set(later.map(({ rack }) => rack))).toEqual(new Set([0]));
    expect(later.at(-1)).toMatchObject({ at: 3_000, upBytesPerMs: 30_000 });
    const shares = later.slice(0, -1).map(({ upBytesPerMs }) => upBytesPerMs);
    expect(new Set(shares)).toEqual(new Set([24_000, 18_000]));
    // A redrawn share that has not changed is not reported.
    expect(shares.every((one, i) => one !== shares[i - 1])).toBe(true);
  });

  test("is reported at the next measurement where measurements are periodic", () => {
    const faults = [{ ...congestion, at: 1_200, forMs: 1_000 }];
    const measured = { ...cluster, linkSampleMs: 1_000 };
    const samples = run({ ...parts, cluster: measured, faults })
      .of("links-sampled")
      .slice(2);
    expect(samples.map(({ at, upBytesPerMs }) => [at, upBytesPerMs])).toEqual([
      [2_000, 15_000],
      [3_000, 30_000],
    ]);
  });

  test("an oversubscribed rack's links carry a part of its machines' bandwidth", () => {
    const { rackUpBytesPerMs: _, rackDownBytesPerMs: __, ...rest } = cluster;
    const [mapper, reducer] = cluster.nodes;
    const nodes = [{ ...mapper, count: 6, vmsPerHost: 2 }, reducer];
    const { of } = run({
      ...parts,
      cluster: { ...rest, nodes, oversubscription: 2 },
      map: { ...parts.map, replicas: 7 },
    });
    expect(of("links-sampled").map(({ upBytesPerMs }) => upBytesPerMs)).toEqual([90_000, 30_000]);
  });
});
