import {
  type AttemptBook,
  type JobBook,
  type NodeBook,
  type PhaseBook,
  type Piece,
  pieceAt,
  scoreAt,
  type TaskBook,
} from "./books.ts";
import { endAs, ratePerMs } from "./enter.ts";
import * as told from "./events.ts";
import { piecesFrom } from "./pieces.ts";
import type { Play } from "./play.ts";

/** The events of a world at a moment. The books record each event before the scheduler gets it. */
export function happen(play: Play): void {
  const { books, dice, plan } = play;
  const { chances } = plan;
  for (const node of books.nodes) {
    if (node.joined) befallNode(play, node);
    else if (dice.chance(chances.nodeBack)) rejoin(play, node);
  }
  for (const attempt of books.holding()) {
    if (attempt.node.silentSince !== undefined) continue;
    if (attempt.state === "dying") {
      if (dice.chance(chances.killTold)) kill(play, attempt);
    } else if (attempt.state !== "running") {
      // The attempt has ended through another event at this moment.
    } else if (scoreAt(attempt, books.now) >= 1) succeed(play, attempt);
    else if (dice.chance(chances.failure) && attempt.task.failures < 2) fail(play, attempt);
    else if (dice.chance(chances.speedChange)) changeSpeed(play, attempt);
    else if (dice.chance(plan.reporting) && books.form === "reported") report(play, attempt);
  }
  if (dice.chance(chances.outputLost)) loseSomeOutput(play);
}

function befallNode(play: Play, node: NodeBook): void {
  const { books, dice, plan } = play;
  const { chances } = plan;
  if (node.silentSince !== undefined) {
    if (dice.chance(0.05)) loseNode(play, node);
    else if (dice.chance(0.06)) joinAgain(play, node);
    else if (dice.chance(0.15)) {
      node.silentSince = undefined;
      play.send({ kind: "node-heard", node: node.id as never });
    }
    return;
  }
  if (dice.chance(chances.nodeLost) && books.joined.length > 2) loseNode(play, node);
  else if (dice.chance(chances.nodeLost)) joinAgain(play, node);
  else if (dice.chance(chances.nodeSilent)) {
    node.silentSince = play.heardAt;
    for (const attempt of books.holding()) {
      if (attempt.node === node && attempt.state === "dying") endAs(play, attempt, "killed");
    }
    play.send({ kind: "node-silent", node: node.id as never, since: play.heardAt as never });
  }
}

/** A lost node comes back without its outputs. What succeeded on the node still counts (LATE 4). */
function rejoin(play: Play, node: NodeBook): void {
  node.joined = true;
  node.joins++;
  play.send(told.joined(node));
}

/**
 * A node that is not lost joins again, perhaps out of its silence: its attempts are gone and its
 * outputs remain. Ours: no job counts a failure.
 */
function joinAgain(play: Play, node: NodeBook): void {
  node.silentSince = undefined;
  node.joins++;
  for (const attempt of play.books.holding()) {
    if (attempt.node === node) endAs(play, attempt, "killed");
  }
  play.send(told.joined(node));
}

function loseNode(play: Play, node: NodeBook): void {
  const { books } = play;
  // Hadoop 1.2.1, JobTracker.lostTaskTracker: a failure, for each job that it has worked for: it
  // runs a task of the job, or holds an output of a phase that is read, whether all readers are
  // done or not. A running attempt of a finished task without readers is no loss.
  for (const job of books.liveJobs) {
    const tasks = job.phases.flatMap((phase) => phase.tasks);
    const isLoss = ({ node: on, task }: AttemptBook) =>
      on === node && tasks.includes(task) && (!task.done || readersOf(task.phase).length > 0);
    const worked =
      books.holding().some(isLoss) ||
      tasks.some((task) => task.outputs.has(node.id) && readersOf(task.phase).length > 0);
    if (worked) countFailure(job, node);
  }
  node.joined = false;
  node.silentSince = undefined;
  for (const attempt of books.holding()) if (attempt.node === node) endAs(play, attempt, "killed");
  for (const task of books.tasks.values()) loseOutput(task, node);
  play.send({ kind: "node-left", node: node.id as never });
}

function loseSomeOutput(play: Play): void {
  const { books, dice } = play;
  const made = [...books.tasks.values()].filter(
    (task) => task.outputs.size > 0 && !task.phase.job.ended,
  );
  if (made.length === 0) return;
  const task = dice.pick(made);
  const node = books.node(dice.pick([...task.outputs]));
  loseOutput(task, node);
  play.send({ kind: "output-lost", task: task.id as never, node: node.id as never });
}

/** Hadoop 1.2.1: a lost output that has readers is recomputed at once. */
function loseOutput(task: TaskBook, node: NodeBook): void {
  if (!task.outputs.delete(node.id) || task.outputs.size > 0) return;
  if (isNeeded(task)) runAgain(task);
}

/** "Recomputation cascades" (Mantri 3.2): what the task reads may have been lost unneeded. */
function runAgain(task: TaskBook): void {
  task.done = false;
  task.unheard = true;
  for (const reader of readersOf(task.phase)) reader.ready &&= isReached(task.phase, reader);
  for (const read of task.phase.reads) {
    for (const source of read.tasks) if (source.done && source.outputs.size === 0) runAgain(source);
  }
}

/**
 * Hadoop 1.2.1, JobInProgress.addTrackerTaskFailure: none is counted while a quarter of the nodes,
 * as many as the job knows of (clusterSize), are flaky.
 */
function countFailure({ failuresOn, nodesKnown }: JobBook, { id }: NodeBook): void {
  const flaky = [...failuresOn.values()].filter((failures) => failures >= 4).length;
  if (flaky < 0.25 * nodesKnown) failuresOn.set(id, (failuresOn.get(id) ?? 0) + 1);
}

const isNeeded = (task: TaskBook): boolean =>
  readersOf(task.phase).some((phase) => phase.tasks.some((reader) => !reader.done));

const readersOf = (phase: PhaseBook): PhaseBook[] =>
  phase.job.phases.filter((reader) => reader.reads.includes(phase));

function kill(play: Play, attempt: AttemptBook): void {
  endAs(play, attempt, "killed");
  play.send(told.killed(attempt));
}

function succeed(play: Play, attempt: AttemptBook): void {
  const { task, node } = attempt;
  if (play.books.form === "reported") report(play, attempt);
  endAs(play, attempt, "succeeded");
  task.done = true;
  task.everDone = true;
  const readers = readersOf(task.phase);
  if (readers.length > 0) task.outputs.add(node.id);
  for (const reader of readers)
    reader.ready ||= reader.reads.every((read) => isReached(read, reader));
  play.send(told.succeeded(attempt));
}

/** Hadoop 1.2.1, JobInProgress.scheduleReduces: a lost output is missing until it is recomputed. */
const isReached = (read: PhaseBook, reader: PhaseBook): boolean =>
  read.tasks.filter((task) => task.done).length >= reader.slowstart * read.tasks.length;

function fail(play: Play, attempt: AttemptBook): void {
  const { task, node } = attempt;
  endAs(play, attempt, "failed");
  task.failures++;
  countFailure(task.phase.job, node);
  play.send(told.failed(attempt));
}

function changeSpeed(play: Play, attempt: AttemptBook): void {
  const { books, dice } = play;
  const { now } = books;
  const before = pieceAt(attempt, now);
  if (before === undefined) throw new Error(`attempt ${attempt.id} has no rate`);
  const perMs = ratePerMs(play, before.perMs * dice.pick([0.1, 0.25, 2, 4]));
  const from: Piece = { ...before, from: now, score: scoreAt(attempt, now), perMs };
  const past = attempt.pieces.filter((piece) => piece.from <= now);
  attempt.pieces = [...past, ...piecesFrom(attempt.task.phase, from)];
  if (books.form === "reported") report(play, attempt);
  else play.send(told.progressed(books, attempt));
}

function report(play: Play, attempt: AttemptBook): void {
  const { books } = play;
  const { now } = books;
  const score = scoreAt(attempt, now);
  const changedAt = score === attempt.report.score ? attempt.report.changedAt : now;
  const stage = pieceAt(attempt, now)?.stage ?? 0;
  attempt.report = { at: now, score, changedAt, stage };
  attempt.reports.push(attempt.report);
  play.send(told.progressed(books, attempt));
}
