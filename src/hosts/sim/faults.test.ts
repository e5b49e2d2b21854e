import { describe, expect, test } from "vitest";
import { BLOCK, FIXED, fixed, HOSTLESS, READ_MS, run } from "../../../test/support/faulty.ts";

describe("a death", () => {
  const kill = { kind: "kill", at: 2_000, node: "node-0" };
  const two = {
    count: 2,
    cluster: {
      nodes: [
        { name: "node-0", slots: {}, host: "machine" },
        { name: "node-1", slots: { map: 1, reduce: 1 }, host: "machine" },
      ],
    },
    map: { replicas: 1, inputBytes: 3 * BLOCK, cpuBytesPerMs: 1e9 },
    maps: 4,
  };

  test("of the machine loses its input for ever: readers fail, even after its return", () => {
    const { result, of } = run({ ...two, faults: [{ ...kill, backAfterMs: 5_000 }] });
    expect(of("attempt-failed").length).toBeGreaterThan(0);
    expect(result.jobs[0]?.outcome).toBe("failed");
  });

  test("of the machine leaves no input to a job that arrives after its return", () => {
    const work = { kind: "map", inputBytes: BLOCK, replicas: 1 };
    const phases = [{ name: "map", slots: ["map"], tasks: 4, work }];
    const jobs = [{ name: "job", arrival: { atMs: 10_000 }, phases }];
    const outcomes = ["machine", "reboot", "tracker"].map((what) => {
      const faults = [{ ...kill, what, backAfterMs: 1_000 }];
      return run({ ...two, jobs, faults }).result.jobs[0]?.outcome;
    });
    expect(outcomes).toEqual(["failed", "succeeded", "succeeded"]);
  });

  test("of the tracker leaves the node's input readable all the time", () => {
    const whole = run(two);
    const { result, of } = run({ ...two, faults: [{ ...kill, what: "tracker" }] });
    expect(of("node-silent").map(({ at }) => at)).toEqual([2_000]);
    expect(of("attempt-failed")).toEqual([]);
    expect(result.makespanMs).toBe(whole.result.makespanMs);
  });

  test("by reboot gives the input back with the machine", () => {
    const { result, of } = run({
      ...two,
      map: { ...two.map, replicas: 2 },
      faults: [{ ...kill, node: "node-1", what: "reboot", backAfterMs: 5_000 }],
    });
    expect(of("node-joined").map(({ at }) => at)).toEqual([0, 0, 7_000]);
    expect(result.jobs[0]?.outcome).toBe("succeeded");
    // The attempts that ran there lost everything: four blocks of three are read afterwards.
    expect(result.makespanMs).toBeCloseTo(7_000 + 12 * READ_MS, -1);
  });

  test("of the tracker loses its outputs: finished maps run again", () => {
    const jobs = [
      {
        name: "job",
        phases: [
          { name: "map", slots: ["map"], tasks: 2, work: FIXED },
          {
            name: "reduce",
            slots: ["map"],
            tasks: 1,
            after: [{ phase: "map" }],
            work: { ...FIXED, durationMs: 60_000 },
          },
        ],
      },
    ];
    const faults = [{ kind: "kill", what: "tracker", at: 12_000, node: "node-1" }];
    const { result } = run({ cluster: HOSTLESS, jobs, faults });
    expect(result.attempts.recompute.succeeded).toBe(1);
  });

  test("of the machine may follow its tracker's death", () => {
    const faults = [
      { ...kill, what: "tracker" },
      { ...kill, at: 3_000 },
    ];
    expect(run({ ...two, faults }).result.jobs[0]?.outcome).toBe("failed");
  });
});

describe("evictions", () => {
  const evict = { kind: "evict", at: 4_000, node: "*" };

  test("end attempts at once; they run again and count as no failure", () => {
    const { of, result, responseMs } = run({ cluster: HOSTLESS, jobs: fixed(2), faults: [evict] });
    expect(of("attempt-killed").map(({ at, by }) => `${at} ${by}`)).toEqual([
      "4000 host",
      "4000 host",
    ]);
    expect(result.attempts.rerun).toMatchObject({
      launched: 2,
      succeeded: 2,
      failed: 0,
      killed: 0,
    });
    expect(result.wastedMs).toBe(8_000);
    expect(responseMs).toBe(14_000);
  });

  test("end a given number of a node's attempts, or each with some probability", () => {
    const nodes = [{ name: "node", count: 1, slots: { map: 400 } }];
    const evicted = (parts: object) =>
      run({
        cluster: { nodes, hosts: {} },
        jobs: fixed(400),
        faults: [{ ...evict, ...parts }],
      }).of("attempt-killed").length;
    expect(evicted({ count: 7 })).toBe(7);
    expect(evicted({ share: 1 })).toBe(400);
    expect(evicted({ share: 0 })).toBe(0);
    expect(evicted({ share: 0.25 })).toBeGreaterThan(70);
    expect(evicted({ share: 0.25 })).toBeLessThan(130);
  });

  test("follow the given rate, at different times for another seed", () => {
    const everyMs = { kind: "exponential", mean: 50_000 };
    const times = (seed: number) =>
      run({
        cluster: { nodes: [{ name: "node", slots: { map: 1 } }], hosts: {} },
        jobs: fixed(500),
        faults: [{ ...evict, at: everyMs, everyMs }],
        seed,
      })
        .of("attempt-killed")
        .map(({ at }) => at);
    // 500 tasks of 10 s, and their lost work: about 5,300 s.
    expect(times(1).length).toBeGreaterThan(75);
    expect(times(1).length).toBeLessThan(140);
    expect(times(1)).toEqual(times(1));
    expect(times(2)).not.toEqual(times(1));
  });

  test("are reported with the next heartbeat", () => {
    const cluster = { ...HOSTLESS, heartbeatMs: 3_000 };
    const { of } = run({ cluster, jobs: fixed(2), faults: [{ ...evict, node: "node-0" }] });
    const [killed] = of("attempt-killed");
    expect(killed?.by).toBe("host");
    expect(killed?.at).toBeGreaterThan(4_000);
    expect(killed?.at).toBeLessThanOrEqual(7_000);
  });
});

describe("a loss of outputs", () => {
  const phases = [
    { name: "map", slots: ["map"], tasks: 400, work: { ...FIXED, durationMs: 1_000 } },
    { name: "wait", slots: ["wait"], tasks: 1, work: { ...FIXED, durationMs: 60_000 } },
    { name: "reduce", slots: ["map"], tasks: 1, after: [{ phase: "map" }], work: FIXED },
  ];
  const cluster = {
    slotKinds: ["map", "wait"],
    nodes: [{ name: "node", count: 4, slots: { map: 100, wait: 1 } }],
    hosts: {},
  };
  const lost = (fault: object) =>
    run({
      cluster,
      jobs: [{ name: "job", phases }],
      faults: [{ kind: "lose-outputs", at: 5_000, ...fault }],
    }).of("output-lost");

  test("removes each output of the node with the given probability", () => {
    expect(lost({ node: "node-1" })).toHaveLength(100);
    expect(lost({ node: "node-1", share: 0 })).toHaveLength(0);
    const some = lost({ node: "node-1", share: 0.3 });
    expect(some.length).toBeGreaterThan(15);
    expect(some.length).toBeLessThan(45);
    expect(new Set(some.map(({ node }) => node))).toEqual(new Set([1]));
  });

  test("may hit a few machines repeatedly, in bursts", () => {
    const everyMs = { kind: "choice", values: [10, 10, 10, 3_000] };
    const hit = lost({ node: "*", pick: 2, share: 0.1, everyMs, until: 9_000 });
    expect(new Set(hit.map(({ node }) => node)).size).toBe(2);
    const times = [...new Set(hit.map(({ at }) => at))].toSorted((a, b) => a - b);
    const gaps = times.slice(1).map((at, i) => at - (times[i] ?? 0));
    expect(gaps).toContain(10);
    expect(Math.max(...gaps)).toBeGreaterThan(1_000);
  });

  test("of a part breaks only the fetches of the lost outputs", () => {
    const cluster = {
      nodes: [
        { name: "mapper", slots: { map: 1 }, host: "machine" },
        { name: "reducer", slots: { reduce: 1 }, host: "machine" },
      ],
    };
    const parts = { cluster, maps: 6, map: { outputPerInput: 1, replicas: 2 }, reduce: {} };
    const faults = [{ kind: "lose-outputs", at: 17_500, node: "mapper", share: 0 }];
    const whole = run(parts);
    expect(run({ ...parts, faults }).responseMs).toBe(whole.responseMs);
    // Outputs that were fetched before are not missed: without a report of a failure, nothing
    // changes.
    for (let seed = 1; seed <= 12; seed++) {
      const half = run({ ...parts, faults: [{ ...faults[0], share: 0.5 }], seed });
      const seen = half.of("fetch-failed").length;
      if (seen === 0) expect(half.responseMs).toBe(run({ ...parts, seed }).responseMs);
    }
    const all = run({ ...parts, faults: [{ ...faults[0], share: 1 }] });
    expect(all.of("fetch-failed").length).toBeGreaterThan(0);
  });
});

describe("speed that varies", () => {
  test("is a slow-down that is drawn repeatedly, for each node on its own", () => {
    const factor = { kind: "choice", values: [1, 2, 4] };
    const faults = [{ kind: "slow", at: 0, node: "*", factor, everyMs: 1_000 }];
    const { of } = run({ cluster: HOSTLESS, jobs: fixed(2), faults });
    const ends = of("attempt-succeeded").map(({ at }) => at);
    expect(ends.every((at) => at > 10_000 && at < 40_000)).toBe(true);
    expect(new Set(ends).size).toBe(2);
  });
});

test("a world that cannot end is reported as stuck, though faults recur for ever", () => {
  const faults = [
    { kind: "kill", at: 1_000, node: "*" },
    { kind: "stress", at: 0, node: "*", factor: 2, onMs: 1_000, offMs: 3_600_000 },
    { kind: "evict", at: 0, node: "*", everyMs: 3_600_000 },
  ];
  expect(run({ cluster: HOSTLESS, jobs: fixed(2), faults }).result.unfinished).toEqual(["job"]);
});
