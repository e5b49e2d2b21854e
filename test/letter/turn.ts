import {
  type Books,
  holds,
  type JobBook,
  MAP,
  type PhaseBook,
  REDUCE,
  type TaskBook,
  unended,
  waits,
} from "./books.ts";
import type { Answer, Rules, Slot } from "./letter.ts";

/**
 * Who gets a slot: the first job first, as in Hadoop's FIFO without limits per heartbeat. Within a
 * job a requested copy comes first, then waiting tasks, then the policy (LATE 2.1); but a policy
 * that acts before waiting tasks is asked first (Mantri 5.1, Dryad). There are several answers
 * where the letter leaves a choice.
 */
export function turn(books: Books, rules: Rules, slot: Slot): Answer[] {
  const answers: Answer[] = [];
  for (const job of inOrder(books.liveJobs)) {
    job.nodesKnown = books.joined.length;
    if (isClosed(books, job, slot.node.id)) continue;
    const request = requestFor(books, job, slot);
    if (request !== undefined) return [...answers, { do: "bind", request }];
    const waiting = waitingFor(books, rules, job, slot);
    const ask = waiting.length === 0 ? rules.idle : rules.contended;
    const asked = [ask?.call(rules, books, job, slot) ?? { do: "left" }].flat();
    const first = (among: readonly TaskBook[]) =>
      among.length === 0 ? [] : (rules.first ?? hadoopFirst)(books, among, slot);
    const firsts = first(waiting);
    for (const answer of asked) {
      if (answer.do === "queue") answers.push(...queued(answer, waiting, first));
      else if (answer.do !== "left") answers.push(answer);
    }
    if (asked.every((answer) => answer.do !== "left")) return answers;
    if (waiting.length === 0) continue;
    return [...answers, ...firsts.map((task) => ({ do: "start", task }) as const)];
  }
  return [...answers, { do: "nothing" }];
}

/**
 * The slot goes to the first task that waits: perhaps to the killed one, which waits at once if its
 * node is silent, since nothing can be heard of its end.
 */
function queued(
  { attempt }: Extract<Answer, { do: "queue" }>,
  waiting: readonly TaskBook[],
  first: (among: readonly TaskBook[]) => readonly TaskBook[],
): readonly Answer[] {
  const isOver = attempt.node.silentSince !== undefined;
  const among = isOver ? [...waiting, attempt.task].sort((a, b) => a.id - b.id) : waiting;
  return first(among).map((task) =>
    task === attempt.task ? { do: "restart", attempt } : { do: "queue", attempt, task },
  );
}

/** Hadoop 1.2.1, JobQueueJobInProgressListener: priority, submission, number. */
const inOrder = (jobs: readonly JobBook[]): JobBook[] =>
  [...jobs].sort((a, b) => a.priority - b.priority || a.submittedAt - b.submittedAt || a.id - b.id);

/**
 * Hadoop 1.2.1, JobInProgress.shouldRunOnTaskTracker: four failures of the job close a node to it,
 * as long as fewer than a quarter of the nodes are flaky. Ours: and as long as another node that is
 * not flaky has slots of each kind that the node has.
 */
export function isClosed(books: Books, job: JobBook, node: number): boolean {
  const isFlaky = (id: number) => (job.failuresOn.get(id) ?? 0) >= 4;
  const flaky = [...job.failuresOn.keys()].filter(isFlaky).length;
  if (!isFlaky(node) || flaky >= 0.25 * books.joined.length) return false;
  const others = books.joined.filter(({ id }) => !isFlaky(id));
  const { slots } = books.node(node);
  return KINDS.every((kind) => slots[kind] === 0 || others.some((one) => one.slots[kind] > 0));
}

const KINDS = [MAP, REDUCE] as const;

/**
 * A copy is only made beside an attempt that has not ended, and while enough of what the task reads
 * is there (Hadoop 1.2.1, JobInProgress.scheduleReduces).
 */
function requestFor(books: Books, job: JobBook, slot: Slot) {
  for (const request of books.requests.values()) {
    const { phase } = request.task;
    if (!phasesOf(job, slot).includes(phase)) continue;
    if (!request.admits(slot.node.id)) continue;
    if (unended(request.task).length > 0) return request;
  }
  return undefined;
}

const waitingFor = (books: Books, rules: Rules, job: JobBook, slot: Slot): TaskBook[] =>
  phasesOf(job, slot).flatMap((phase) =>
    phase.tasks.filter((task) => waits(task) && mayRun(books, rules, task, slot)),
  );

/**
 * Those that may have the slot. In a chain, a phase leaves it to tasks of the same kind that wait
 * further upstream: its own could hold every slot for ever (our rule for graphs).
 */
export const phasesOf = (job: JobBook, { kind }: Pick<Slot, "kind">): PhaseBook[] =>
  job.phases.filter(
    (phase) =>
      phase.ready &&
      phase.kind === kind &&
      !upstreamOf(phase).some((source) => source.kind === kind && source.tasks.some(waits)),
  );

const upstreamOf = ({ reads }: PhaseBook): readonly PhaseBook[] =>
  reads.flatMap((read) => [read, ...upstreamOf(read)]);

/**
 * Hadoop 1.2.1, findTaskFromList: not where it has failed, unless it has failed on as many nodes as
 * could run it. Mantri's paper does not say; there it is not while there is another node.
 */
export function mayRun(books: Books, rules: Rules, task: TaskBook, { node, kind }: Slot): boolean {
  const failedOn = new Set(
    task.attempts.filter(({ state }) => state === "failed").map((attempt) => attempt.node.id),
  );
  const { job } = task.phase;
  const open = books.joined.filter(
    (other) => other.slots[kind] > 0 && !isClosed(books, job, other.id),
  );
  if (!failedOn.has(node.id)) return true;
  if (rules.first !== undefined) return open.every(({ id }) => failedOn.has(id));
  return failedOn.size >= open.length;
}

/**
 * Hadoop 1.2.1, findNewMapTask: a map that was tried before, the one with the most failures first
 * and wherever its data are; then one with its data on the node, on the rack, anywhere. Reduces
 * stand in the order of their failures. Of equals the first; of a graph's phases the first, too.
 */
function hadoopFirst(books: Books, waiting: readonly TaskBook[], slot: Slot): readonly TaskBook[] {
  const place = (task: TaskBook) => (tried(task) ? -1 : distance(books, task, slot));
  const inOrder = [...waiting].sort(
    (a, b) =>
      place(a) - place(b) ||
      a.phase.id - b.phase.id ||
      (tried(a) ? b.failures - a.failures : 0) ||
      a.id - b.id,
  );
  return inOrder.slice(0, 1);
}

/** Killed reduces, and other tasks that read outputs, are among those that were never tried. */
export const tried = ({ attempts, failures, phase }: TaskBook): boolean =>
  failures > 0 || (phase.reads.length === 0 && attempts.length > 0);

/** 0: its data are on the node, 1: on the rack, 2: elsewhere, or nowhere in particular. */
export function distance(books: Books, task: TaskBook, { node }: Slot): number {
  if (task.replicas.includes(node.id)) return 0;
  return task.replicas.some((id) => books.node(id).rack === node.rack) ? 1 : 2;
}

/** The copies that hold slots of the kind, whatever their job. */
export const copiesHolding = (books: Books, { kind }: Slot): number =>
  books.holding().filter((attempt) => attempt.speculative && attempt.task.phase.kind === kind)
    .length;

/** Hadoop 1.2.1, TaskInProgress.hasRunOnMachine: not where it runs or has failed. */
export const mayCopyTo = (task: TaskBook, { node }: Slot): boolean =>
  !task.attempts.some((one) => one.node === node && (holds(one) || one.state === "failed"));

export { holds };
