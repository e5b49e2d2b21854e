import { defined } from "../../../base/assert.ts";
import type { Json } from "../../../base/json.ts";
import { Rows } from "../../../base/rows.ts";
import type { SetupDescription } from "../../../core/journal/index.ts";
import { AttemptFold, type OpenAttempt, type PastAttempt } from "../../../history/attempts.ts";
import { CURVE_POINTS, TRACE_ENDS } from "../../../history/columns.ts";
import { InputBytes } from "../../../history/input-bytes.ts";
import { LACKS, stagesOf } from "../../../history/job-fold.ts";
import { ATTEMPT_KINDS } from "../../../model/attempt.ts";
import { type Fact, openEnd } from "../../../model/fact.ts";
import type { AttemptId, JobId } from "../../../model/ids.ts";
import type { Job, Phase } from "../../../model/job.ts";
import { ProgressTimes } from "../../../trace/journal/progress-times.ts";
import type { PageJob, PagePhase } from "../document.ts";
import { HostLines } from "../host-lines.ts";
import { type JournalStep, RunLog } from "../run-log.ts";
import { ClusterFold } from "./cluster-fold.ts";
import { type Changes, type LiveHead, type Now, SENT } from "./frame.ts";
import { parcels, type Text } from "./parcel.ts";

interface LiveJob {
  /** Its place among all jobs. */
  readonly index: number;
  readonly inputBytes: InputBytes;
}

/** What a page shows of a running attempt besides what the fold of attempts knows. */
interface Running {
  readonly job: LiveJob;
  readonly lane: number;
  readonly progress: ProgressTimes;
  /** The value that the reader knows; undefined if it knows none, or a wrong one. */
  shown: number | undefined;
}

/** Yields the rows of a page that a journal's steps changed; keeps none of attempts that ended. */
export class LiveFold {
  readonly #setup: SetupDescription;
  readonly #source: string;
  readonly #attempts = new AttemptFold();
  readonly #log = new RunLog(this.#attempts);
  readonly #host: HostLines;
  readonly #cluster: ClusterFold;
  readonly #jobs: PageJob[] = [];
  readonly #phases: PagePhase[] = [];
  /** The kinds of slots that phases take, in the order of the phases. */
  readonly #kinds = new Set<string>();
  /** Jobs that have not ended. */
  readonly #open = new Map<JobId, LiveJob>();
  readonly #running = new Map<AttemptId, Running>();
  /** Rows that have ended since the last call of `take`, and those that never ran. */
  readonly #rows = new Rows(SENT);
  #gone: number[] = [];
  #decided = 0;
  #from: number | undefined;
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
    this.#log.lacksRefusals = lacksRefusals;
    this.#setup = setup;
    this.#source = source;
    this.#host = new HostLines(setup.slotKinds, this.#log);
    this.#cluster = new ClusterFold(setup);
  }

  host(data: Json): void {
    this.#host.read(data);
  }

  step(step: JournalStep): void {
    const { event, facts, names } = step;
    this.#hasChanged = true;
    for (const fact of facts) {
      this.#fact(fact);
      this.#log.apply(fact, names);
    }
    this.#log.ask(step);
    this.#attempts.until(event.at);
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

  /** Time 0 of the page. */
  get #start(): number {
    return defined(this.#from, "a job that was submitted");
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
    const past = this.#attempts.apply(fact);
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
        this.#launch(this.#attempts.open(fact.attempt));
        return;
      case "attempt-ended":
        this.#end(fact.attempt, past);
        return;
      case "output-made": {
        const task = this.#attempts.findTask(fact.task);
        const { byPartition } = fact.output;
        if (task === undefined || byPartition === undefined) return;
        this.#job(task.of.job.id).inputBytes.wrote(task.phase, byPartition);
        return;
      }
      default:
    }
  }

  #submit(job: Job): void {
    this.#from ??= Math.floor(job.submittedAt);
    const { firstPhase } = this.#attempts.job(job.id);
    const index = this.#jobs.length;
    for (const phase of job.phases) {
      const { name, tasks, after } = phase;
      const reads = after.map(
        (edge) => firstPhase + job.phases.findIndex(({ id }) => id === edge.phase),
      );
      this.#phases.push({ job: index, name, tasks: tasks.length, reads, ...stagesOf(phase) });
      this.#kinds.add(this.#kindOf(phase));
    }
    const { name, user } = job;
    const submittedAt = job.submittedAt - this.#from;
    this.#jobs.push({ name, user, submittedAt, endedAt: submittedAt, outcome: "cut-off" });
    this.#open.set(job.id, { index, inputBytes: new InputBytes(job) });
    this.#changes += 1;
  }

  #job(id: JobId): LiveJob {
    return defined(this.#open.get(id), "a job that has not ended");
  }

  #endJob({ job: id, at, outcome }: Extract<Fact, { readonly kind: "job-ended" }>): void {
    const { index } = this.#job(id);
    const known = defined(this.#jobs[index], "a job that was submitted");
    this.#jobs[index] = { ...known, endedAt: at - this.#start, outcome };
    this.#open.delete(id);
    this.#lastEnd = Math.max(this.#lastEnd, at);
    this.#changes += 1;
    // Its kills are reported later.
    for (const { id: attempt, task } of this.#attempts.running) {
      if (task.of.job.id === id) this.#shownOf(attempt).shown = undefined;
    }
  }

  #launch({ id, task, node, launchedAt }: OpenAttempt): void {
    const kind = this.#kindOf(defined(task.of.job.phases[task.phase], "a phase of a job"));
    const lane = this.#cluster.lanes.take(node, kind, launchedAt);
    const progress = new ProgressTimes(launchedAt);
    this.#running.set(id, { job: this.#job(task.of.job.id), lane, progress, shown: undefined });
  }

  #kindOf({ slots }: Phase): string {
    return this.#cluster.kindOf(slots[0]);
  }

  #shownOf(id: AttemptId): Running {
    return defined(this.#running.get(id), "an attempt that runs");
  }

  /** `past`: undefined if the attempt was refused: it never ran. Readers may have a row of it. */
  #end(id: AttemptId, past: PastAttempt | undefined): void {
    const { job, lane, progress } = this.#shownOf(id);
    this.#running.delete(id);
    if (past === undefined) {
      this.#cluster.lanes.giveBack(lane);
      this.#gone.push(id);
      return;
    }
    const { of, ended, endedAt } = past;
    this.#cluster.lanes.free(lane, endedAt);
    this.#lastEnd = Math.max(this.#lastEnd, endedAt);
    const hasSucceeded = ended === "succeeded";
    const { phase, index } = of.task;
    const inputBytes = hasSucceeded ? job.inputBytes.of(phase, index) : Number.NaN;
    const points = pointsOf(progress.end(endedAt, hasSucceeded));
    this.#add(past, { lane, score: of.dying?.score, inputBytes, points });
  }

  /** Adds the attempts whose progress is not what the reader knows. */
  #addRunning(): void {
    for (const of of this.#attempts.running) {
      const one = this.#shownOf(of.id);
      const { endedAt: jobEndedAt } = of.task.of;
      const soFar = one.progress.soFar(jobEndedAt ?? this.#attempts.now);
      const score = of.dying?.score ?? (jobEndedAt === undefined ? soFar?.score : undefined);
      const points = pointsOf(soFar?.curve);
      const shown = 16 * thousandths(score) + (points?.findIndex((ms) => Number.isNaN(ms)) ?? 0);
      if (Object.is(shown, one.shown)) continue;
      one.shown = shown;
      // The record goes on, so that an attempt that is cut off has no end yet.
      const end = openEnd({ jobEndedAt, recordEndsAt: Number.NaN });
      const { lane } = one;
      this.#add({ of, ...end, heardAt: end.endedAt }, { lane, score, points });
    }
  }

  #add(
    { of, ended, endedAt, heardAt }: Pick<PastAttempt, "of" | "ended" | "endedAt" | "heardAt">,
    { lane, score, inputBytes = Number.NaN, points }: Measured,
  ): void {
    const { id, task, ordinal, node, as, launchedAt } = of;
    const from = this.#start;
    const row = this.#rows.append();
    const { columns } = this.#rows;
    columns.id[row] = id;
    columns.lane[row] = lane;
    columns.startedAt[row] = Math.round(launchedAt - from);
    columns.endedAt[row] = Math.round(endedAt - from);
    columns.silentMs[row] = silentMs(endedAt - from, heardAt - from);
    columns.phase[row] = task.of.firstPhase + task.phase;
    columns.task[row] = task.index;
    columns.ordinal[row] = ordinal;
    columns.node[row] = node;
    columns.kinds[row] = ATTEMPT_KINDS.indexOf(as);
    columns.ends[row] = TRACE_ENDS.indexOf(ended);
    columns.inputBytes[row] = inputBytes;
    columns.score[row] = thousandths(score);
    if (points !== undefined) columns.curves.set(points, CURVE_POINTS * row);
  }

  *#newTexts(from: number): Generator<Text, void> {
    const log = this.#log;
    for (; this.#decided < log.decided; this.#decided++) {
      const decision = log.decision(this.#decided, from);
      if (decision !== undefined) yield { decision: [this.#decided, decision] };
    }
    for (const n of log.takeRefused()) {
      const refusal = log.refusal(n, from);
      if (refusal !== undefined) yield { refusal: [n, refusal] };
    }
  }

  #nowOf(from: number): Now {
    const endsAt = this.#open.size > 0 ? this.#attempts.now : this.#lastEnd;
    return {
      endsAt: endsAt - from,
      firstLaunches: this.#log.firstLaunches,
      offeredMs: this.#cluster.offeredMs(from, endsAt),
    };
  }

  /** COST: O(nodes + jobs), if something in it changed. */
  #newHead(from: number): LiveHead | undefined {
    const { nodes, lanes, named } = this.#cluster;
    const changes = this.#changes + lanes.changes + this.#log.spanChanges;
    if (changes === this.#headOf) return undefined;
    this.#headOf = changes;
    return {
      schema: "broomwagon/page@3",
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
      ...(this.#log.lacksRefusals && { lacksRefusals: true }),
      spans: this.#log.spans(named, from, Number.POSITIVE_INFINITY),
      lacks: LACKS,
      notes: [],
    };
  }
}

interface Measured {
  readonly lane: number;
  readonly score: number | undefined;
  readonly inputBytes?: number;
  readonly points: readonly number[] | undefined;
}

/** Between whole moments; 0 where the attempt has no end yet. */
const silentMs = (endedAt: number, heardAt: number): number =>
  Number.isNaN(endedAt) ? 0 : Math.round(endedAt) - Math.round(heardAt);

/** Columns hold whole numbers. */
const thousandths = (score = Number.NaN): number => Math.round(1_000 * score);

/** As a trace has them: with half the digits. */
const pointsOf = (curve: readonly number[] | undefined): readonly number[] | undefined =>
  curve?.map((ms) => Math.round(Math.fround(ms)));
