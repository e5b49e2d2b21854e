import { describe, expect, test } from "vitest";
import type { ClusterEvent } from "../../model/event.ts";
import { parseDiscipline } from "../../policy/discipline.ts";
import { parseScenario } from "./parse-scenario.ts";
import { simulateOnce } from "./simulate-once.ts";

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

/** Runs a world of one-slot nodes with tasks of ten seconds, and returns what was reported. */
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
  const result = simulateOnce(scenario, {
    seed: 1,
    discipline: parseDiscipline(discipline),
    measures: true,
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

  test("cost three events each without heartbeats", () => {
    const { events } = run({ jobs: [{ name: "job", phases: [phase("map", 100)] }] });
    const ofTasks = events.filter(({ kind }) => kind.startsWith("attempt-"));
    const offers = events.filter(({ kind }) => kind === "slots-offered");
    expect(ofTasks).toHaveLength(200);
    // Two nodes offer when they join; each end offers once.
    expect(offers).toHaveLength(102);
    expect(events).toHaveLength(2 + 1 + 102 + 200);
  });

  test("a slow node takes longer, unless the work does not depend on the node", () => {
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

  test("jobs arrive when they are due, under distinct names", () => {
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
  ])("a phase starts when its edge %j allows it", (start, responseMs) => {
    const after = [{ phase: "a", start }];
    const jobs = [{ name: "job", phases: [phase("a", 3), phase("b", 3, { after })] }];
    const cluster = { nodes: [{ name: "n", count: 2, slots: { map: 1 } }] };
    expect(run({ cluster, jobs }).responses).toEqual([responseMs]);
  });

  test("the measures of a run have the locality of its tasks", () => {
    const work = { kind: "fixed", durationMs: 1_000, inputBytes: 1, replicas: 1 };
    const cluster = { racks: ["r1", "r2"], nodes: nodes(4) };
    const jobs = [{ name: "job", phases: [phase("map", 40, { work })] }];
    const { measured } = run({ cluster, jobs }).result;
    expect(measured?.measures.nodeLocal).toBeGreaterThan(0.5);
    expect(measured?.phases).toMatchObject([{ phase: "map", measures: { tasks: 40 } }]);
  });

  test("a failed attempt is retried, and the fourth failure ends the job", () => {
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

  test("an attempt's end is reported at the next heartbeat, which offers the slot", () => {
    const { events } = run({ cluster, jobs: [{ name: "job", phases: [phase("map", 2)] }] });
    const ends = events.filter(({ kind }) => kind === "attempt-succeeded").map(({ at }) => at);
    const [first = 0, second = 0] = ends;
    expect(first).toBeGreaterThanOrEqual(10_000);
    expect(first).toBeLessThan(13_000);
    // The second task starts with the heartbeat that ends the first; no heartbeat is due ten
    // seconds later.
    expect(second - first).toBeCloseTo(12_000, 6);
    const offers = events.filter(({ kind }) => kind === "slots-offered").map(({ at }) => at);
    expect(offers).toEqual([0, first, second]);
  });

  test("an out-of-band heartbeat reports an end at once", () => {
    const { responses } = run({
      cluster: { ...cluster, outOfBandHeartbeat: true },
      jobs: [{ name: "job", phases: [phase("map", 2)] }],
    });
    expect(responses).toEqual([20_000]);
  });

  test("an idle node's heartbeats are no events", () => {
    const jobs = [{ name: "job", arrival: { atMs: 3_600_000 }, phases: [phase("map", 1)] }];
    const { events } = run({ cluster, jobs });
    expect(events.filter(({ at }) => at > 0 && at < 3_600_000)).toEqual([]);
  });
});

describe("faults", () => {
  test("a slow-down stretches the rest, and a new curve is reported", () => {
    const faults = [{ kind: "slow", at: 5_000, node: "node-0", factor: 2 }];
    const { responses, told } = run({ faults });
    expect(responses).toEqual([15_000]);
    expect(told("attempt-progressed")).toEqual(["5000 attempt-progressed"]);
  });

  test("stress comes and goes until it is over", () => {
    const stress = { kind: "stress", at: 0, node: "node", factor: 2, onMs: 2_000, offMs: 1_000 };
    const cluster = { nodes: nodes(1) };
    const jobs = [{ name: "job", phases: [phase("map", 1)] }];
    // Two of every three seconds do one second's work; the rest is normal.
    expect(run({ cluster, jobs, faults: [stress] }).responses).toEqual([15_000]);
    expect(run({ cluster, jobs, faults: [{ ...stress, until: 4_000 }] }).responses).toEqual([
      11_500,
    ]);
  });

  test("a pause shorter than a heartbeat is not noticed, and work continues where it was", () => {
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
    if (silent?.kind !== "node-silent") throw new Error("expected a fact that the node is silent");
    expect(silent.at).toBeGreaterThan(5_000);
    expect(silent.at - silent.since).toBeCloseTo(3_000, 6);
    // Hadoop's expiry of ten minutes, then one more run of the task.
    expect(result.jobs[0]?.responseMs).toBeGreaterThan(silent.since + 610_000);
    expect(result.attempts.rerun).toMatchObject({ launched: 1, succeeded: 1 });
    expect(result.attempts.original).toMatchObject({ killed: 0, lost: 1 });
    // Up to the node's last message; nothing was killed.
    expect([result.lostSlotMs, result.wastedMs]).toEqual([silent.since, 0]);
  });

  test("a machine that comes back has lost its attempts, and is offered again", () => {
    const faults = [kill("node-0", 5_000, { backAfterMs: 1_000 })];
    const { told, responses } = run({ faults });
    expect(told("node-joined").at(-1)).toBe("6000 node-joined");
    expect(responses).toEqual([16_000]);
  });

  test("finished maps of a machine that comes back empty run again while they have readers", () => {
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

  test("a job without nodes is reported as stuck, and does not keep the run waiting", () => {
    const { result } = run({ faults: [kill("node-0", 1_000), kill("node-1", 1_000)] });
    expect(result.unfinished).toEqual(["job"]);
    expect(result.jobs).toEqual([]);
  });

  test("an attempt that ends on a full disk fails", () => {
    const faults = [{ kind: "fill-disk", at: 9_000, node: "node-0", forMs: 2_000 }];
    const { result } = run({ faults });
    expect(result.attempts.original.failed).toBe(1);
    expect(result.jobs[0]?.outcome).toBe("succeeded");
  });

  test("lost outputs on a live node are reported if no fetch is under way", () => {
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

  test("a copy that is too late is killed at once, and its time was wasted", () => {
    const many = [{ name: "job", phases: [phase("map", 5, { work })] }];
    const { result } = run({ cluster, jobs: many, discipline });
    expect(result.attempts.speculative.succeeded).toBe(1);
    expect(result.attempts.original.killed).toBe(1);
    expect(result.wastedMs).toBe(result.jobs[0]?.responseMs);
    expect(result.wastedMsByNode.get("bad")).toBe(result.wastedMs);
  });

  test("with heartbeats the kill is reported at the next one", () => {
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
