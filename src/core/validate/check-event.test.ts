import { describe, expect, test } from "vitest";
import { stuckAt } from "../../../test/support/curves.ts";
import { World } from "../../../test/support/world.ts";
import type { ClusterEvent } from "../../model/event.ts";
import { instant, jobId, phaseId, slotKind } from "../../model/ids.ts";
import { type Job, MAP_STAGES, type Phase } from "../../model/job.ts";
import { NO_AMOUNTS } from "../../model/progress.ts";
import { parseDiscipline } from "../../policy/discipline.ts";
import { type SharingPolicy, use } from "../../policy/policy.ts";

type Change = Readonly<Record<string, unknown>>;

/** An event that no type would allow. */
const wrong = (event: Change): ClusterEvent => event as unknown as ClusterEvent;

/** Two nodes of two slots; a job of one map that runs, and of one reduce that waits for it. */
function started(): World {
  const world = new World({ nodes: 2, slots: [1, 1], runs: () => stuckAt(0.5, 1_000) });
  world.submit({ maps: 1, reduces: 1 });
  world.advance(1_000).look();
  return world;
}

const REPORT = {
  kind: "reported",
  at: 1_000,
  changedAt: 1_000,
  stage: 0,
  score: 0.5,
  bytesRead: 0,
  bytesWritten: 0,
  records: 0,
} as const;

const FALLING = {
  ...{ from: 0, stage: 0, at: NO_AMOUNTS },
  perMs: { ...NO_AMOUNTS, score: -0.001 },
};

const progressed = (change: Change): Change => ({
  kind: "attempt-progressed",
  attempt: 0,
  progress: { ...REPORT, ...change },
});

const line = (change: Change): Change => ({
  ...{ kind: "line", startedAt: 0, scorePerMs: 0.001, bytesReadPerMs: 0, reportEvery: 0 },
  ...change,
});

const curve = (...changes: readonly Change[]): Change => ({
  ...{ kind: "curve", startedAt: 0, reportEvery: 0 },
  segments: changes.map((change) => ({ ...FALLING, perMs: NO_AMOUNTS, ...change })),
});

const LINK = { kind: "links-sampled", rack: 0, upBytesPerMs: 1, downBytesPerMs: 1 } as const;

function job(change: Change = {}, phase: Partial<Phase> = {}): Change {
  const id = jobId(9);
  const phases: readonly Phase[] = [
    {
      id: phaseId(9),
      name: "map",
      job: id,
      slots: [slotKind(0)],
      after: [],
      tasks: [],
      ...phase,
    },
  ];
  const whole: Job = {
    id,
    name: "other",
    user: "u",
    pool: "p",
    priority: "normal",
    submittedAt: instant(0),
    phases,
  };
  return { kind: "job-submitted", job: { ...whole, ...change } };
}

const task = (id: number, index: number, change: Change = {}): Change => ({
  id,
  phase: 9,
  index,
  replicas: [],
  stages: MAP_STAGES,
  ...change,
});

const tasks = (...all: readonly Change[]): Partial<Phase> =>
  ({ tasks: all }) as unknown as Partial<Phase>;

const node = (change: Change): Change => ({
  kind: "node-joined",
  node: { id: 5, name: "n6", rack: 0, slots: [{ kind: 0, count: 1 }], ...change },
});

const offered = (...free: readonly Change[]): Change => ({ kind: "slots-offered", node: 0, free });

const resized = (...slots: readonly Change[]): Change => ({ kind: "node-resized", node: 0, slots });

const start = (change: Change): Change => ({
  kind: "attempt-started",
  attempt: 0,
  task: 0,
  node: 0,
  as: "original",
  progress: REPORT,
  ...change,
});

describe("an impossible event is refused with the name of its field", () => {
  test.each<readonly [string, Change, RegExp]>([
    ["time backwards", { kind: "woken", at: 999 }, /at: expected a time not before 1000 ms/],
    ["time that is no number", { kind: "woken", at: Number.NaN }, /found NaN/],
    ["time without end", { kind: "woken", at: Number.POSITIVE_INFINITY }, /found Infinity/],
    ["an unknown kind", { kind: "nonsense" }, /kind: expected a kind of event/],
    ["an unknown node", { kind: "node-heard", node: 7 }, /node: expected a node that has joined/],
    ["a negative node", node({ id: -1 }), /node\.id: expected a whole number/],
    ["an unknown rack", node({ rack: 3 }), /node\.rack: expected an index/],
    ["an unknown kind of slot", node({ slots: [{ kind: 4, count: 1 }] }), /slots\[0\]\.kind/],
    ["a node under another name", node({ id: 0, name: "x" }), /its earlier name, n1/],
    ["silence to come", { kind: "node-silent", node: 0, since: 2_000 }, /since: expected a time/],
    ["a billion slots", node({ slots: [{ kind: 0, count: 1e9 }] }), /slots\[0\]\.count/],
    ["more slots than the node has", offered({ kind: 0, count: 100 }), /at most the 1 map slots/],
    ["negative slots", offered({ kind: 0, count: -3 }), /free\[0\]\.count: expected a whole/],
    ["a node of half a slot", resized({ kind: 0, count: 0.5 }), /slots\[0\]\.count/],
    ["an unknown node's slots", { ...resized(), node: 7 }, /node: expected a node that has joined/],
    ["slots that are no number", offered({ kind: 0, count: Number.NaN }), /free\[0\]\.count/],
    ["a part of a slot", offered({ kind: 0, count: 0.5 }), /free\[0\]\.count/],
    ["a live job's id", job({ id: 0 }), /job\.id: expected an id that no live job has/],
    ["a live job's name", job({ name: "job1" }), /job\.name: expected a name that no live job/],
    ["a live job's phase", job({}, { id: phaseId(0) }), /phases\[0\]\.id/],
    ["an unknown priority", job({ priority: "urgent" }), /priority: expected one of very-high/],
    [
      "an edge to nowhere",
      job({}, { after: [{ phase: phaseId(77), start: { when: "done" } }] }),
      /after\[0\]\.phase: expected an earlier phase/,
    ],
    [
      "an edge that is no object",
      job({}, { after: [null] } as never),
      /after\[0\]: expected an object/,
    ],
    [
      "a start on a node that never was",
      start({ node: 7 }),
      /node: expected a node that has joined/,
    ],
    ["a live job's tasks", job({}, tasks(task(0, 0))), /tasks\[0\]\.id: expected an id from 2/],
    ["tasks out of order", job({}, tasks(task(9, 0), task(8, 1))), /tasks\[1\]\.id: expected 10/],
    ["a gap before the end of the phase before", job({}, { gapMs: -1 }), /gapMs: expected/],
    ["a pin to no node", job({}, tasks(task(9, 0, { firstOn: -1 }))), /firstOn: expected a whole/],
    ["input of no size", job({}, tasks(task(9, 0, { inputBytes: -1 }))), /inputBytes/],
    ["progress that is no number", progressed({ score: Number.NaN }), /progress\.score/],
    ["progress beyond 1", progressed({ score: 7 }), /progress\.score: expected a number from 0/],
    ["progress below 0", progressed({ score: -1 }), /progress\.score/],
    ["a report of the time to come", progressed({ at: 5_000 }), /progress\.at: expected a time/],
    ["a stage that is not there", progressed({ stage: 3 }), /progress\.stage/],
    [
      "a curve with a hole",
      progressed({ kind: "curve", startedAt: 0, reportEvery: 0, segments: [null] }),
      /progress\.segments\[0\]: expected an object/,
    ],
    [
      "a curve that falls",
      progressed({ kind: "curve", startedAt: 0, reportEvery: 0, segments: [FALLING] }),
      /progress\.segments\[0\]\.perMs\.score: expected/,
    ],
    ["an attempt that never was", { ...progressed({}), attempt: 12 }, /attempt: expected/],
    ["a second start", start({}), /attempt: expected an attempt that has not started yet/],
    ["a start elsewhere", start({ node: 1 }), /node: expected 0, as launched/],
    ["a success without output", { kind: "attempt-succeeded", attempt: 0 }, /output: expected/],
    ["an output of no records", success(0, { records: -1 }), /output\.records: expected/],
    ["an output of no bytes", success(0, { bytes: -1 }), /output\.bytes: expected/],
    ["an unknown cause", { kind: "attempt-failed", attempt: 0, cause: "no" }, /cause: expected/],
    ["a refused launch of what runs", { kind: "launch-refused", attempt: 0 }, /has not started/],
    [
      "a reader that never was",
      { kind: "fetch-failed", reader: 9, output: 0, from: 0 },
      /reader: expected an attempt that was launched/,
    ],
    [
      "a reader that does not read it",
      { kind: "fetch-failed", reader: 0, output: 0, from: 0 },
      /reader: expected an attempt whose phase reads the output/,
    ],
    ["a request that never was", { kind: "request-refused", request: 0 }, /request: expected/],
    [
      "a link of no speed",
      { kind: "links-sampled", rack: 0, upBytesPerMs: Number.NaN, downBytesPerMs: 1 },
      /upBytesPerMs/,
    ],
    ["an unknown parameter", { kind: "sharing-tuned", parameter: "x", value: "" }, /x: expected/],
    ["an attempt that is no id", { ...progressed({}), attempt: -1 }, /attempt: expected a whole/],
    ["the end of a job that is no id", { kind: "job-killed", job: -1 }, /job: expected a whole/],
    ["a job that is none", { kind: "job-submitted", job: null }, /job: expected an object/],
    ["a job that is no id", job({ id: -1 }), /job\.id: expected a whole number/],
    ["a job of the time to come", job({ submittedAt: 5_000 }), /submittedAt: expected a time not/],
    ["a job of nobody", job({ user: "" }), /job\.user: expected a text/],
    ["a job without a pool", job({ pool: "" }), /job\.pool: expected a text/],
    ["a job without a name", job({ name: "" }), /job\.name: expected a text/],
    ["a job without a list of phases", job({ phases: 1 }), /job\.phases: expected a list/],
    [
      "data on no node",
      job({}, tasks(task(9, 0, { replicas: [-1] }))),
      /replicas: expected a whole/,
    ],
    ["data nowhere", job({}, tasks(task(9, 0, { replicas: 1 }))), /replicas: expected a list/],
    [
      "a task of another phase",
      job({}, tasks(task(9, 0, { phase: 8 }))),
      /phase: expected the phase/,
    ],
    ["a task in another place", job({}, tasks(task(9, 1))), /tasks\[0\]\.index: expected 0/],
    [
      "a task without stages",
      job({}, tasks(task(9, 0, { stages: [] }))),
      /stages: expected a stage/,
    ],
    [
      "a stage of more than a task",
      job({}, tasks(task(9, 0, { stages: [{ name: "x", share: 2 }] }))),
      /stages: expected shares from 0/,
    ],
    ["a start of another task", start({ task: 1 }), /task: expected 0, as launched/],
    ["a start of a task that is no id", start({ task: -1 }), /task: expected a whole number/],
    ["a start for no reason", start({ as: "x" }), /as: expected one of original/],
    ["a start by a request that never was", start({ request: 7 }), /request: expected/],
    ["a start of a later attempt", start({ attempt: 12 }), /attempt: expected an id up to 1/],
    [
      "an unknown killer",
      { kind: "attempt-killed", attempt: 0, by: "x" },
      /by: expected one of us/,
    ],
    ["parts that are no list", success(0, { byPartition: 1 }), /byPartition: expected a list/],
    ["a part of no size", success(0, { byPartition: [-1] }), /byPartition: expected a number/],
    [
      "a change of the time to come",
      progressed({ changedAt: 5_000 }),
      /changedAt: expected a time/,
    ],
    ["an unknown kind of progress", progressed({ kind: "x" }), /progress\.kind: expected one of/],
    ["a line without a rate", progressed(line({ scorePerMs: -1 })), /scorePerMs: expected/],
    ["a line without bytes", progressed(line({ bytesReadPerMs: -1 })), /bytesReadPerMs: expected/],
    ["a line of the time to come", progressed(line({ startedAt: 5_000 })), /startedAt: expected/],
    ["reports that come never", progressed(line({ reportEvery: -1 })), /reportEvery: expected/],
    ["a curve of nothing", progressed(curve()), /progress\.segments: expected a segment/],
    [
      "a curve that goes back",
      progressed(curve({ from: 5 }, { from: 4 })),
      /\[1\]\.from: expected/,
    ],
    ["a curve without amounts", progressed(curve({ at: null })), /\[0\]\.at: expected an object/],
    ["a curve without rates", progressed(curve({ perMs: null })), /\[0\]\.perMs: expected an obj/],
    ["a curve in no stage", progressed(curve({ stage: 7 })), /\[0\]\.stage: expected the index/],
    ["a link of an unknown rack", { ...LINK, rack: 7 }, /rack: expected an index/],
    ["a link that takes nothing in", { ...LINK, downBytesPerMs: -1 }, /downBytesPerMs/],
  ])("%s", (_, event, message) => {
    const world = started();
    const before = JSON.stringify(world.view.counts(phaseId(0)));
    const told = wrong({ at: 1_000, ...event });
    expect(() => world.scheduler.step(told)).toThrow(message);
    expect(() => world.scheduler.step(told)).toThrow(`event ${told.kind} at ${told.at} ms`);
    expect(JSON.stringify(world.view.counts(phaseId(0)))).toBe(before);
    // The next event is accepted as if this one had never come.
    expect(() => world.look()).not.toThrow();
  });

  test("a sharing policy's text with a mistake in it, before its parameters change", () => {
    const world = new World({ discipline: "capacity", nodes: 1 });
    const tuned = { kind: "sharing-tuned", parameter: "queues", value: "a:b:c:" };
    const before = JSON.stringify(world.scheduler.setup.discipline.sharing.params);
    expect(() => world.scheduler.step(wrong({ at: 0, ...tuned }))).toThrow(/queues/);
    expect(JSON.stringify(world.scheduler.setup.discipline.sharing.params)).toBe(before);
    expect(() => world.look()).not.toThrow();
  });
});

describe("late and repeated events are ignored", () => {
  test.each<readonly [string, readonly Change[]]>([
    ["a second success", [success(0), success(0)]],
    [
      "a failure after the success",
      [success(0), { kind: "attempt-failed", attempt: 0, cause: "error" }],
    ],
    ["progress after the end", [success(0), progressed({ score: Number.NaN })]],
    [
      "a node that leaves twice",
      [
        { kind: "node-left", node: 1 },
        { kind: "node-left", node: 1 },
      ],
    ],
    [
      "an offer of a lost node",
      [
        { kind: "node-left", node: 1 },
        { kind: "slots-offered", node: 1, free: [] },
      ],
    ],
    [
      "a job that is killed twice",
      [
        { kind: "job-killed", job: 0 },
        { kind: "job-killed", job: 0 },
      ],
    ],
  ])("%s", (_, events) => {
    const world = started();
    for (const event of events) world.step(wrong({ at: 1_000, ...event }));
    expect(world.view.now).toBe(1_000);
  });

  test("a report that another has overtaken", () => {
    const world = started();
    world.step(wrong({ at: 1_000, ...progressed({ at: 900, changedAt: 900, score: 0.4 }) }));
    world.step(wrong({ at: 1_000, ...progressed({ at: 800, changedAt: 800, score: 0.1 }) }));
    expect(world.view.progress(world.attempt("map", 0)).score).toBe(0.4);
  });
});

describe("a step that throws for another reason", () => {
  test("poisons the scheduler, whose state is inconsistent", () => {
    const usual = parseDiscipline("none,sharing=fifo-plain");
    const plan = (): never => {
      throw new Error("a bug of a user's");
    };
    const broken: SharingPolicy = { ...usual.sharing.policy, plan };
    const world = new World({ discipline: { ...usual, sharing: use(broken) }, nodes: 0 });
    world.submit({ maps: 1 });
    expect(() => world.join()).toThrow("a bug of a user's");
    expect(() => world.look()).toThrow(/event slots-offered at 0 ms failed half-way/);
  });
});

function success(attempt: number, output: Change = {}): Change {
  return { kind: "attempt-succeeded", attempt, output: { bytes: 1, records: 1, ...output } };
}
