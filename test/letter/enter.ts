import type { Action } from "../../src/policy/index.ts";
import { type AttemptBook, unended } from "./books.ts";
import * as told from "./events.ts";
import { piecesFrom } from "./pieces.ts";
import type { Play } from "./play.ts";

type Of<K extends Action["kind"]> = Extract<Action, { kind: K }>;

/** A launched attempt starts at once. */
export function enterLaunch(play: Play, action: Of<"launch">): void {
  const { books, dice, plan } = play;
  const { now } = books;
  const task = books.tasks.get(action.task);
  if (task === undefined) throw new Error(`a launch of task ${action.task}, which is none`);
  const node = books.node(action.node);
  const usualMs = books.usualMs[task.phase.job.id] ?? 60_000;
  const luck = dice.chance(plan.chances.straggler)
    ? dice.pick(plan.isOnTheEdge ? [5] : [2.5, 5, 12])
    : dice.pick(plan.isOnTheEdge ? [1] : [1, 1, 1.25]);
  const size = 0.5 + task.bytes / (128 * 1_048_576);
  const usual = (task.phase.factors[0] ?? 1) / (usualMs * size * luck);
  const perMs = ratePerMs(play, node.speed * usual);
  const request = action.request === undefined ? undefined : books.requests.get(action.request);
  const attempt: AttemptBook = {
    ...{ id: action.attempt, task, node, speculative: action.as === "speculative" },
    restarted: action.as === "restart",
    ...{ madeAt: request?.madeAt ?? now, startedAt: now },
    ...{ state: "running", endedAt: Number.NaN },
    pieces: piecesFrom(task.phase, { from: now, score: 0, perMs, stage: 0 }),
    report: { at: now, score: 0, changedAt: now, stage: 0 },
    reports: [{ at: now, score: 0, changedAt: now, stage: 0 }],
  };
  if (action.request !== undefined) books.requests.delete(action.request);
  if (unended(task).length === 0) task.workFrom = attempt.id;
  task.attempts.push(attempt);
  books.attempts.set(attempt.id, attempt);
  books.onSlots.add(attempt);
  play.send(told.started(books, attempt));
}

/** Launched attempts are reported once the whole answer has been given, not in between. */
export function enterReports({ books }: Play, launches: readonly Of<"launch">[]): void {
  for (const { attempt } of launches) {
    const launched = books.attempts.get(attempt);
    if (launched !== undefined) launched.task.unheard = false;
  }
}

/** In exact worlds, a rate whose products with milliseconds are exact. */
export const ratePerMs = ({ plan }: Play, perMs: number): number =>
  plan.isExact ? Math.max(1, Math.round(perMs * 2 ** 30)) / 2 ** 30 : perMs;

/** A silent node will not report it. */
export function enterKill(play: Play, action: Of<"kill">): void {
  const attempt = play.books.attempts.get(action.attempt);
  if (attempt === undefined || attempt.state !== "running") return;
  attempt.state = "dying";
  if (action.then === "restart") attempt.task.restarts++;
  if (attempt.node.silentSince !== undefined) endAs(play, attempt, "killed");
}

export function endAs(
  play: Play,
  attempt: AttemptBook,
  state: "succeeded" | "failed" | "killed",
): void {
  attempt.state = state;
  attempt.task.unheard = false;
  attempt.endedAt = play.books.now;
  play.books.onSlots.delete(attempt);
  if (state === "succeeded") attempt.node.succeeded++;
}

export function enterRequest(play: Play, action: Of<"request"> | Of<"withdraw">): void {
  const { books } = play;
  if (action.kind === "withdraw") {
    books.requests.delete(action.request);
    return;
  }
  const task = books.tasks.get(action.task);
  if (task === undefined) throw new Error(`a request for task ${action.task}, which is none`);
  const { where } = action;
  books.requests.set(action.request, {
    ...{ id: action.request, task, madeAt: books.now },
    admits: (node) =>
      where.on === "any" || where.nodes.includes(node as never) === (where.on === "only"),
  });
}

/** The scheduler must say that a job is over when it is, and not before. */
export function judgeEnds(play: Play, actions: readonly Action[]): void {
  const { books } = play;
  const said = actions.flatMap((action) => (action.kind === "end-job" ? [action.job] : []));
  for (const job of books.liveJobs) {
    const finished = job.phases.every((phase) => phase.tasks.every((task) => task.everDone));
    const failed = job.phases.some((phase) => phase.tasks.some((task) => task.failures >= 4));
    const found = said.includes(job.id as never);
    play.compare("end of job", String(finished || failed), String(found));
    if (finished || failed) job.ended = true;
  }
}
