import { expect, test } from "vitest";
import { World as RandomWorld } from "../../../test/simulate/world.ts";
import { World } from "../../../test/support/world.ts";
import { attemptId, instant, nodeId, slotKind } from "../../model/ids.ts";
import { NO_AMOUNTS } from "../../model/progress.ts";
import { planWorld } from "../../testing/plan.ts";

/** Small worlds, so that everything is recounted after every step within a second or two. */
const SEEDS = [2, 5, 8, 14, 20];
/** A job of the same pool goes from memory while attempts of an ended one are being killed. */
const DYING = 2378;
/** No policy judges attempts there, so that most tasks run without a record. */
const PLAIN = [22, 23, 25, 29, 32];

const PLANS = [
  ...[...SEEDS, DYING].map(planWorld),
  ...PLAIN.map((seed) => ({
    ...planWorld(seed),
    discipline: "none,sharing=fifo-plain",
    offersSlots: true,
    sets: [],
    seats: [],
  })),
];

test.each(PLANS)("what policies see is what a recount of the events finds: $seed", (plan) => {
  const world = new RandomWorld(plan, { keepsJournal: false, wholeEvery: 1 });
  world.run();
  // The step after a job's end forgets the job.
  world.feed({ kind: "woken" });
  const { view } = world.scheduler;
  expect([...view.pools(), ...view.jobs(), ...view.requests()]).toEqual([]);
  for (const { id } of plan.jobs) expect(() => view.job(id)).toThrow("job");
  for (const kind of view.kinds) {
    expect([view.running(kind), view.waiting(kind), view.left(kind)]).toEqual([0, 0, 0]);
  }
});

test("nothing runs of a pool or a user that is unknown", () => {
  const { view } = new World();
  const map = slotKind(0);
  expect(view.running(map, { pool: "unknown" })).toBe(0);
  expect(view.running(map, { user: "unknown" })).toBe(0);
  expect(view.demand(map, "unknown")).toBe(0);
});

test("of two reports of the same moment the one that comes later counts", () => {
  const world = new World({ nodes: 1 });
  world.submit({ maps: 1 });
  const attempt = world.attempt("map", 0);
  for (const score of [0.25, 0.5]) {
    const { at } = world;
    const progress = { ...NO_AMOUNTS, kind: "reported" as const, at, changedAt: at, stage: 0 };
    world.step({ at, kind: "attempt-progressed", attempt, progress: { ...progress, score } });
  }
  expect(world.view.score(attempt)).toBe(0.5);
});

test("an output that no reader needs any more is lost without a word", () => {
  const done = { when: "done" as const };
  const world = new World({ nodes: 2 });
  world.submit({
    phases: [
      { name: "first", tasks: 1, slots: ["map"] },
      { name: "second", tasks: 1, slots: ["reduce"], after: [{ phase: "first", start: done }] },
      { name: "third", tasks: 1, slots: ["reduce"], after: [{ phase: "second", start: done }] },
    ],
  });
  world.advance(25_000);
  const task = world.task("first", 0);
  const [node] = world.view.outputNodes(task);
  if (node === undefined) throw new Error("the first phase has no output");
  const before = world.actions.length;
  world.step({ at: world.at, kind: "output-lost", task, node });
  expect(world.view.outputNodes(task)).toEqual([]);
  expect(world.actions.slice(before).filter(({ action }) => action.kind === "pass")).toEqual([]);
});

test("a lost attempt of a finished task without readers is no failure of its node", () => {
  const world = new World({ nodes: 2, offers: "manual" });
  const job = world.submit({ maps: 4 });
  world.offer("n1");
  world.offer("n2");
  const task = world.task("map", 0);
  const [original] = world.view.attemptsOf(task);
  if (original === undefined) throw new Error("the first map has not been launched");
  const node = nodeId(original.node === nodeId(0) ? 1 : 0);
  const attempt = attemptId(2);
  const at = instant(5_000);
  const progress = {
    ...NO_AMOUNTS,
    kind: "reported" as const,
    at,
    changedAt: at,
    stage: 0,
    score: 0,
  };
  world.advance(at);
  world.step({ at, kind: "attempt-started", attempt, task, node, as: "speculative", progress });
  const success = { kind: "attempt-succeeded" as const, attempt: original.id };
  world.step({ at, ...success, output: { bytes: 0, records: 0 } });
  expect(world.view.attemptsOf(task).map(({ state }) => state)).toEqual(["succeeded", "dying"]);
  const others = world.view.runningOn(node).filter(({ id }) => id !== attempt);
  for (const { id } of others) world.step({ at, kind: "attempt-killed", attempt: id, by: "host" });
  world.step({ at, kind: "node-left", node });
  expect(world.view.failuresOn(job.id, node)).toBe(0);
});
