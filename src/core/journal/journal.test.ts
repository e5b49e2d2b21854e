import { expect, test } from "vitest";
import type { Action } from "../../model/action.ts";
import { CAPABILITIES } from "../../model/cluster.ts";
import type { ClusterEvent } from "../../model/event.ts";
import {
  attemptId,
  instant,
  jobId,
  nodeId,
  phaseId,
  rackId,
  requestId,
  slotKind,
  taskId,
} from "../../model/ids.ts";
import { type Job, MAP_STAGES, REDUCE_STAGES } from "../../model/job.ts";
import { params } from "../../policy/params.ts";
import { type Discipline, type Policy, use } from "../../policy/policy.ts";
import { SETUP_DEFAULTS, type Setup } from "../state/setup.ts";
import { parseJournal } from "./read.ts";
import { type JournalWriter, journalWriter } from "./write.ts";

const bare = { source: "a test", needs: [], remember: () => undefined };
const named = (name: string): Policy<object, undefined> => ({ ...bare, name, params: {} });

const DISCIPLINE: Discipline = {
  name: "a test's",
  sharing: use({ ...named("sharing"), plan: () => ({ slots: [], farMax: 0 }), jobs: () => [] }),
  order: use({ ...named("order"), key: () => 0 }),
  speculation: use(
    {
      ...named("speculation"),
      params: params({ cap: { default: 0.1, about: "" }, latest: { default: 5, about: "" } }),
    },
    { latest: Number.POSITIVE_INFINITY },
  ),
  data: [],
  estimator: use({
    ...named("estimator"),
    timeLeft: () => 0,
    newCopy: () => ({ kind: "unknown" }),
    steady: true,
  }),
  detection: use({ ...named("detection"), expiry: () => 1 }),
};

const SETUP: Setup = {
  ...SETUP_DEFAULTS,
  seed: 7,
  slotKinds: ["map", "reduce"],
  racks: ["r1", "r2"],
  capabilities: CAPABILITIES,
  discipline: DISCIPLINE,
};

const [map, reduce] = [slotKind(0), slotKind(1)];
const why = { rule: "because", numbers: { ms: 3, far: Number.POSITIVE_INFINITY, on: "n1" } };
const plain = { rule: "because", numbers: {} };
const none = { score: 0, bytesRead: 0, bytesWritten: 0, records: 0 };

function job(id: number, name: string, phase: number, task: number): Job {
  const maps = [0, 1].map((index) => ({
    id: taskId(task + index),
    phase: phaseId(phase),
    index,
    inputBytes: 64,
    replicas: [nodeId(index)],
    stages: MAP_STAGES,
  }));
  const reduces = [
    {
      id: taskId(task + 2),
      phase: phaseId(phase + 1),
      index: 0,
      replicas: [],
      stages: REDUCE_STAGES,
    },
  ];
  return {
    id: jobId(id),
    name,
    user: "ann",
    pool: "p",
    priority: "high",
    submittedAt: instant(5),
    speculate: false,
    phases: [
      { id: phaseId(phase), name: "map", job: jobId(id), slots: [map], after: [], tasks: maps },
      {
        id: phaseId(phase + 1),
        name: "reduce",
        job: jobId(id),
        slots: [reduce, map],
        after: [{ phase: phaseId(phase), start: { when: "fraction", of: 0.05 } }],
        tasks: reduces,
      },
    ],
  };
}

type Step = readonly [ClusterEvent, readonly Action[]];
let now = 0;
const at = () => ({ at: instant(now++) });
const ids = { attempt: attemptId(0), task: taskId(0), node: nodeId(0) };
const curve = {
  kind: "curve",
  startedAt: instant(9),
  reportEvery: 3_000,
  segments: [
    { from: instant(9), stage: 0, at: none, perMs: { ...none, score: 0.1 / 3 } },
    {
      from: instant(10),
      stage: 0,
      at: { ...none, bytesWritten: 4 },
      perMs: { ...none, records: 1 },
    },
  ],
} as const;
const node = (id: number): Step => [
  {
    ...at(),
    kind: "node-joined",
    node: {
      id: nodeId(id),
      name: `n${id + 1}`,
      rack: rackId(id % 2),
      slots: [
        { kind: reduce, count: 1 },
        { kind: map, count: 2 },
      ],
    },
  },
  [],
];
const event = (
  one: Record<string, unknown> & { kind: ClusterEvent["kind"] },
  ...acts: Action[]
): Step => [{ ...at(), ...one } as ClusterEvent, acts] as const;

/** One of each event and of each action. */
const STEPS: readonly Step[] = [
  node(0),
  node(1),
  event({
    kind: "links-sampled",
    rack: rackId(1),
    upBytesPerMs: 2.5,
    downBytesPerMs: Number.POSITIVE_INFINITY,
  }),
  event({ kind: "sharing-tuned", parameter: "pools", value: "a:weight=2;b" }),
  event(
    { kind: "job-submitted", job: job(0, "a/b#c", 0, 0) },
    { kind: "prefer", task: taskId(2), nodes: [nodeId(1)], racks: [rackId(0)], why },
    { kind: "wake", at: instant(50) },
    { kind: "wake", at: instant(Number.POSITIVE_INFINITY) },
  ),
  event(
    { kind: "slots-offered", node: nodeId(0), free: [{ kind: map, count: 2 }] },
    { kind: "launch", ...ids, slot: map, as: "original", why },
    {
      kind: "launch",
      ...ids,
      slot: map,
      attempt: attemptId(1),
      task: taskId(1),
      as: "original",
      request: requestId(3),
      why: plain,
    },
    { kind: "pass", why },
    { kind: "pass", task: taskId(2), why },
  ),
  event({ kind: "attempt-started", ...ids, as: "original", progress: curve }),
  event({
    kind: "attempt-progressed",
    attempt: ids.attempt,
    progress: {
      kind: "reported",
      at: instant(9),
      changedAt: instant(8),
      stage: 0,
      ...none,
      score: 0.25,
    },
  }),
  event(
    { kind: "attempt-failed", attempt: attemptId(1), cause: "timeout" },
    {
      kind: "request",
      request: requestId(0),
      task: taskId(1),
      as: "retry",
      where: { on: "all-but", nodes: [nodeId(0)] },
      why,
    },
    {
      kind: "request",
      request: requestId(1),
      task: taskId(1),
      as: "retry",
      where: { on: "only", nodes: [nodeId(1)] },
      why,
    },
    {
      kind: "request",
      request: requestId(2),
      task: taskId(1),
      as: "retry",
      where: { on: "any" },
      why,
    },
    { kind: "withdraw", request: requestId(2), why },
  ),
  event({ kind: "request-refused", request: requestId(1), reason: "no room" }),
  event({
    kind: "attempt-started",
    attempt: attemptId(2),
    task: taskId(1),
    node: nodeId(1),
    as: "retry",
    progress: curve,
    request: requestId(0),
  }),
  event(
    {
      kind: "attempt-succeeded",
      attempt: ids.attempt,
      output: { bytes: 5, records: 1, byPartition: [5] },
    },
    { kind: "replicate", task: taskId(0), to: rackId(1), why },
    {
      kind: "launch",
      slot: reduce,
      attempt: attemptId(3),
      task: taskId(2),
      node: nodeId(1),
      as: "original",
      why,
    },
  ),
  event({ kind: "output-replicated", task: taskId(0), node: nodeId(1) }),
  event(
    { kind: "output-lost", task: taskId(0), node: nodeId(0) },
    { kind: "recompute", task: taskId(0), why },
  ),
  event({ kind: "launch-refused", attempt: attemptId(3), reason: "full" }),
  event({ kind: "fetch-failed", reader: attemptId(3), output: taskId(0), from: nodeId(0) }),
  event({ kind: "node-silent", node: nodeId(0), since: instant(9) }),
  event({ kind: "node-heard", node: nodeId(0) }),
  event({ kind: "woken" }, { kind: "declare-lost", node: nodeId(0), why }),
  event({ kind: "attempt-killed", attempt: attemptId(3), by: "host" }),
  event(
    { kind: "job-killed", job: jobId(0) },
    { kind: "end-job", job: jobId(0), outcome: "killed", why },
    { kind: "kill", attempt: attemptId(2), then: "nothing", why: plain },
  ),
  event({ kind: "attempt-killed", attempt: attemptId(2), by: "us" }),
  event({ kind: "node-left", node: nodeId(1) }),
];

function journalOf(steps: readonly Step[], writer: JournalWriter = journalWriter(SETUP)): string[] {
  return [writer.header(), ...steps.map(([what, actions]) => writer.step(what, actions))];
}

const stepsOf = (lines: readonly string[]) =>
  [...parseJournal(lines).entries].map((entry) =>
    entry.kind === "step" ? [listed(entry.event), entry.actions] : entry.data,
  );

/** The event, with a job's tasks in arrays. */
function listed(event: ClusterEvent): ClusterEvent {
  if (event.kind !== "job-submitted") return event;
  const phases = event.job.phases.map((phase) => ({ ...phase, tasks: [...phase.tasks] }));
  return { ...event, job: { ...event.job, phases } };
}

test("a journal is read back as it was written, every event and every action", () => {
  expect(stepsOf(journalOf(STEPS))).toEqual(STEPS);
});

test("a journal that is read and written again is equal to the byte", () => {
  const lines = journalOf(STEPS);
  const again = [...parseJournal(lines).entries].flatMap((entry) =>
    entry.kind === "step" ? [[entry.event, entry.actions] as const] : [],
  );
  expect(journalOf(again)).toEqual(lines);
});

test("the first line holds the set-up, its policies by name and parameters", () => {
  const { setup } = parseJournal([journalWriter(SETUP, { explain: true }).header()]);
  const { discipline, ...numbers } = SETUP;
  expect(setup).toMatchObject({ ...numbers, explain: true });
  expect(setup.discipline.speculation).toEqual({
    policy: "speculation",
    params: { cap: 0.1, latest: Number.POSITIVE_INFINITY },
  });
  expect(setup.discipline.name).toBe(discipline.name);
});

test("lines hold names, never ids", () => {
  const lines = journalOf(STEPS);
  expect(lines[6]).toContain('"attempt":"a%2Fb%23c/map/0#0"');
  expect(lines.at(-2)).toContain('"attempt":"a%2Fb%23c/map/1#1"');
  expect(lines[6]).toContain('"request":"r3"');
});

test("a node that comes back keeps its id, and an unknown node's id is written", () => {
  const steps = [node(1), node(0), node(1)];
  const lines = journalOf(steps);
  expect(lines[1]).toContain('"id":1');
  expect(stepsOf(lines)).toEqual(steps);
});

test("ids that are not the next ones are written with the job", () => {
  const steps = [node(0), node(1), event({ kind: "job-submitted", job: job(4, "j", 9, 30) })];
  expect(journalOf(steps)[3]).toContain('"ids":[4,9,30]');
  expect(stepsOf(journalOf(steps))).toEqual(steps);
});

test("names of an ended job are dropped, those of its running attempts when they end", () => {
  const late: readonly Step[] = [
    ...STEPS,
    event({ kind: "attempt-killed", attempt: attemptId(2), by: "us" }),
    event({ kind: "output-lost", task: taskId(0), node: nodeId(0) }),
    event({ kind: "attempt-started", ...ids, as: "original", progress: curve }),
    event({ kind: "job-submitted", job: job(1, "a/b#c", 2, 3) }),
  ];
  const lines = journalOf(late);
  const unnamed = lines.slice(-4, -1).map((line) => line.match(/"@\d+"/)?.[0]);
  expect(unnamed).toEqual(['"@2"', '"@0"', '"@0"']);
  expect(stepsOf(lines)).toEqual(late);
});

test("the host's own lines are copied through", () => {
  const writer = journalWriter(SETUP);
  const lines = [...journalOf(STEPS.slice(0, 2), writer), writer.host({ run: [1, null] })];
  expect(stepsOf(lines).at(-1)).toEqual({ run: [1, null] });
});

test("a job of 1,000 tasks with three replicas each makes a line under 40 kB", () => {
  const tasks = Array.from({ length: 1_000 }, (_, index) => ({
    id: taskId(index),
    phase: phaseId(0),
    index,
    inputBytes: 64_000_000 + index,
    replicas: [0, 1, 0].map(nodeId),
    stages: MAP_STAGES,
  }));
  const [first] = job(0, "big", 0, 0).phases;
  const big: Job = { ...job(0, "big", 0, 0), phases: [{ ...first!, tasks }] };
  const steps = [node(0), node(1), event({ kind: "job-submitted", job: big })];
  const lines = journalOf(steps);
  expect(lines[3]!.length).toBeLessThan(40_000);
  expect(stepsOf(lines)).toEqual(steps);
});

const HEADER = journalWriter(SETUP).header();
const JOINED = journalOf([node(0)])[1]!;

test.each([
  ["an empty file", [], "j: expected a first line with the set-up"],
  ["another file", ['{"a":1}'], 'j:1: expected "journal" to be a string, found nothing'],
  ["no object", ["[1]"], "j:1: expected an object, found [1]"],
  ["a last line that was cut off", [HEADER, JOINED.slice(0, 40)], "j:2: expected JSON: "],
  ["a first line that is a word", ["hello"], "j:1: expected JSON: "],
  [
    "a time before that of an earlier line",
    [HEADER, JOINED, '{"at":-1,"event":"woken"}'],
    'j:3: expected "at" to be 23 or later, as time never runs backwards, found -1',
  ],
  ["text that is no JSON", [HEADER, '{"at":0 "event"}'], "j:2: expected JSON: "],
  [
    "an unknown event",
    [HEADER, '{"at":0,"event":"x"}'],
    'j:2: expected "event" to be one of node-joined',
  ],
  [
    "a node that never joined",
    [HEADER, '{"at":0,"event":"node-left","node":"n9"}'],
    'j:2: expected "node" to be a node that has joined, found "n9"',
  ],
  [
    "a task of no job",
    [HEADER, JOINED, '{"at":0,"event":"output-lost","task":"j/map/0","node":"n1"}'],
    'j:3: expected "task" to be a task of a live job',
  ],
  [
    "an unknown action",
    [HEADER, '{"at":0,"event":"woken","actions":[{"kind":"x"}]}'],
    'j:2: expected "kind" to be one of launch',
  ],
  ["an empty line in the middle", [HEADER, "", JOINED], "j:2: expected no empty line"],
])("%s is the user's mistake, told with line and what was expected", (_, lines, message) => {
  const read = () => [...parseJournal(lines, "j").entries];
  expect(read).toThrow(expect.objectContaining({ name: "InputError", code: "bad-journal" }));
  expect(read).toThrow(message);
});
