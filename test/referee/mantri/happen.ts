import {
  type AttemptBook,
  isDone,
  isNeeded,
  type JobBook,
  type NodeBook,
  readersOf,
  scoreAt,
  type TaskBook,
} from "./books.ts";
import type { Asked } from "./protection.ts";
import * as told from "./tell.ts";
import { type Expected, nothing, remake, type World } from "./world.ts";

/** What happens at a moment; the books record each event before the scheduler gets it. */
export function happen(world: World): void {
  const { books, dice, plan } = world;
  const { chances } = plan;
  if (dice.chance(chances.sampled)) sample(world);
  for (const node of books.nodes) {
    if (node.joined && dice.chance(chances.nodeLeft) && books.joined.length > 2) leave(world, node);
    else if (!node.joined && dice.chance(chances.nodeBack)) comeBack(world, node);
  }
  for (const attempt of [...books.onSlots]) {
    if (!books.onSlots.has(attempt)) continue;
    if (attempt.state === "dying") {
      if (dice.chance(0.7)) {
        books.end(attempt, "killed");
        world.send(told.killed(attempt));
      }
    } else if (scoreAt(attempt, books.now) >= 1) succeed(world, attempt);
    else if (dice.chance(chances.failure) && attempt.task.failures < 2) fail(world, attempt);
    else if (dice.chance(chances.speedChange)) changeSpeed(world, attempt);
  }
  if (dice.chance(chances.outputLost)) loseSome(world);
  if (dice.chance(0.3)) missSome(world);
  if (dice.chance(0.4)) copyOne(world);
}

/** Every free slot of a node. */
export function offer(world: World, node: NodeBook): void {
  const { books } = world;
  for (const kind of [0, 1] as const) {
    const taken = [...books.onSlots].filter(
      (one) => one.node === node && one.task.phase.kind === kind,
    );
    node.held[kind] = node.slots[kind] - taken.length;
  }
  world.send(told.offered(node));
}

/** Phases that begin now; those that read anything from others are placed (5.2). */
function ready(world: World, expected: Expected): Expected {
  const before = new Set(world.books.jobs.flatMap(({ phases }) => phases.filter((p) => p.begun)));
  world.books.findReady();
  for (const { phases } of world.books.liveJobs) {
    for (const phase of phases) {
      if (phase.begun && !before.has(phase) && phase.reads.length > 0) expected.placed.push(phase);
    }
  }
  return expected;
}

export function submit(world: World, job: JobBook): void {
  job.submitted = true;
  job.nodesKnown = world.books.joined.length;
  world.protection.submit(job);
  world.send(told.submitted(job), ready(world, nothing()));
}

function succeed(world: World, attempt: AttemptBook): void {
  const { books, protection } = world;
  const { task, node } = attempt;
  const isLate = isDone(task) || task.phase.job.ended;
  books.end(attempt, isLate ? "killed" : "succeeded");
  if (isLate) {
    world.send(told.succeeded(attempt));
    return;
  }
  const expected = nothing();
  task.everDone = true;
  task.isRemade = false;
  if (readersOf(task.phase).length > 0) {
    task.outputs.add(node.id);
    node.made.add(task);
    if (protection.replicates(books, task)) expected.replicate = task;
  }
  protection.succeed(books, task, node);
  world.send(told.succeeded(attempt), ready(world, expected));
}

function fail(world: World, attempt: AttemptBook): void {
  const { task, node } = attempt;
  world.books.end(attempt, "failed");
  if (!isDone(task)) {
    task.failures++;
    countFailure(task.phase.job, node);
  }
  world.send(told.failed(attempt));
}

/** Hadoop 1.2.1: none is counted while a quarter of the nodes is flaky. */
function countFailure({ failuresOn, nodesKnown }: JobBook, { id }: NodeBook): void {
  const flaky = [...failuresOn.values()].filter((failures) => failures >= 4).length;
  if (flaky < 0.25 * nodesKnown) failuresOn.set(id, (failuresOn.get(id) ?? 0) + 1);
}

function changeSpeed(world: World, attempt: AttemptBook): void {
  const { books, dice } = world;
  const perMs = attempt.pieces.at(-1)!.perMs * dice.pick([0.1, 0.25, 2, 4]);
  attempt.pieces.push({ from: books.now, score: scoreAt(attempt, books.now), perMs });
  world.send(told.progressed(attempt));
}

function leave(world: World, node: NodeBook): void {
  const { books, protection } = world;
  const expected = nothing();
  for (const job of books.liveJobs) {
    const isLoss = ({ task }: AttemptBook) =>
      task.phase.job === job && (!isDone(task) || readersOf(task.phase).length > 0);
    const worked =
      [...books.onSlots].some((one) => one.node === node && isLoss(one)) ||
      [...node.made].some(({ phase }) => phase.job === job);
    if (worked) countFailure(job, node);
  }
  node.joined = false;
  node.held.fill(0);
  for (const one of [...books.onSlots]) if (one.node === node) books.end(one, "killed");
  books.findReady();
  // What ran there waits again before what it has written is lost.
  books.noteWaiting();
  const made = [...node.made];
  for (const task of made) loseCopy(world, task, node, expected);
  for (const { phases } of books.liveJobs) {
    for (const task of made) {
      if (phases.includes(task.phase)) protection.lose(books, task, node);
    }
  }
  world.send(told.left(node), ready(world, expected));
}

/** The last copy of an output may be gone with it. */
function loseCopy(world: World, task: TaskBook, node: NodeBook, expected: Expected): void {
  node.made.delete(task);
  if (!task.outputs.delete(node.id) || task.outputs.size > 0 || task.phase.job.ended) return;
  world.books.findReady();
  add(world, world.protection.lost(world.books, task, "lost"), expected);
}

/** What is asked for is made again, and what that needs. */
function add(world: World, asked: Asked, expected: Expected): void {
  const remade: TaskBook[] = [];
  for (const task of asked.recomputes) remake(task, remade);
  for (const task of remade) world.protection.charge(task);
  expected.prefers.push(...asked.prefers);
  expected.recomputes.push(...remade);
  world.books.findReady();
  world.books.noteWaiting();
}

function comeBack(world: World, node: NodeBook): void {
  node.joined = true;
  world.send(told.joined(node));
}

function loseSome(world: World): void {
  const { books, dice, protection } = world;
  const made = [...books.tasks.values()].filter(
    ({ outputs, phase }) => outputs.size > 0 && !phase.job.ended,
  );
  if (made.length === 0) return;
  const task = dice.pick(made);
  const node = books.node(dice.pick([...task.outputs]));
  const expected = nothing();
  loseCopy(world, task, node, expected);
  protection.lose(books, task, node);
  world.send(told.outputLost(task, node), ready(world, expected));
}

/** A running reader misses an output that no node has. */
function missSome(world: World): void {
  const { books, dice, protection } = world;
  const misses = [...books.onSlots].flatMap((reader) =>
    reader.state === "running" && !isDone(reader.task)
      ? reader.task.phase.reads
          .flatMap(({ tasks }) => tasks)
          .filter((task) => isDone(task) && task.outputs.size === 0)
          .map((task) => ({ reader, task }))
      : [],
  );
  if (misses.length === 0) return;
  const { reader, task } = dice.pick(misses);
  const from = task.attempts.findLast(({ state }) => state === "succeeded")!.node;
  const expected = nothing();
  if (isNeeded(task)) {
    add(world, protection.lost(books, task, "missed"), expected);
    // Whatever the budget: otherwise the reader would wait for ever.
    remake(task, expected.recomputes);
  }
  world.send(told.missed(reader, task, from), ready(world, expected));
}

/** The host has made a replica, on another machine of the rack. */
function copyOne(world: World): void {
  const { books, copying, protection } = world;
  const next = copying.shift();
  if (next === undefined || next.task.phase.job.ended || next.task.outputs.size === 0) return;
  const { task, rack } = next;
  const node = books.joined.find((one) => one.rack === rack && !task.outputs.has(one.id));
  if (node === undefined) return;
  task.outputs.add(node.id);
  node.made.add(task);
  protection.keep(books, task, node);
  world.send(told.replicated(task, node), ready(world, nothing()));
}

function sample(world: World): void {
  const { books, dice, plan } = world;
  const rack = dice.whole(0, plan.racks - 1);
  const [up, down] = [dice.pick([10, 1_000, 12_500]), dice.pick([10, 1_000, 12_500])];
  books.links.set(rack, { up, down });
  world.send(told.sampled(rack, up, down));
}
