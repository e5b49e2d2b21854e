import {
  type AttemptBook,
  isDone,
  type JobBook,
  type NodeBook,
  readersOf,
  scoreAt,
} from "./books.ts";
import { countFailure, loseNode } from "./lose.ts";
import * as told from "./tell.ts";
import type { World } from "./world.ts";

/** What happens at a moment; the books record each event before the scheduler gets it. */
export function happen(world: World): void {
  const { books, dice, plan } = world;
  const { chances } = plan;
  for (const node of books.nodes) befall(world, node);
  for (const attempt of books.holding()) {
    if (attempt.node.silentSince !== undefined) continue;
    if (attempt.state === "dying") {
      if (dice.chance(0.7)) {
        books.end(attempt, "killed");
        world.send(told.killed(attempt));
      }
    } else if (attempt.state !== "running") {
      // Another event of this moment has ended the attempt.
    } else if (scoreAt(attempt, books.now) >= 1) succeed(world, attempt);
    else if (dice.chance(chances.failure) && attempt.task.failures < 2) fail(world, attempt);
    else if (dice.chance(chances.speedChange)) changeSpeed(world, attempt);
  }
  if (dice.chance(chances.outputLost)) loseSome(world);
}

export function submit(world: World, job: JobBook): void {
  job.submitted = true;
  job.nodesKnown = world.books.joined.length;
  world.send(told.submitted(job));
}

/** Nodes fall silent, are heard again or come back, are lost, and join again. */
function befall(world: World, node: NodeBook): void {
  const { books, dice, plan } = world;
  const { nodeBack, nodeLeft, nodeSilent } = plan.chances;
  if (!node.joined) {
    if (dice.chance(nodeBack)) join(world, node);
  } else if (node.silentSince !== undefined) {
    const fate = dice.unit();
    if (fate < 0.05) leave(world, node);
    else if (fate < 0.1) join(world, node);
    else if (fate < 0.3) {
      node.silentSince = undefined;
      world.send(told.heard(node));
    }
  } else if (dice.chance(nodeLeft) && books.joined.length > 2) leave(world, node);
  else if (nodeSilent > 0 && dice.chance(nodeSilent)) {
    node.silentSince = world.heardAt;
    for (const one of books.holding()) {
      if (one.node === node && one.state === "dying") books.end(one, "killed");
    }
    world.send(told.silent(node, world.heardAt));
  }
}

function leave(world: World, node: NodeBook): void {
  const made = loseNode(world.books, node);
  world.send(told.left(node), world.lose(made, node));
}

/** What ran on a node that comes back is gone; what it has written stands, unless it was lost. */
function join(world: World, node: NodeBook): void {
  world.books.endAllOn(node);
  node.joined = true;
  node.silentSince = undefined;
  world.send(told.joined(node));
}

function succeed(world: World, attempt: AttemptBook): void {
  const { task, node } = attempt;
  const isLate = isDone(task) || task.phase.job.ended;
  world.books.end(attempt, isLate ? "killed" : "succeeded");
  if (isLate) {
    world.send(told.succeeded(attempt));
    return;
  }
  task.everDone = true;
  task.isRemade = false;
  if (readersOf(task.phase).length > 0) {
    task.outputs.add(node);
    node.made.add(task);
  }
  world.send(told.succeeded(attempt), world.succeed(task, node));
}

function fail(world: World, attempt: AttemptBook): void {
  const { task, node } = attempt;
  world.books.end(attempt, "failed");
  if (!isDone(task) && !task.phase.job.ended) {
    task.failures++;
    countFailure(task.phase.job, node);
  }
  world.send(told.failed(attempt));
}

function changeSpeed(world: World, attempt: AttemptBook): void {
  const { books, dice } = world;
  const perMs = attempt.pieces.at(-1)!.perMs * dice.pick([0.1, 0.25, 2, 4]);
  attempt.pieces.push({ from: books.now, score: scoreAt(attempt, books.now), perMs });
  world.send(told.progressed(books, attempt));
}

function loseSome(world: World): void {
  const { books, dice } = world;
  const made = [...books.tasks.values()].filter(
    ({ outputs, phase }) => outputs.size > 0 && !phase.job.ended,
  );
  if (made.length === 0) return;
  const task = dice.pick(made);
  const node = dice.pick([...task.outputs]);
  world.send(told.outputLost(task, node), world.lose([task], node));
}
