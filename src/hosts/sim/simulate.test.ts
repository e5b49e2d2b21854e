import { describe, expect, test } from "vitest";
import type { ClusterEvent } from "../../model/event.ts";
import { parseDiscipline } from "../../policy/discipline.ts";
import { parseScenario } from "./parse-scenario.ts";
import { simulate } from "./simulate.ts";

interface Parts {
  readonly cluster?: object;
  readonly jobs?: readonly object[];
  readonly faults?: readonly object[];
  readonly discipline?: string;
}

const phase = (name: string, tasks: number, parts: object = {}) => ({
  name,
  slots: ["map"],
  tasks,
  work: { kind: "fixed", durationMs: 10_000 },
  ...parts,
});
const nodes = (count: number, parts: object = {}) => [
  { name: "node", count, slots: { map: 1 }, ...parts },
];

/** Runs a world of one-slot nodes in which tasks take ten seconds, and tells what was told. */
function run({ cluster = {}, jobs, faults = [], discipline = "none,sharing=fifo-plain" }: Parts) {
  const events: ClusterEvent[] = [];
  const scenario = parseScenario(
    {
      name: "test",
      cluster: { nodes: nodes(2), heartbeatMs: 0, reportEveryMs: 0, ...cluster },
      jobs: jobs ?? [{ name: "job", phases: [phase("map", 2)] }],
      faults,
      study: { disciplines: [{ discipline }] },
    },
    "test",
  );
  const result = simulate(scenario, {
    seed: 1,
    discipline: parseDiscipline(discipline),
    onStep: (event) => events.push(event),
  });
  const told = (...kinds: string[]) =>
    events.filter(({ kind }) => kinds.includes(kind)).map(({ at, kind }) => `${at} ${kind}`);
  return { result, events, told, responses: result.jobs.map(({ responseMs }) => responseMs) };
}

const kill = (node: string, at: number, parts: object = {}) => ({
  kind: "kill",
  at,
  node,
  ...parts,
});

describe("tasks on slots", () => {
  test("run in waves: three tasks on two nodes take twice as long as one", () => {
    const { responses, result } = run({ jobs: [{ name: "job", phases: [phase("map", 3)] }] });
    expect(responses).toEqual([20_000]);
    expect(result.attempts.original).toMatchObject({
      launched: 3,
      succeeded: 3,
      failed: 0,
      killed: 0,
    });
    expect(result).toMatchObject({ tasks: 3, wastedMs: 0, makespanMs: 20_000, unfinished: [] });
  });

  test("cost three events each where no heartbeat is waited for", () => {
    const { events } = run({ jobs: [{ name: "job", phases: [phase("map", 100)] }] });
    const ofTasks = events.filter(({ kind }) => kind.startsWith("attempt-"));
    const offers = events.filter(({ kind }) => kind === "slots-offered");
    expect(ofTasks).toHaveLength(200);
    // Two nodes offer when they join; each end offers once.
    expect(offers).toHaveLength(102);
    expect(events).toHaveLength(2 + 1 + 102 + 200);
  });

  test("a slow node takes longer, unless the work does not hang on it", () => {
    const job = (slowedByNode: boolean) => [
      {
        name: "job",
        phases: [phase("map", 1, { work: { kind: "fixed", durationMs: 10_000, slowedByNode } })],
      },
    ];
    const cluster = { nodes: nodes(1, { factor: 3 }) };
    expect(run({ cluster, jobs: job(true) }).responses).toEqual([30_000]);
    expect(run({ cluster, jobs: job(false) }).responses).toEqual([10_000]);
  });

  test("jobs arrive when they are due, under names of their own", () => {
    const jobs = [
      {
        name: "job",
        count: 3,
        arrival: { atMs: 5_000, gapMs: 30_000 },
        phases: [phase("map", 2)],
      },
    ];
    const { result } = run({ jobs });
    expect(
      result.jobs.map(({ name, submittedAtMs, endedAtMs }) => [name, submittedAtMs, endedAtMs]),
    ).toEqual([
      ["job-0", 5_000, 15_000],
      ["job-1", 35_000, 45_000],
      ["job-2", 65_000, 75_000],
    ]);
  });

  test.each([
    ["done", 40_000],
    ["pipelined", 30_000],
    [{ fraction: 0.3 }, 30_000],
  ])("a phase behind an edge %j starts when that says so", (start, responseMs) => {
    const after = [{ phase: "a", start }];
    const jobs = [{ name: "job", phases: [phase("a", 3), phase("b", 3, { after })] }];
    const cluster = { nodes: [{ name: "n", count: 2, slots: { map: 1 } }] };
    expect(run({ cluster, jobs }).responses).toEqual([responseMs]);
  });

  test("launches are counted by how near their input was", () => {
    const work = { kind: "fixed", durationMs: 1_000, inputBytes: 1, replicas: 1 };
    const cluster = { racks: ["r1", "r2"], nodes: nodes(4) };
    const jobs = [{ name: "job", phases: [phase("map", 40, { work })] }];
    const { locality } = run({ cluster, jobs }).result;
    expect(locality.node + locality.rack + locality.any).toBe(40);
    expect(locality.node).toBeGreaterThan(20);
  });

  test("a failed attempt is tried again, and the fourth failure is the job's", () => {
    const { result } = run({
      jobs: [{ name: "job", phases: [phase("map", 1, { failureProbability: 1 })] }],
      cluster: { nodes: nodes(8) },
    });
    expect(result.jobs[0]?.outcome).toBe("failed");
    expect(result.attempts.original.failed + result.attempts.retry.failed).toBe(4);
    expect(result.failedMs).toBeGreaterThan(0);
  });
});

describe("heartbeats", () => {
  const cluster = { nodes: nodes(1), heartbeatMs: 3_000 };

  test("an end is told at the next one, and the slot offered with it", () => {
    const { events } = run({ cluster, jobs: [{ name: "job", phases: [phase("map", 2)] }] });
    const ends = events.filter(({ kind }) => kind === "attempt-succeeded").map(({ at }) => at);
    const [first = 0, second = 0] = ends;
    expect(first).toBeGreaterThanOrEqual(10_000);
    expect(first).toBeLessThan(13_000);
    // The second task starts with the heartbeat that ends the first: ten seconds later is no
    // heartbeat.
    expect(second - first).toBeCloseTo(12_000, 6);
    const offers = events.filter(({ kind }) => kind === "slots-offered").map(({ at }) => at);
    expect(offers).toEqual([0, first, second]);
  });

  test("an out-of-band one tells of an end at once", () => {
    const { responses } = run({
      cluster: { ...cluster, outOfBandHeartbeat: true },
      jobs: [{ name: "job", phases: [phase("map", 2)] }],
    });
    expect(responses).toEqual([20_000]);
  });

  test("an idle node's are no events", () => {
    const jobs = [{ name: "job", arrival: { atMs: 3_600_000 }, phases: [phase("map", 1)] }];
    const { events } = run({ cluster, jobs });
    expect(events.filter(({ at }) => at > 0 && at < 3_600_000)).toEqual([]);
  });
});

describe("faults", () => {
  test("a slow-down stretches what is left, and a new curve is told", () => {
    const faults = [{ kind: "slow", at: 5_000, node: "node-0", factor: 2 }];
    const { responses, told } = run({ faults });
    expect(responses).toEqual([15_000]);
    expect(told("attempt-progressed")).toEqual(["5000 attempt-progressed"]);
  });

  test("stress comes and goes until it is over", () => {
    const stress = { kind: "stress", at: 0, node: "node", factor: 2, onMs: 2_000, offMs: 1_000 };
    const cluster = { nodes: nodes(1) };
    const jobs = [{ name: "job", phases: [phase("map", 1)] }];
    // Two seconds of every three give one; the rest is normal.
    expect(run({ cluster, jobs, faults: [stress] }).responses).toEqual([15_000]);
    expect(run({ cluster, jobs, faults: [{ ...stress, until: 4_000 }] }).responses).toEqual([
      11_500,
    ]);
  });

  test("a pause shorter than a heartbeat is not noticed, and work goes on where it stood", () => {
    const faults = [{ kind: "pause", at: 4_000, node: "node", forMs: 2 }];
    const { told, events } = run({ cluster: { nodes: nodes(1), heartbeatMs: 60_000 }, faults });
    expect(told("node-silent", "node-heard", "node-joined")).toEqual(["0 node-joined"]);
    expect(events.filter(({ kind }) => kind === "attempt-progressed")).toHaveLength(1);
  });

  test("a paused node is silent, then heard, and keeps its attempts", () => {
    const faults = [{ kind: "pause", at: 4_000, node: "node-0", forMs: 20_000 }];
    const { told, responses, result } = run({ faults });
    expect(told("node-silent", "node-heard")).toEqual(["4000 node-silent", "24000 node-heard"]);
    expect(responses).toEqual([30_000]);
    expect(result.wastedMs).toBe(0);
  });

  test("a dead node is silent from its last heartbeat, and lost after its expiry", () => {
    const cluster = { nodes: nodes(2), heartbeatMs: 3_000 };
    const { events, result } = run({ cluster, faults: [kill("node-0", 5_000)] });
    const silent = events.find(({ kind }) => kind === "node-silent");
    if (silent?.kind !== "node-silent") throw new Error("nobody noticed");
    expect(silent.at).toBeGreaterThan(5_000);
    expect(silent.at - silent.since).toBeCloseTo(3_000, 6);
    // Hadoop's expiry of ten minutes, then one more run of the task.
    expect(result.jobs[0]?.responseMs).toBeGreaterThan(silent.since + 610_000);
    expect(result.attempts.rerun).toMatchObject({ launched: 1, succeeded: 1 });
    expect(result.attempts.original).toMatchObject({ killed: 0, lost: 1 });
    // To its node's last word; nothing was killed.
    expect([result.lostMs, result.wastedMs]).toEqual([silent.since, 0]);
  });

  test("a machine that comes back has lost what ran there, and is offered again", () => {
    const faults = [kill("node-0", 5_000, { backAfterMs: 1_000 })];
    const { told, responses } = run({ faults });
    expect(told("node-joined").at(-1)).toBe("6000 node-joined");
    expect(responses).toEqual([16_000]);
  });

  test("finished maps of a machine that comes back empty are run again while they are read", () => {
    const work = { kind: "fixed", durationMs: 30_000 };
    const reduce = phase("reduce", 1, { work, after: [{ phase: "map" }] });
    const jobs = [{ name: "job", phases: [phase("map", 2), reduce] }];
    const { told, result } = run({
      jobs,
      faults: [kill("node-0", 12_000, { backAfterMs: 1_000 })],
    });
    expect(told("output-lost")).toEqual(["13000 output-lost"]);
    expect(result.attempts.recompute.succeeded).toBe(1);
  });

  test("a job without nodes left is told to be stuck, not waited for", () => {
    const { result } = run({ faults: [kill("node-0", 1_000), kill("node-1", 1_000)] });
    expect(result.unfinished).toEqual(["job"]);
    expect(result.jobs).toEqual([]);
  });

  test("what ends on a full disk fails", () => {
    const faults = [{ kind: "fill-disk", at: 9_000, node: "node-0", forMs: 2_000 }];
    const { result } = run({ faults });
    expect(result.attempts.original.failed).toBe(1);
    expect(result.jobs[0]?.outcome).toBe("succeeded");
  });

  test("outputs that are lost on a live node are told of where nobody fetches them", () => {
    const after = [{ phase: "map" }];
    const jobs = [{ name: "job", phases: [phase("map", 2), phase("reduce", 1, { after })] }];
    const faults = [{ kind: "lose-outputs", at: 12_000, node: "node-1" }];
    expect(run({ jobs, faults }).told("output-lost")).toEqual(["12000 output-lost"]);
  });
});

describe("kills", () => {
  const work = { kind: "fixed", durationMs: 100_000 };
  const jobs = [{ name: "job", phases: [phase("map", 4, { work })] }];
  const cluster = { nodes: [...nodes(4), { name: "bad", factor: 20, slots: { map: 1 } }] };
  const discipline = "late,sharing=fifo-plain";

  test("the copy that comes too late is killed at once, and what it ran was wasted", () => {
    const many = [{ name: "job", phases: [phase("map", 5, { work })] }];
    const { result } = run({ cluster, jobs: many, discipline });
    expect(result.attempts.speculative.succeeded).toBe(1);
    expect(result.attempts.original.killed).toBe(1);
    expect(result.wastedMs).toBe(result.jobs[0]?.responseMs);
    expect(result.wastedMsByNode.get("bad")).toBe(result.wastedMs);
  });

  test("with heartbeats the kill is told at the next one", () => {
    const many = [{ name: "job", phases: [phase("map", 5, { work })] }];
    const { events } = run({ cluster: { ...cluster, heartbeatMs: 7_000 }, jobs: many, discipline });
    const killed = events.find(({ kind }) => kind === "attempt-killed");
    const won = events.filter(({ kind }) => kind === "attempt-succeeded").at(-1);
    expect(killed?.at ?? 0).toBeGreaterThan(won?.at ?? Number.POSITIVE_INFINITY);
    expect((killed?.at ?? 0) - (won?.at ?? 0)).toBeLessThanOrEqual(7_000);
  });

  test("no copy, no waste", () => {
    expect(run({ cluster, jobs }).result.wastedMs).toBe(0);
  });
});
