import { cell } from "../base/rows.ts";
import { CURVE_POINTS, endAt, kindAt, readBytesAt, slotMsAt } from "../history/columns.ts";
import type { PageDocument, PageHead } from "../report/page/document.ts";
import { type Arranged, arranged, type Given, type GrowingBars, type RowsBy } from "./arranged.ts";
import { classOf } from "./classes.ts";
import { TaskChains } from "./task-chains.ts";

/** The previous page, and the attempts that are new or have changed since. */
interface Growth {
  readonly before: Run;
  readonly changed: readonly number[];
}

export interface RunOptions {
  readonly lateAbove?: number | undefined;
  /** What the timeline's rows are; default: slots. */
  readonly by?: RowsBy;
  readonly growth?: Growth | undefined;
  /** Given for a page that grows. */
  readonly barsOf?: ((given: Given) => GrowingBars) | undefined;
}

/** A document with everything that the views derive from it. */
export class Run {
  readonly head: PageHead;
  readonly attempts: PageDocument["attempts"];
  readonly rows: Arranged;
  /** What each attempt shows. */
  readonly shows: Uint8Array;
  /** An attempt is late beyond this many times its expected time. */
  readonly lateAbove: number;
  /** Nodes that the diagnosis calls slow, by name. */
  readonly isSlow: ReadonlySet<string>;
  /** The common prefix of all nodes' names, left out in the page's narrow gutters. */
  readonly #shared: string;
  /** The domain that all nodes share. */
  readonly #sharedEnd: string;
  readonly #phaseInJob: readonly number[];
  readonly #tasks: TaskChains;
  /** The array that `shows` is a part of. */
  readonly #shown: Uint8Array;
  /** The bars by slot of a page that grows. */
  readonly #bars: GrowingBars | undefined;

  constructor(
    { head, attempts }: PageDocument,
    { lateAbove, by = "slot", growth, barsOf }: RunOptions = {},
  ) {
    this.head = head;
    this.attempts = attempts;
    this.isSlow = new Set(
      (head.why?.nodes ?? [])
        .filter(({ verdict }) => verdict === "slow" || verdict === "lasting")
        .map(({ node }) => node),
    );
    this.lateAbove = lateAbove ?? head.why?.limits.lateAbove ?? 1.5;
    this.#phaseInJob = placesInJobs(head);
    const { before, changed = Array(attempts.length).keys() } = growth ?? {};
    this.#shown = withRoom(
      before === undefined ? new Uint8Array(0) : before.#shown,
      attempts.length,
    );
    for (const i of changed) {
      this.#shown[i] = classOf(cell(attempts.kinds[i]), cell(attempts.ends[i]), this.phaseInJob(i));
    }
    this.shows = this.#shown.subarray(0, attempts.length);
    if (head.isLive === true && by === "slot") {
      const bars = before === undefined ? undefined : before.#bars;
      if (growth !== undefined) bars?.grow(this, growth.changed);
      this.#bars = bars ?? barsOf?.(this);
    }
    this.rows = this.#bars?.arranged(this) ?? arranged(this, by);
    this.#tasks = before === undefined ? new TaskChains() : before.#tasks;
    this.#tasks.add(attempts, before?.attempts.length ?? 0);
    const names = head.nodes.map(({ name }) => name);
    this.#sharedEnd = sharedEnd(names);
    this.#shared = sharedStart(
      names.map((name) => name.slice(0, -this.#sharedEnd.length || undefined)),
    );
  }

  /** The most slots that there were at once, as the diagnosis counts them; undefined if unknown. */
  get slots(): number | undefined {
    const { jobs, why, rows, slotsKnown } = this.head;
    if (jobs.length === 1 && why !== undefined) return why.slots.most;
    return slotsKnown ? rows.length : undefined;
  }

  /** The name of the job that is diagnosed, if there are several. */
  get judged(): string | undefined {
    const { jobs, why } = this.head;
    return jobs.length > 1 ? why?.job.name : undefined;
  }

  /** The attempts of the attempt's task, in the order of their numbers. */
  ofTask(i: number): readonly number[] {
    const { ordinal } = this.attempts;
    const own = this.#tasks.of(this.attempts, i);
    return own.toSorted((a, b) => cell(ordinal[a]) - cell(ordinal[b]) || a - b);
  }

  /** For instance `reduce/53#0`; the job's name precedes it where there are several jobs. */
  nameOf(i: number): string {
    const phase = this.phaseName(this.phaseOf(i));
    return `${phase}/${this.attempts.task[i]}#${this.attempts.ordinal[i]}`;
  }

  /** With the job's name if there are several jobs. */
  phaseName(at: number): string {
    const phase = this.head.phases[at];
    const job = this.head.jobs.length > 1 ? `${this.head.jobs[phase?.job ?? 0]?.name}/` : "";
    return `${job}${phase?.name}`;
  }

  phaseOf(i: number): number {
    return cell(this.attempts.phase[i]);
  }

  /** What the attempt shows. */
  shown(i: number): number {
    return cell(this.shows[i]);
  }

  /** The phase's number within its job. */
  phaseInJob(i: number): number {
    return cell(this.#phaseInJob[this.phaseOf(i)]);
  }

  /** As `phaseInJob`, for a phase. */
  placeInJob(phase: number): number {
    return cell(this.#phaseInJob[phase]);
  }

  /** The attempt of this name; -1 if there is none. */
  find(name: string): number {
    for (let i = 0; i < this.attempts.length; i++) if (this.nameOf(i) === name) return i;
    return -1;
  }

  nodeOf(i: number): string {
    return this.head.nodes[this.attempts.node[i] ?? -1]?.name ?? "unknown";
  }

  /** The node's name, without the common prefix if names are long. */
  shortNode(node: number): string {
    return this.shortName(this.head.nodes[node]?.name ?? "unknown");
  }

  shortName(name: string): string {
    const end = this.#sharedEnd;
    if (end !== "" && name.endsWith(end)) return this.shortName(name.slice(0, -end.length));
    if (!name.startsWith(this.#shared)) return name;
    return this.#shared === "" ? name : `…${name.slice(this.#shared.length)}`;
  }

  kindOf(i: number): string {
    return kindAt(this.attempts, i);
  }

  endOf(i: number): string {
    return endAt(this.attempts, i);
  }

  /** How it ended, and why it has no result, in the system's words. */
  endText(i: number): string {
    const { job } = cell(this.head.phases[this.phaseOf(i)]);
    const reason = this.head.jobs[job]?.reasons?.[cell(this.attempts.reason[i])];
    return `${this.endOf(i)}${reason === undefined ? "" : `: ${reason}`}`;
  }

  startedAt(i: number): number {
    return cell(this.attempts.startedAt[i]);
  }

  endedAt(i: number): number {
    return cell(this.attempts.endedAt[i]);
  }

  /** When the attempt ended or, if it was lost, when its node was last heard. */
  heardTo(i: number): number {
    return this.attempts.heardAt[i]!;
  }

  tookMs(i: number): number {
    return this.endedAt(i) - this.startedAt(i);
  }

  /** What the attempt read, as input or from a shuffle; NaN if unknown. */
  readBytes(i: number): number {
    return readBytesAt(this.attempts, i);
  }

  slotMs(i: number): number {
    return slotMsAt(this.attempts, i);
  }

  /** A lost attempt's time after the last word of its node; else 0. */
  silentMs(i: number): number {
    return this.endedAt(i) - this.heardTo(i);
  }

  /** The attempt's time without the wait for its input. */
  ownMs(i: number): number {
    return this.tookMs(i) - (this.attempts.heldMs[i] || 0);
  }

  /** How many times its expected time the attempt took; NaN if it has too few peers. */
  timesOf(i: number): number {
    return this.ownMs(i) / cell(this.attempts.expectedMs[i]);
  }

  isLate(i: number): boolean {
    return this.timesOf(i) > this.lateAbove;
  }

  /** When its expected time was over, if the attempt was late; else infinite. */
  lateFrom(i: number): number {
    return this.isLate(i)
      ? this.endedAt(i) - this.ownMs(i) + cell(this.attempts.expectedMs[i])
      : Infinity;
  }

  /** Whether the page has a curve of the attempt's progress. */
  hasCurve(i: number): boolean {
    return !Number.isNaN(this.attempts.curves?.[CURVE_POINTS * i] ?? Number.NaN);
  }

  /** An attempt that still runs in a live page, or when the log ends, ends with the log. */
  hasEnded(i: number, at: number): boolean {
    const ended = this.endedAt(i);
    return this.endOf(i) === "cut-off" ? ended < at : ended <= at;
  }

  /** The attempt's progress at a moment, 0 to 1; NaN if the source does not say. */
  scoreAt(i: number, at: number): number {
    const { startedAt, endedAt } = this.attempts;
    if (at < startedAt[i]! || at > endedAt[i]!) return Number.NaN;
    const [before, after] = this.#around(i, (point) => point.at > at);
    if (after === undefined) return before.score || Number.NaN;
    const share = (at - before.at) / Math.max(after.at - before.at, 1);
    return before.score + share * (after.score - before.score);
  }

  /** When the attempt reached the score; NaN if it did not, or the source does not say. */
  reachedAt(i: number, score: number): number {
    const [before, after] = this.#around(i, (point) => point.score > score - ROUNDING);
    if (after === undefined) return Number.NaN;
    const share = (score - before.score) / (after.score - before.score || 1);
    return before.at + share * (after.at - before.at);
  }

  /**
   * The last point of the attempt's curve before `isBeyond` holds, and the first point where it
   * does.
   */
  #around(i: number, isBeyond: (point: Reached) => boolean): readonly [Reached, Reached?] {
    let before: Reached = { at: this.startedAt(i), score: 0 };
    for (const point of this.#pointsOf(i)) {
      if (isBeyond(point)) return [before, point];
      before = point;
    }
    return [before];
  }

  /** The recorded curve, and where the attempt was when it ended. */
  *#pointsOf(i: number): Generator<Reached, void> {
    const { curves, startedAt, score } = this.attempts;
    if (curves === undefined) return;
    const start = startedAt[i]!;
    for (let point = 0; point < CURVE_POINTS; point++) {
      const ms = cell(curves[CURVE_POINTS * i + point]);
      if (Number.isNaN(ms)) break;
      yield { at: start + ms, score: (point + 1) / CURVE_POINTS };
    }
    const last = cell(score[i]);
    if (!Number.isNaN(last)) yield { at: this.heardTo(i), score: last };
  }
}

/** The number of each phase within its job. */
function placesInJobs({ phases }: PageHead): readonly number[] {
  const first = new Map<number, number>();
  return phases.map(({ job }, phase) => {
    if (!first.has(job)) first.set(job, phase);
    return phase - (first.get(job) ?? phase);
  });
}

/** The array, or a longer copy of it if `count` values do not fit. */
function withRoom(known: Uint8Array, count: number): Uint8Array {
  if (known.length >= count) return known;
  const larger = new Uint8Array(2 * count);
  larger.set(known);
  return larger;
}

interface Reached {
  readonly at: number;
  readonly score: number;
}

/** A score is a sum of many small ones, so it may be slightly off. */
const ROUNDING = 1e-9;

const LONG = 12;

/** The domain that all names end with; empty if there is none or names are IP addresses. */
export function sharedEnd(names: readonly string[]): string {
  const [first = ""] = names;
  const domain = /\..*[a-z].*$/i.exec(first)?.[0] ?? "";
  const isShared = names.length > 1 && names.every((name) => name.endsWith(domain));
  return isShared ? domain : "";
}

/** The part before the last separator that all long names share; empty if names are short. */
export function sharedStart(names: readonly string[]): string {
  const [first = ""] = names;
  if (names.length < 2 || names.every(({ length }) => length <= LONG)) return "";
  let length = 0;
  while (length < first.length && names.every((name) => name[length] === first[length])) length++;
  const whole = /^.*[^0-9]/.exec(first.slice(0, length))?.[0] ?? "";
  return whole.length < 3 ? "" : whole;
}
