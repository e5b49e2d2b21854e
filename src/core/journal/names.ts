import { assert, defined, never } from "../../base/assert.ts";
import { quoted } from "../../base/json-text.ts";
import type { Action } from "../../model/action.ts";
import type { ClusterEvent } from "../../model/event.ts";
import {
  type AttemptId,
  attemptId,
  type JobId,
  jobId,
  type NodeId,
  nodeId,
  type TaskId,
  taskId,
} from "../../model/ids.ts";
import type { Job } from "../../model/job.ts";
import { NamedAttempts } from "./named-attempts.ts";

/**
 * The names that journals and screens print for ids: `job`, `job/phase`, `job/phase/index`, and
 * `job/phase/index#n` for the n-th attempt of the task. The names of an ended job are dropped, and
 * those of its attempts once they have ended too. An id without a name is printed as `@id`.
 */
export class Names {
  readonly #nodes = new TwoWay<NodeId>();
  /** The nodes' names as text of JSON. */
  readonly #nodeTexts = new Map<NodeId, string>();
  readonly #jobs = new TwoWay<JobId>();
  readonly #phases = new TwoWay<TaskId>();
  /** The live phases. Invariant: rising in `first`. */
  #ranges: readonly TaskRange[] = [];
  /** The range that was found last: names of one phase often come in a row. */
  #found: TaskRange | undefined;
  /** Attempts after the first of their task, and all attempts of tasks without a range. */
  readonly #later = new Map<TaskId, AttemptId[]>();
  readonly #attempts = new NamedAttempts();
  /** Attempts of ended jobs that have not ended. */
  readonly #leftovers = new TwoWay<AttemptId>();
  #nextAttempt = 0;

  addNode(id: NodeId, name: string): void {
    this.#nodes.add(id, name);
    this.#nodeTexts.set(id, quoted(name));
  }

  /** The id of the next node to be named, unless its line gives another. */
  get nextNode(): number {
    return this.#nodes.next;
  }

  get nextJob(): number {
    return this.#jobs.next;
  }

  /** Whether another live job has its name. */
  isTaken({ id, name }: Job): boolean {
    const known = this.#jobs.id(escaped(name));
    return known !== undefined && known !== id;
  }

  addJob(job: Job): void {
    const name = escaped(job.name);
    this.#jobs.add(job.id, name);
    const added = job.phases.flatMap((phase): readonly TaskRange[] => {
      const first = phase.tasks.at(0)?.id;
      if (first === undefined) return [];
      const prefix = `${name}/${escaped(phase.name)}`;
      this.#phases.add(first, prefix);
      const count = phase.tasks.length;
      const firstAttempts = new Int32Array(count).fill(NONE);
      const opening = quoted(`${prefix}/`).slice(0, -1);
      return [{ prefix, opening, job: job.id, first, count, firstAttempts }];
    });
    this.#ranges = [...this.#ranges, ...added].sort((a, b) => (a.first < b.first ? -1 : 1));
  }

  /** Call this at the attempt's launch, or when the host first mentions it. */
  addAttempt(id: AttemptId, task: TaskId, node: NodeId): void {
    // An id below the next one had a name before, and has lost it.
    if (id < this.#nextAttempt) return;
    this.#nextAttempt = id + 1;
    this.#attempts.add(id, task, this.#numberAttempt(id, task), node);
  }

  /** The attempt's place among the attempts of its task. */
  #numberAttempt(id: AttemptId, task: TaskId): number {
    const range = this.#rangeOf(task);
    if (range !== undefined && range.firstAttempts[task - range.first] === NONE) {
      range.firstAttempts[task - range.first] = id;
      return 0;
    }
    const later = this.#later.get(task) ?? [];
    this.#later.set(task, [...later, id]);
    return range === undefined ? later.length : 1 + later.length;
  }

  /** Forgets the names of ended things. Call this after each line is written or read. */
  settle(event: ClusterEvent, actions: readonly Action[]): void {
    switch (event.kind) {
      case "node-joined":
        this.#loseNode(event.node.id);
        break;
      case "node-left":
        this.#loseNode(event.node);
        break;
      case "attempt-succeeded":
      case "attempt-failed":
      case "attempt-killed":
      case "launch-refused":
        this.#endAttempt(event.attempt);
        break;
      case "links-sampled":
      case "sharing-tuned":
      case "woken":
      case "node-silent":
      case "node-heard":
      case "node-resized":
      case "slots-offered":
      case "job-submitted":
      case "job-killed":
      case "attempt-started":
      case "attempt-progressed":
      case "fetch-failed":
      case "output-lost":
      case "output-replicated":
      case "request-refused":
        break;
      default:
        never(event);
    }
    for (const action of actions) {
      if (action.kind === "declare-lost") this.#loseNode(action.node);
      if (action.kind === "end-job") this.#endJob(action.job);
    }
  }

  hasAttempt(id: AttemptId): boolean {
    return this.#attempts.has(id);
  }

  node(id: NodeId): string {
    return this.#nodes.name(id) ?? unnamed(id);
  }

  job(id: JobId): string {
    return this.#jobs.name(id) ?? unnamed(id);
  }

  task(id: TaskId): string {
    const range = this.#rangeOf(id);
    return range === undefined ? unnamed(id) : `${range.prefix}/${id - range.first}`;
  }

  attempt(id: AttemptId): string {
    const task = this.#attempts.task(id);
    if (task === undefined) return unnamed(id);
    return this.#leftovers.name(id) ?? `${this.task(task)}#${this.#attempts.index(id)}`;
  }

  /** A node's name as text of JSON. */
  nodeText(id: NodeId): string {
    return this.#nodeTexts.get(id) ?? quoted(unnamed(id));
  }

  /** A task's name as text of JSON. Behind the prefix, nothing has to be escaped. */
  taskText(id: TaskId): string {
    const range = this.#rangeOf(id);
    return range === undefined ? quoted(unnamed(id)) : `${range.opening}${id - range.first}"`;
  }

  /** An attempt's name as text of JSON. */
  attemptText(id: AttemptId): string {
    const task = this.#attempts.task(id);
    const range = task === undefined ? undefined : this.#rangeOf(task);
    if (task === undefined || range === undefined) return quoted(this.attempt(id));
    return `${range.opening}${task - range.first}#${this.#attempts.index(id)}"`;
  }

  /** The id of a joined node. */
  nodeNamed(name: string): NodeId | undefined {
    return this.#nodes.id(name);
  }

  findNode(name: string): NodeId | undefined {
    return this.nodeNamed(name) ?? given(name, nodeId);
  }

  findJob(name: string): JobId | undefined {
    return this.#jobs.id(name) ?? given(name, jobId);
  }

  findTask(name: string): TaskId | undefined {
    return this.#findTask(name, name.length);
  }

  findAttempt(name: string): AttemptId | undefined {
    const { task, index } = this.#split(name);
    const found = task === undefined ? undefined : this.#attemptOf(task, index);
    return found ?? this.#leftovers.id(name) ?? given(name, attemptId);
  }

  /**
   * The attempt of that name, or the id that the task's next attempt gets if the name is that
   * attempt's.
   */
  findOrNextAttempt(name: string): { readonly id: AttemptId; readonly task: TaskId } | undefined {
    const leftover = this.#leftovers.id(name);
    if (leftover !== undefined) {
      return { id: leftover, task: defined(this.#attempts.task(leftover), "a leftover's task") };
    }
    const { task, index } = this.#split(name);
    if (task === undefined) return undefined;
    const known = this.#attemptOf(task, index);
    if (known !== undefined) return { id: known, task };
    const isNext = index === 0 || this.#attemptOf(task, index - 1) !== undefined;
    return isNext ? { id: attemptId(this.#nextAttempt), task } : undefined;
  }

  #endAttempt(id: AttemptId): void {
    this.#attempts.end(id);
    if (!this.#leftovers.has(id)) return;
    this.#leftovers.drop(id);
    this.#attempts.delete(id);
  }

  /** A lost node will not report the ends of its attempts. */
  #loseNode(id: NodeId): void {
    for (const attempt of [...this.#attempts.openOn(id)]) this.#endAttempt(attempt);
  }

  #endJob(id: JobId): void {
    for (const range of this.#ranges) if (range.job === id) this.#dropPhase(range);
    this.#ranges = this.#ranges.filter((range) => range.job !== id);
    this.#found = undefined;
    this.#jobs.drop(id);
  }

  #split(name: string): { readonly task: TaskId | undefined; readonly index: number } {
    const hash = name.lastIndexOf("#");
    const index = wholeNumber(name, hash + 1, name.length);
    if (hash < 0 || index === NONE) return { task: undefined, index: 0 };
    return { task: this.#findTask(name, hash), index };
  }

  /** The task whose name is the text up to `end`. */
  #findTask(text: string, end: number): TaskId | undefined {
    const slash = text.lastIndexOf("/", end - 1);
    const range = this.#rangeNamed(text, Math.max(0, slash));
    if (range === undefined) return given(text.slice(0, end), taskId);
    const index = wholeNumber(text, slash + 1, end);
    const isWritten = text[slash + 1] !== "0" || end === slash + 2;
    return isWritten && index !== NONE && index < range.count
      ? taskId(range.first + index)
      : undefined;
  }

  /** The live phase whose tasks' names begin with the text up to `end`. */
  #rangeNamed(text: string, end: number): TaskRange | undefined {
    const { prefix } = this.#found ?? {};
    if (prefix?.length === end && text.startsWith(prefix)) return this.#found;
    const first = this.#phases.id(text.slice(0, end));
    return first === undefined ? undefined : this.#rangeOf(first);
  }

  /** The task's attempt of that number, in the order of launches. */
  #attemptOf(task: TaskId, index: number): AttemptId | undefined {
    const range = this.#rangeOf(task);
    if (range === undefined) return this.#later.get(task)?.[index];
    const first = range.firstAttempts[task - range.first] ?? NONE;
    if (first === NONE) return undefined;
    return index === 0 ? attemptId(first) : this.#later.get(task)?.[index - 1];
  }

  #dropPhase(range: TaskRange): void {
    for (const [index, first] of range.firstAttempts.entries()) {
      if (first === NONE) continue;
      this.#dropAttempt(attemptId(first));
      const task = taskId(range.first + index);
      for (const id of this.#later.get(task) ?? []) this.#dropAttempt(id);
      this.#later.delete(task);
    }
    this.#phases.drop(range.first);
  }

  #dropAttempt(id: AttemptId): void {
    if (this.#attempts.isOpen(id)) this.#leftovers.add(id, this.attempt(id));
    else this.#attempts.delete(id);
  }

  /** COST: O(log live phases). */
  #rangeOf(task: TaskId): TaskRange | undefined {
    const found = this.#found;
    if (found !== undefined && task >= found.first && task < found.first + found.count) {
      return found;
    }
    let low = 0;
    let high = this.#ranges.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#ranges[middle]!.first <= task) low = middle + 1;
      else high = middle;
    }
    const range = this.#ranges[low - 1];
    if (range === undefined || task >= range.first + range.count) return undefined;
    this.#found = range;
    return range;
  }
}

interface TaskRange {
  readonly prefix: string;
  /** The prefix as text of JSON, up to the task's index. */
  readonly opening: string;
  readonly job: JobId;
  readonly first: TaskId;
  readonly count: number;
  /** The first attempt of each task; NONE before it is launched. */
  readonly firstAttempts: Int32Array;
}

/** A two-way map between ids and names, each unique. */
class TwoWay<Id extends number> {
  next = 0;
  readonly #names = new Map<Id, string>();
  readonly #ids = new Map<string, Id>();

  add(id: Id, name: string): void {
    const known = this.#ids.get(name);
    assert(known === undefined || known === id, `two of the name ${name}`);
    this.#names.set(id, name);
    this.#ids.set(name, id);
    this.next = Math.max(this.next, id + 1);
  }

  drop(id: Id): void {
    const name = this.#names.get(id);
    if (name === undefined) return;
    this.#names.delete(id);
    this.#ids.delete(name);
  }

  has(id: Id): boolean {
    return this.#names.has(id);
  }

  name(id: Id): string | undefined {
    return this.#names.get(id);
  }

  id(name: string): Id | undefined {
    return this.#ids.get(name);
  }
}

const DIGITS = /^\d+$/;

/** Stands for "no number". */
const NONE = -1;

/** The number that a part of a text is, if digits are all there is. */
function wholeNumber(text: string, from: number, to: number): number {
  let number = from < to ? 0 : NONE;
  for (let at = from; at < to; at += 1) {
    const digit = text.charCodeAt(at) - 48;
    if (!(digit >= 0 && digit <= 9)) return NONE;
    number = 10 * number + digit;
  }
  return number;
}

const unnamed = (id: number): string => `@${id}`;

function given<Id>(name: string, brand: (n: number) => Id): Id | undefined {
  return name.startsWith("@") && DIGITS.test(name.slice(1))
    ? brand(Number(name.slice(1)))
    : undefined;
}

const MARKS = new Map([
  ["%", "%25"],
  ["/", "%2F"],
  ["#", "%23"],
  ["@", "%40"],
]);

/** A name, escaped for use as a part of a longer name. */
function escaped(name: string): string {
  return name.replace(/[%/#@]/g, (mark) => MARKS.get(mark) ?? mark);
}
