import { describe, expect, test } from "vitest";
import type { ClusterEvent } from "../../model/event.ts";
import { parseDiscipline } from "../../policy/discipline.ts";
import { parseScenario } from "./parse-scenario.ts";
import { simulateOnce } from "./simulate-once.ts";

/** One core processes 10 MB/s; a disk gives one stream 60 MB/s, two streams 90 MB/s together. */
const MACHINE = {
  cores: 4,
  disk: [
    { streams: 1, bytesPerMs: 60_000 },
    { streams: 2, bytesPerMs: 90_000 },
  ],
  upBytesPerMs: 30_000,
  downBytesPerMs: 30_000,
};
const MB = 1_000_000;
const BLOCK = 60 * MB;
const READ_MS = 1_000;
const COMPUTE_MS = 6_000;

/** A node that only holds data, and a node with one slot that works. */
const STORE_AND_WORKER = {
  nodes: [
    { name: "store", slots: {}, host: "machine" },
    { name: "worker", slots: { map: 1 }, host: "machine" },
  ],
};

interface Parts {
  readonly count?: number;
  readonly node?: object;
  readonly cluster?: object;
  readonly maps?: number;
  readonly map?: object;
  readonly reduces?: number;
  readonly reduce?: object;
  readonly faults?: readonly object[];
}

function run(parts: Parts) {
  const {
    count = 1,
    node = {},
    cluster = {},
    maps = 1,
    map = {},
    reduces = 0,
    faults = [],
  } = parts;
  const mapWork = {
    kind: "map",
    inputBytes: BLOCK,
    replicas: 1,
    cpuBytesPerMs: 10_000,
    outputPerInput: 0,
    ...map,
  };
  const phases: object[] = [{ name: "map", slots: ["map"], tasks: maps, work: mapWork }];
  if (reduces > 0) {
    const work = { kind: "reduce", outputPerInput: 0, ...parts.reduce };
    const after = [{ phase: "map", start: { fraction: 0 } }];
    phases.push({ name: "reduce", slots: ["reduce"], tasks: reduces, after, work });
  }
  const scenario = parseScenario(
    {
      name: "test",
      cluster: {
        nodes: [{ name: "node", count, slots: { map: 2, reduce: 1 }, host: "machine", ...node }],
        hosts: { machine: MACHINE },
        heartbeatMs: 0,
        reportEveryMs: 0,
        ...cluster,
      },
      jobs: [{ name: "job", phases }],
      faults,
      study: { disciplines: [{ discipline: "none" }] },
    },
    "test",
  );
  const events: ClusterEvent[] = [];
  const result = simulateOnce(scenario, {
    seed: 1,
    discipline: parseDiscipline("none,sharing=fifo-plain"),
    measures: true,
    onStep: (event) => events.push(event),
  });
  const of = <K extends ClusterEvent["kind"]>(kind: K) =>
    events.filter((event): event is Extract<ClusterEvent, { kind: K }> => event.kind === kind);
  const ends = of("attempt-succeeded").map(({ at }) => at);
  return { result, of, ends, responseMs: result.jobs[0]?.responseMs };
}

describe("a map that reads, computes and writes", () => {
  test("takes the sum of the three times when alone", () => {
    expect(run({}).responseMs).toBeCloseTo(READ_MS + COMPUTE_MS, 6);
    expect(run({ map: { outputPerInput: 0.5 } }).responseMs).toBeCloseTo(
      READ_MS + COMPUTE_MS + 500,
      6,
    );
  });

  test("two on one machine share its disk, at the rate of two streams, but not its cores", () => {
    expect(run({ maps: 2 }).responseMs).toBeCloseTo(120_000 / 90 + COMPUTE_MS, 6);
  });

  test("nodes on one machine share its cores", () => {
    const narrow = { hosts: { machine: { ...MACHINE, cores: 1 } } };
    const node = { vmsPerHost: 2, slots: { map: 1 } };
    const { responseMs } = run({ count: 2, maps: 2, node, cluster: narrow });
    expect(responseMs).toBeCloseTo(120_000 / 90 + 2 * COMPUTE_MS, 6);
  });

  test("nodes on one machine get equal shares of its disk, however many streams they have", () => {
    const { ends } = run({ count: 2, maps: 3, node: { vmsPerHost: 2 }, map: { replicas: 2 } });
    // 90 MB/s are shared by two nodes: the one map of the second node reads at 45.
    expect(ends[0]).toBeCloseTo(60_000 / 45 + COMPUTE_MS, 6);
  });

  test("a node on a machine gets no more of its disk than its cap", () => {
    const capped = { hosts: { machine: { ...MACHINE, diskBytesPerMsPerVm: 20_000 } } };
    expect(run({ cluster: capped }).responseMs).toBeCloseTo(3_000 + COMPUTE_MS, 6);
  });

  test("on a slow node, disk and cores are slow", () => {
    const { responseMs } = run({ node: { factor: 2 } });
    expect(responseMs).toBeCloseTo(2 * (READ_MS + COMPUTE_MS), 6);
  });

  test("far from its input it reads over the network", () => {
    const { result, of, ends } = run({ cluster: STORE_AND_WORKER, maps: 8 });
    const { nodeLocal = 0, rackLocal = 0 } = result.measured?.measures ?? {};
    const starts = of("attempt-started").map(({ at }) => at);
    const times = ends.map((end, i) => Math.round(end - (starts[i] ?? 0)));
    // 60 MB take a second from the disk, and two over the link.
    expect(times.filter((ms) => ms === READ_MS + COMPUTE_MS)).toHaveLength(8 * nodeLocal);
    expect(times.filter((ms) => ms === 2_000 + COMPUTE_MS)).toHaveLength(8 * rackLocal);
    expect(nodeLocal * rackLocal).toBeGreaterThan(0);
  });

  test("its score grows with the time that each part takes alone, and never falls", () => {
    const { of } = run({ maps: 2, map: { outputPerInput: 0.5 } });
    const curves = of("attempt-progressed").map(({ progress }) => progress);
    expect(curves.length).toBeGreaterThan(2);
    for (const curve of curves) {
      if (curve.kind !== "curve") throw new Error("a simulated attempt has a curve");
      const scores = curve.segments.map(({ at }) => at.score);
      expect(scores).toEqual(scores.toSorted((x, y) => x - y));
      expect(scores.at(-1)).toBeLessThanOrEqual(1);
      const times = curve.segments.map(({ from }) => from);
      expect(times).toEqual(times.toSorted((x, y) => x - y));
    }
  });

  test("new curves are reported at most once per report interval", () => {
    const { of } = run({ maps: 2, cluster: { reportEveryMs: 3_000 } });
    const times = of("attempt-progressed").map(({ at }) => at);
    expect(times.length).toBeGreaterThan(0);
    expect(times.every((at) => at % 3_000 === 0)).toBe(true);
  });

  test("continues where it was after a pause", () => {
    const faults = [{ kind: "pause", at: 500, node: "node", forMs: 4_000 }];
    expect(run({ faults }).responseMs).toBeCloseTo(READ_MS + COMPUTE_MS + 4_000, 6);
  });

  test("a slow-down in the middle stretches the rest", () => {
    const faults = [{ kind: "slow", at: READ_MS + 3_000, node: "node", factor: 3 }];
    expect(run({ faults }).responseMs).toBeCloseTo(READ_MS + 3_000 + 9_000, 6);
  });

  test("fails where it writes on a full disk, and not where it computes", () => {
    const full = { kind: "fill-disk", at: 2_000, node: "node", forMs: 1_000 };
    const map = { outputPerInput: 0.5 };
    expect(run({ map, faults: [full] }).result.attempts.original.failed).toBe(0);
    const later = { ...full, at: READ_MS + COMPUTE_MS + 100 };
    expect(run({ map, faults: [later] }).result.attempts.original.failed).toBe(1);
  });

  test("reads the rest from another replica when its source dies", () => {
    const node = { slots: { map: 1 } };
    const map = { replicas: 2, inputBytes: 10 * BLOCK };
    const { result } = run({
      count: 3,
      maps: 3,
      node,
      map,
      faults: [{ kind: "kill", at: 3_000, node: "node-0" }],
    });
    expect(result.jobs[0]?.outcome).toBe("succeeded");
    expect(result.attempts.original.failed).toBe(0);
  });

  test("fails when no replica is left, and the job with it", () => {
    const { result } = run({
      cluster: STORE_AND_WORKER,
      maps: 8,
      faults: [{ kind: "kill", at: 500, node: "store" }],
    });
    expect(result.jobs[0]?.outcome).toBe("failed");
  });
});

describe("a reduce that copies, sorts and reduces", () => {
  const map = { outputPerInput: 1 };

  test("waits for the last map, and takes a third of its score for each stage", () => {
    const { of, ends, result } = run({ maps: 2, map, reduces: 1 });
    expect(result.attempts.original.succeeded).toBe(3);
    expect(Math.max(...ends)).toBe(ends.at(-1));
    const reduce = of("attempt-started").at(-1)?.attempt;
    const stages = of("attempt-progressed")
      .filter(({ attempt }) => attempt === reduce)
      .map(({ progress }) => (progress.kind === "curve" ? progress.segments.at(-1) : undefined));
    const firstOf = (stage: number) => stages.find((segment) => segment?.stage === stage)?.at.score;
    expect(firstOf(0)).toBe(0);
    expect(firstOf(1)).toBeCloseTo(1 / 3, 9);
    expect(firstOf(2)).toBeCloseTo(2 / 3, 9);
  });

  test("fetched data is written to the reduce's disk before the copy counts as done", () => {
    const { of } = run({ map, reduces: 1, reduce: { copiesToDisk: true, sortPasses: 0 } });
    const reduce = of("attempt-started").at(-1)?.attempt;
    const told = of("attempt-progressed").filter(({ attempt }) => attempt === reduce);
    const late = told.flatMap(({ at, progress }) => {
      const segment = progress.kind === "curve" ? progress.segments.at(-1) : undefined;
      return segment === undefined ? [] : [{ at, stage: segment.stage, score: segment.at.score }];
    });
    const written = late.filter(({ stage, score }) => stage === 0 && score > 0.3);
    expect(written.at(-1)?.score).toBeCloseTo(1 / 3, 9);
    const next = late.find(({ stage }) => stage > 0);
    expect(next?.score).toBeCloseTo(2 / 3, 9);
    expect((next?.at ?? 0) - (written[0]?.at ?? 0)).toBeCloseTo(READ_MS, 6);
  });

  test("a reduce fetches from another machine at the speed of the link", () => {
    const cluster = {
      nodes: [
        { name: "mapper", slots: { map: 1 }, host: "machine" },
        { name: "reducer", slots: { reduce: 1 }, host: "machine" },
      ],
    };
    const { ends } = run({ map: { ...map, inputBytes: BLOCK }, cluster, reduces: 1 });
    const [mapEnd = 0, reduceEnd = 0] = ends;
    // Copy at the link's 30 MB/s, then three passes over the disk: sort reads and writes, reduce
    // reads.
    expect(reduceEnd - mapEnd).toBeCloseTo(2_000 + 3 * READ_MS, 6);
  });

  test("each reader visits the nodes in its own order", () => {
    const parts = { count: 8, maps: 8, reduces: 8, node: { slots: { map: 1, reduce: 1 } } };
    const { of, responseMs = 0 } = run({
      ...parts,
      map: { outputPerInput: 1 },
      reduce: { lanes: 1, sortPasses: 0 },
    });
    const mapsDone = of("attempt-succeeded")[7]?.at ?? 0;
    // If all readers used one node at once, its link of 30 MB/s would carry seven eighths of all
    // data.
    const convoyMs = (7 * BLOCK) / 30_000;
    expect(responseMs - mapsDone).toBeLessThan(0.6 * convoyMs);
  });

  test("partitions are as large as their weights say", () => {
    const even = run({ maps: 4, map, reduces: 4, count: 4 });
    const skewed = run({
      maps: 4,
      map,
      reduces: 4,
      count: 4,
      reduce: { partitionWeight: { kind: "choice", values: [1, 20] } },
    });
    expect(skewed.responseMs ?? 0).toBeGreaterThan(even.responseMs ?? Number.POSITIVE_INFINITY);
  });

  test("reports lost outputs: after three reports, the map runs again", () => {
    const cluster = {
      nodes: [
        { name: "mapper", count: 2, slots: { map: 1 }, host: "machine" },
        { name: "reducer", count: 4, slots: { reduce: 1 }, host: "machine" },
      ],
    };
    const { of, result } = run({
      maps: 4,
      map: { ...map, inputBytes: 5 * BLOCK },
      cluster,
      reduces: 4,
      reduce: { lanes: 1 },
      faults: [{ kind: "lose-outputs", at: 46_000, node: "mapper-0" }],
    });
    expect(of("fetch-failed").length).toBeGreaterThanOrEqual(3);
    expect(of("output-lost")).toEqual([]);
    expect(result.attempts.recompute.succeeded).toBeGreaterThanOrEqual(1);
    expect(result.jobs[0]?.outcome).toBe("succeeded");
  });

  test("a dead source is tried less and less often, and rarely reported", () => {
    const cluster = {
      nodes: [
        { name: "mapper", count: 2, slots: { map: 1 }, host: "machine" },
        { name: "reducer", count: 3, slots: { reduce: 1 }, host: "machine" },
      ],
    };
    const fetch = { retryMs: 10_000, retryGrowth: 1.3, reportEveryFailures: 10 };
    const { of, result } = run({
      maps: 2,
      map: { ...map, inputBytes: 5 * BLOCK, replicas: 5 },
      cluster,
      reduces: 3,
      reduce: { fetch },
      faults: [{ kind: "kill", at: 41_000, node: "mapper-0" }],
    });
    // Ten failures take 10 s x (1.3^9 - 1) / 0.3, just before ten minutes of silence are over.
    const reports = of("fetch-failed");
    expect(reports.length).toBe(3);
    expect(result.attempts.recompute.succeeded).toBe(1);
    expect(result.jobs[0]?.outcome).toBe("succeeded");
  });

  test("an attempt that dies in the middle leaves nothing flowing behind", () => {
    const faults = [
      { kind: "kill", what: "reboot", at: 9_000, node: "node-1", backAfterMs: 5_000 },
    ];
    const { result } = run({ count: 2, maps: 4, map, reduces: 2, faults });
    expect(result.jobs[0]?.outcome).toBe("succeeded");
    expect(result.unfinished).toEqual([]);
  });
});
