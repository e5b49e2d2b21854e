import { defined } from "../../../base/assert.ts";
import type { Json } from "../../../base/json.ts";
import { Rows } from "../../../base/rows.ts";
import type { SetupDescription } from "../../../core/journal/index.ts";
import { CURVE_POINTS, TRACE_ENDS, type TraceEnd } from "../../../history/columns.ts";
import { ATTEMPT_KINDS } from "../../../model/attempt.ts";
import { type Fact, heardAt, openEnd } from "../../../model/fact.ts";
import type { AttemptId, JobId, TaskId } from "../../../model/ids.ts";
import type { Job } from "../../../model/job.ts";
import { LACKS, stagesOf } from "../../../trace/journal/journal-jobs.ts";
import { ProgressTimes } from "../../../trace/journal/progress-times.ts";
import type { PageJob, PagePhase } from "../document.ts";
import { silentMs } from "../document-bytes.ts";
import { HostLines } from "../host-lines.ts";
import { type Place, type PlacePhase, Places } from "../places.ts";
import { Told } from "../told.ts";
import { ClusterFold } from "./cluster-fold.ts";
import { type Changes, type LiveHead, type Now, SENT } from "./frame.ts";
import { parcels, type Text } from "./parcel.ts";

interface OpenJob {
  readonly job: Job;
  /** Its place among all jobs. */
  readonly index: number;
  /** The number of its first phase over all jobs. */
  readonly firstPhase: number;
  /** The bytes that tasks read, by the number of their phase over all jobs; NaN where unknown. */
  readonly inputBytes: Map<number, Float64Array>;
  ended: { readonly at: number } | undefined;
}

interface Running {
  readonly id: AttemptId;
  readonly place: Place;
  readonly of: OpenJob;
  readonly lane: number;
  readonly node: number;
  readonly as: number;
  readonly startedAt: number;
  readonly progress: ProgressTimes;
  /** The score when the core asked for its end. */
  dyingScore: number | undefined;
  /** The value that the reader knows; undefined if it knows none, or a wrong one. */
  shown: number | undefined;
}

/**
 * A fold over the steps of a journal that keeps running attempts, drops those that have ended, and
 * yields the rows that changed.
 */
export class LiveFold {
  readonly #setup: SetupDescription;
  readonly #source: string;
  readonly #told = new Told();
  readonly #places = new Places();
  readonly #host: HostLines;
  readonly #cluster: ClusterFold;
  readonly #jobs: PageJob[] = [];
  readonly #phases: PagePhase[] = [];
  /** The kinds of slots that phases take, in the order of the phases. */
  readonly #kinds = new Set<string>();
  /** Jobs that have not ended. */
  readonly #open = new Map<JobId, OpenJob>();
  readonly #running = new Map<AttemptId, Running>();
  /** Rows that have ended since the last call of `take`, and those that never ran. */
  readonly #rows = new Rows(SENT);
  #gone: number[] = [];
  #decided = 0;
  #from: number | undefined;
  #now = 0;
  /** When the last attempt ended. */
  #lastEnd = 0;
  /**
   * How often the contents of the head have changed: until now, and until the head was last
   * yielded.
   */
  #changes = 0;
  #headOf = -1;
  #hasChanged = false;

  /** `source`: the journal's name; `lacksRefusals`: refusals are unknown. */
  constructor(
    setup: SetupDescription,
    { source, lacksRefusals }: { readonly source: string; readonly lacksRefusals: boolean },
  ) {
    this.#told.lacksRefusals = lacksRefusals;
    this.#setup = setup;
    this.#source = source;
    this.#host = new HostLines(setup.slotKinds, this.#told);
    this.#cluster = new ClusterFold(setup);
  }

  host(data: Json): void {
    this.#host.read(data);
  }

  step(step: Parameters<Told["apply"]>[0]): void {
    const { event, facts } = step;
    this.#hasChanged = true;
    for (const fact of facts) this.#fact(fact);
    this.#told.apply(step);
    this.#now = Math.max(this.#now, event.at);
    if (event.kind !== "attempt-started" && event.kind !== "attempt-progressed") return;
    this.#running.get(event.attempt)?.progress.see(event.progress, event.at);
  }

  get hasJobs(): boolean {
    return this.#jobs.length > 0;
  }

  /** All jobs have ended, and there is one. */
  get isOver(): boolean {
    return this.hasJobs && this.#open.size === 0;
  }

  /** Rows that have ended since the last call of `take`. */
  get waiting(): number {
    return this.#rows.length;
  }

  /** What changed since the last call. COST: O(changes + running attempts). */
  take(): Iterable<Changes> {
    if (!this.#hasChanged || this.#from === undefined) return [];
    this.#hasChanged = false;
    const from = this.#from;
    const texts = [...this.#newTexts(from)];
    this.#addRunning();
    const gone = this.#gone;
    this.#gone = [];
    return parcels(this.#nowOf(from), this.#newHead(from), { rows: this.#rows, texts, gone });
  }

  #fact(fact: Fact): void {
    this.#now = fact.at;
    switch (fact.kind) {
      case "node-joined":
        this.#cluster.join(fact.node, fact.at);
        return;
      case "node-lost":
        this.#cluster.leave(fact.node, fact.at);
        return;
      case "job-submitted":
        this.#submit(fact.job);
        return;
      case "job-ended":
        this.#endJob(fact);
        return;
      case "attempt-launched":
        this.#launch(fact);
        return;
      case "attempt-dying": {
        const one = this.#running.get(fact.attempt);
        if (one !== undefined) one.dyingScore = fact.score;
        return;
      }
      case "attempt-ended":
        this.#end(fact);
        return;
      case "output-made":
        this.#addOutput(fact.task, fact.output.byPartition);
        return;
      default:
    }
  }

  #submit(job: Job): void {
    this.#from ??= job.submittedAt;
    const from = this.#from;
    this.#places.submit(job);
    const [index, firstPhase] = [this.#jobs.length, this.#phases.length];
    const inputBytes = new Map<number, Float64Array>();
    for (const [n, phase] of job.phases.entries()) {
      const { name, tasks, after, slots } = phase;
      const reads = after.map(
        (edge) => firstPhase + job.phases.findIndex(({ id }) => id === edge.phase),
      );
      const stages = stagesOf(phase);
      this.#phases.push({ job: index, name, tasks: tasks.length, reads, ...stages });
      this.#kinds.add(this.#cluster.kindOf(slots[0]));
      if (tasks.at(0)?.inputBytes === undefined) continue;
      const bytes = Float64Array.from(tasks, (task) => task.inputBytes ?? Number.NaN);
      inputBytes.set(firstPhase + n, bytes);
    }
    const { name, user } = job;
    const submittedAt = job.submittedAt - from;
    this.#jobs.push({ name, user, submittedAt, endedAt: submittedAt, outcome: "cut-off" });
    this.#open.set(job.id, { job, index, firstPhase, inputBytes, ended: undefined });
    this.#changes += 1;
  }

  #endJob({ job: id, at, outcome }: Extract<Fact, { readonly kind: "job-ended" }>): void {
    const job = defined(this.#open.get(id), "a job that has not ended");
    const known = defined(this.#jobs[job.index], "a job that was submitted");
    this.#jobs[job.index] = { ...known, endedAt: at - (this.#from ?? 0), outcome };
    job.ended = { at };
    this.#open.delete(id);
    this.#places.endJob(id);
    this.#lastEnd = Math.max(this.#lastEnd, at);
    this.#changes += 1;
    // Its kills are reported later.
    for (const one of this.#running.values()) if (one.of === job) one.shown = undefined;
  }

  #launch(fact: Extract<Fact, { readonly kind: "attempt-launched" }>): void {
    const place = this.#places.launch(fact.attempt, fact.task);
    const of = defined(this.#open.get(place.phase.job), "a job that has not ended");
    const { node } = fact;
    this.#running.set(fact.attempt, {
      id: fact.attempt,
      place,
      of,
      lane: this.#cluster.lanes.take(node, this.#kindOf(of, place.phase), fact.at),
      node,
      as: ATTEMPT_KINDS.indexOf(fact.as),
      startedAt: fact.at,
      progress: new ProgressTimes(fact.at),
      dyingScore: undefined,
      shown: undefined,
    });
  }

  #kindOf({ job, firstPhase }: OpenJob, { index }: PlacePhase): string {
    return this.#cluster.kindOf(job.phases[index - firstPhase]?.slots[0]);
  }

  #end(fact: Extract<Fact, { readonly kind: "attempt-ended" }>): void {
    const { attempt, end, at } = fact;
    const one = this.#running.get(attempt);
    if (one === undefined) return;
    this.#running.delete(attempt);
    this.#places.end(attempt);
    if (end.how === "refused") {
      // A refused attempt never ran. Readers may have a row of it.
      this.#cluster.lanes.giveBack(one.lane);
      this.#gone.push(attempt);
      return;
    }
    this.#cluster.lanes.free(one.lane, at);
    this.#lastEnd = Math.max(this.#lastEnd, at);
    const hasSucceeded = end.how === "succeeded";
    const { of, place, dyingScore } = one;
    const read = hasSucceeded ? of.inputBytes.get(place.phase.index)?.[place.task] : undefined;
    const ended = {
      ended: end.how,
      endedAt: at,
      heardAt: heardAt(fact),
      score: dyingScore,
      inputBytes: read,
    };
    this.#add(one, ended, pointsOf(one.progress.end(at, hasSucceeded)));
  }

  /** What a map wrote for each partition is the input of the phases that read it. */
  #addOutput(task: TaskId, byPartition: readonly number[] | undefined): void {
    const writer = this.#places.phaseOf(task);
    if (writer === undefined || byPartition === undefined) return;
    const { job, firstPhase, inputBytes } = defined(this.#open.get(writer.job), "an open job");
    const { id } = job.phases[writer.index - firstPhase] ?? {};
    for (const [n, phase] of job.phases.entries()) {
      if (!phase.after.some((edge) => edge.phase === id)) continue;
      const index = firstPhase + n;
      const bytes = inputBytes.get(index) ?? new Float64Array(phase.tasks.length).fill(Number.NaN);
      inputBytes.set(index, bytes);
      for (const [reader, more] of byPartition.entries()) {
        const before = bytes[reader];
        if (before !== undefined) bytes[reader] = (Number.isNaN(before) ? 0 : before) + more;
      }
    }
  }

  /** Adds the attempts whose progress is not what the reader knows. */
  #addRunning(): void {
    for (const one of this.#running.values()) {
      const { ended } = one.of;
      const soFar = one.progress.soFar(ended?.at ?? this.#now);
      const score = one.dyingScore ?? (ended ? undefined : soFar?.score);
      const points = pointsOf(soFar?.curve);
      const shown = 16 * thousandths(score) + (points?.findIndex((ms) => Number.isNaN(ms)) ?? 0);
      if (Object.is(shown, one.shown)) continue;
      one.shown = shown;
      // The record goes on, so that an attempt that is cut off has no end yet.
      const end = openEnd({ jobEndedAt: ended?.at, recordEndsAt: Number.NaN });
      this.#add(one, { ...end, heardAt: end.endedAt, score }, points);
    }
  }

  #add(one: Running, end: End, points: readonly number[] | undefined): void {
    const { place } = one;
    const { endedAt, heardAt } = end;
    const from = defined(this.#from, "a job that was submitted");
    const row = this.#rows.append();
    const { columns } = this.#rows;
    columns.id[row] = one.id;
    columns.lane[row] = one.lane;
    columns.startedAt[row] = Math.round(one.startedAt - from);
    columns.endedAt[row] = Math.round(endedAt - from);
    columns.silentMs[row] = Number.isNaN(endedAt) ? 0 : silentMs(endedAt - from, heardAt - from);
    columns.phase[row] = place.phase.index;
    columns.task[row] = place.task;
    columns.ordinal[row] = place.ordinal;
    columns.node[row] = one.node;
    columns.as[row] = one.as;
    columns.end[row] = TRACE_ENDS.indexOf(end.ended);
    columns.inputBytes[row] = end.inputBytes ?? Number.NaN;
    columns.score[row] = thousandths(end.score);
    if (points !== undefined) columns.curves.set(points, CURVE_POINTS * row);
  }

  *#newTexts(from: number): Generator<Text, void> {
    const told = this.#told;
    for (; this.#decided < told.decided; this.#decided++) {
      const decision = told.decision(this.#decided, from);
      if (decision !== undefined) yield { decision: [this.#decided, decision] };
    }
    for (const n of told.takeRefused()) {
      const refusal = told.refusal(n, from);
      if (refusal !== undefined) yield { refusal: [n, refusal] };
    }
  }

  #nowOf(from: number): Now {
    const endsAt = this.#open.size > 0 ? this.#now : this.#lastEnd;
    return {
      endsAt: endsAt - from,
      firstLaunches: this.#told.firstLaunches,
      offeredMs: this.#cluster.offeredMs(from, endsAt),
    };
  }

  /** COST: O(nodes + jobs), if something in it changed. */
  #newHead(from: number): LiveHead | undefined {
    const { nodes, lanes, named } = this.#cluster;
    const changes = this.#changes + lanes.changes + this.#told.spanChanges;
    if (changes === this.#headOf) return undefined;
    this.#headOf = changes;
    return {
      schema: "broomwagon/page@1",
      title: this.#jobs.map(({ name }) => name).join(", "),
      host: this.#host.host,
      format: "journal",
      source: this.#source,
      originMs: 0,
      discipline: this.#setup.discipline.name,
      nodes: [...nodes],
      jobs: [...this.#jobs],
      phases: [...this.#phases],
      ...lanes.rows(nodes, this.#kinds),
      slotsKnown: lanes.areKnown,
      ...(this.#told.lacksRefusals && { lacksRefusals: true }),
      spans: this.#told.spans(named, from, Number.POSITIVE_INFINITY),
      lacks: LACKS,
      notes: [],
    };
  }
}

interface End {
  readonly ended: TraceEnd;
  readonly endedAt: number;
  readonly heardAt: number;
  readonly score: number | undefined;
  readonly inputBytes?: number | undefined;
}

/** Columns hold whole numbers. */
const thousandths = (score = Number.NaN): number => Math.round(1_000 * score);

/** As a trace has them: with half the digits. */
const pointsOf = (curve: readonly number[] | undefined): readonly number[] | undefined =>
  curve?.map((ms) => Math.round(Math.fround(ms)));
