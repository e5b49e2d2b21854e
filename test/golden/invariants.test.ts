import { expect, test } from "vitest";
import type { Action } from "../../src/model/action.ts";
import { attemptId, instant, jobId, nodeId, slotKind, taskId } from "../../src/model/ids.ts";
import { Invariants, type Promises } from "../../src/testing/invariants.ts";
import { Line } from "./format.ts";
import { Script } from "./script.ts";

const why = { rule: "a-lie", numbers: {} };
const woken = (at: number) => ({ at: instant(at), kind: "woken" }) as const;

/** In this job map/0 is done and map/1 runs on n2; n3 is silent, and n1 has a free slot. */
function watched(promises: Partial<Promises>): Invariants {
  let invariants: Invariants | undefined;
  const script = new Script((setup, scheduler) => {
    invariants = new Invariants(setup, scheduler.view, { explains: true, ...promises });
    return (event, actions) => invariants?.check(event, actions);
  });
  for (const command of [
    "nodes n1 n2 n3 map=1",
    "until 10s",
    "job j map*2 reduce*1<map",
    "succeed j/map/0#0",
    "silent n3",
  ]) {
    script.run(new Line(command));
  }
  if (invariants === undefined) throw new Error("nothing was watched");
  return invariants;
}

function launch(change: Partial<Extract<Action, { kind: "launch" }>>): Action {
  const ids = { attempt: attemptId(2), task: taskId(1), node: nodeId(0), slot: slotKind(0) };
  return { kind: "launch", ...ids, as: "speculative", why, ...change };
}

const kill: Action = { kind: "kill", attempt: attemptId(1), then: "nothing", why };
const wake = (at: number): Action => ({ kind: "wake", at: instant(at) });
const end = (outcome: "succeeded" | "killed"): Action => ({
  kind: "end-job",
  job: jobId(0),
  outcome,
  why,
});

test.each<[string, readonly Action[], string, Partial<Promises>?]>([
  ["on a silent node", [launch({ node: nodeId(2) })], "lost or silent"],
  ["twice on one slot", [launch({}), launch({ attempt: attemptId(3) })], "no slot is taken twice"],
  ["on a slot of another kind", [launch({ slot: slotKind(1) })], "a slot of its kinds"],
  ["of a finished task", [launch({ task: taskId(0) })], "finished task is not launched"],
  ["of a copy of nothing", [launch({ task: taskId(2), slot: slotKind(1) })], "beside another"],
  ["of a retry that nothing failed before", [launch({ as: "retry" })], "follows a failure"],
  [
    "of a reader before what it reads",
    [launch({ task: taskId(2), slot: slotKind(1), as: "original" })],
    "too little of what it reads is there",
  ],
  ["out of order", [launch({ attempt: attemptId(7) })], "numbered in journal order"],
  ["for a job that has ended", [end("killed"), launch({})], "a job that has ended"],
  ["beyond a cap", [launch({})], "the cap on copies holds", { speculativeMax: () => 0 }],
  ["of one copy too many", [launch({})], "not too many copies", { besideMax: 1 }],
])("a launch %s is noticed", (_, actions, problem, promises = {}) => {
  expect(() => watched(promises).check(woken(10_000), actions)).toThrow(problem);
});

test.each<[string, readonly Action[], string]>([
  ["a job that succeeds with a task undone", [end("succeeded")], "when all its tasks have"],
  ["a job that ends twice", [end("killed"), end("killed")], "a job ends once"],
  ["an attempt that is killed twice", [kill, kill], "killed once"],
  [
    "a task that is made again before it was made",
    [{ kind: "recompute", task: taskId(1), why }],
    "only a finished task is made again",
  ],
  ["a wake in the past", [wake(10_000)], "a wake lies in the future"],
  ["two wakes", [wake(11_000), wake(12_000)], "one wake a step"],
  ["a kill that the view does not know of", [kill], "in the states, that its host told of"],
])("%s is noticed", (_, actions, problem) => {
  expect(() => watched({}).check(woken(10_000), actions)).toThrow(problem);
});

test("time that runs backwards is noticed", () => {
  expect(() => watched({}).check(woken(9_999), [])).toThrow("time never runs backwards");
});

test("a slot that is held for a long time while a task waits is noticed", () => {
  expect(() => holdingBack({ workConserving: true }, (actions) => actions)).toThrow("holds a slot");
  expect(() => holdingBack({}, (actions) => actions)).not.toThrow();
});

test("a slot that is held without a reason is noticed", () => {
  const silenced = (actions: readonly Action[]) => actions.filter(({ kind }) => kind !== "pass");
  expect(() => holdingBack({}, silenced)).toThrow("holds a slot");
});

/** A sharing policy that fills no slot, while a task waits. */
function holdingBack(
  promises: Partial<Promises>,
  told: (actions: readonly Action[]) => readonly Action[],
): void {
  const script = new Script((setup, scheduler) => {
    const invariants = new Invariants(setup, scheduler.view, { explains: true, ...promises });
    return (event, actions) => invariants.check(event, told(actions));
  });
  for (const command of ["sharing slotsMax=0", "nodes n1 map=1", "job j map*1", "offer n1"]) {
    script.run(new Line(command));
  }
  script.run(new Line("advance 10s"));
}
