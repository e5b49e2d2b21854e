import { describe, expect, test } from "vitest";
import type { Action } from "../../model/action.ts";
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
import { type Job, MAP_STAGES } from "../../model/job.ts";
import { AttemptLog } from "./attempt-log.ts";
import { selected } from "./measure.ts";

const why = { rule: "test", numbers: {} };
const JOB: Job = {
  id: jobId(0),
  name: "sort",
  user: "user",
  pool: "pool",
  priority: "normal",
  submittedAt: instant(0),
  phases: [
    {
      id: phaseId(0),
      name: "map",
      job: jobId(0),
      slots: [slotKind(0)],
      after: [],
      tasks: [
        { id: taskId(0), phase: phaseId(0), index: 0, replicas: [nodeId(0)], stages: MAP_STAGES },
        { id: taskId(1), phase: phaseId(0), index: 1, replicas: [], stages: MAP_STAGES },
      ],
    },
  ],
};

/** Three nodes, the last one in a rack of its own; a job of two tasks. */
class Story {
  readonly log = new AttemptLog();

  constructor() {
    for (const id of [0, 1, 2]) {
      const rack = rackId(id === 2 ? 1 : 0);
      const node = { id: nodeId(id), name: `n-${id}`, rack, slots: [] };
      this.tell({ at: instant(0), kind: "node-joined", node });
    }
    this.tell({ at: instant(0), kind: "job-submitted", job: JOB });
  }

  tell(event: ClusterEvent, ...actions: Action[]): this {
    this.log.step(event, actions);
    return this;
  }

  start(attempt: number, on: number, at: number, as: "original" | "speculative" = "original") {
    return this.tell({
      at: instant(at),
      kind: "attempt-started",
      attempt: attemptId(attempt),
      task: taskId(0),
      node: nodeId(on),
      as,
      progress: { kind: "curve", startedAt: instant(at), segments: [], reportEvery: 0 },
    });
  }

  succeed(attempt: number, at: number) {
    const output = { bytes: 0, records: 0 };
    const id = attemptId(attempt);
    return this.tell({ at: instant(at), kind: "attempt-succeeded", attempt: id, output });
  }

  ended() {
    this.log.end();
    return this.log.attempts.map(({ node, ended, endedAtMs }) => `${node} ${ended} ${endedAtMs}`);
  }
}

describe("the log of attempts", () => {
  test("of two that succeed counts the later one as killed, at the same moment too", () => {
    const story = new Story().start(0, 0, 0).start(1, 1, 60, "speculative");
    expect(story.succeed(1, 90).succeed(0, 90).ended()).toEqual([
      "n-1 succeeded 90",
      "n-0 killed 90",
    ]);
  });

  test("one that runs again after its output was lost succeeds again", () => {
    const story = new Story().start(0, 0, 0).succeed(0, 10).start(1, 1, 20).succeed(1, 30);
    expect(story.ended()).toEqual(["n-0 succeeded 10", "n-1 succeeded 30"]);
  });

  test("what ran on a node that is lost, leaves or comes back empty was killed then", () => {
    const at = instant(50);
    const lost: Action = { kind: "declare-lost", node: nodeId(0), why };
    expect(new Story().start(0, 0, 0).tell({ at, kind: "woken" }, lost).ended()).toEqual([
      "n-0 killed 50",
    ]);
    const left: ClusterEvent = { at, kind: "node-left", node: nodeId(0) };
    expect(new Story().start(0, 0, 0).tell(left).ended()).toEqual(["n-0 killed 50"]);
    const node = { id: nodeId(0), name: "n-0", rack: rackId(0), slots: [] };
    const back: ClusterEvent = { at, kind: "node-joined", node };
    expect(new Story().start(0, 0, 0).tell(back).ended()).toEqual(["n-0 killed 50"]);
  });

  test("what was killed and never heard of again ended when it was killed", () => {
    const kill: Action = { kind: "kill", attempt: attemptId(0), then: "nothing", why };
    const story = new Story().start(0, 0, 0).tell({ at: instant(40), kind: "woken" }, kill);
    expect(story.tell({ at: instant(99), kind: "woken" }).ended()).toEqual(["n-0 killed 40"]);
  });

  test("knows where a task had been tried, and how far it was from its input", () => {
    const story = new Story().start(0, 0, 0).start(1, 1, 5, "speculative").start(2, 2, 6);
    story.log.end();
    expect(story.log.attempts.map(({ locality, triedOn }) => [locality, triedOn])).toEqual([
      ["node", []],
      ["rack", ["n-0"]],
      ["any", ["n-0", "n-1"]],
    ]);
  });

  test("counts copies that were asked for, and taken back", () => {
    const where = { on: "any" } as const;
    const asked = {
      request: requestId(0),
      task: taskId(0),
      as: "speculative",
      where,
      why,
    } as const;
    const story = new Story().tell(
      { at: instant(1), kind: "woken" },
      { kind: "request", ...asked },
      { kind: "withdraw", request: requestId(0), why },
    );
    expect([story.log.requested, story.log.withdrawn]).toEqual([1, 1]);
  });
});

test("a selection takes what fulfils all that it says", () => {
  const story = new Story().start(0, 0, 0).start(1, 1, 5, "speculative").succeed(0, 9);
  story.log.end();
  const count = (selection: Parameters<typeof selected>[1]) =>
    selected(story.log.attempts, selection).length;
  expect(count({})).toBe(2);
  expect(count({ as: ["speculative"] })).toBe(1);
  expect(count({ as: ["speculative"], ended: "succeeded" })).toBe(0);
  expect(count({ job: "so*", phase: "map" })).toBe(2);
  expect(count({ job: "so" })).toBe(0);
  expect(count({ nodes: ["n-1", "n-2"] })).toBe(1);
  expect(count({ triedOn: ["*-0"] })).toBe(1);
  expect(count({ locality: "node" })).toBe(1);
});
