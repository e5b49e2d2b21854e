import { InputError } from "../../base/input-error.ts";
import { ascending } from "../../base/order.ts";
import {
  type AttemptColumns,
  endAt,
  kindAt,
  localityAt,
  TRACE_ENDS,
} from "../../history/columns.ts";
import {
  type Note,
  type Signal,
  type Trace,
  type TraceFormat,
  type TraceJob,
  type TracePhase,
  unmeasured,
} from "../../history/model.ts";
import { Reasons } from "../../history/reasons.ts";
import { lastTimeOf } from "./attempts.ts";
import { type Clocks, clocksOf, isOfJobTracker, ONE_CLOCK } from "./clocks.ts";
import { recordedOf, slowstartOf } from "./conf.ts";
import { evidenceOf, gapIn, leaveOutContradicting, submissionOf } from "./evidence.ts";
import { attemptsIn, type HadoopJob } from "./history.ts";
import { NodeNames, phaseOf } from "./phase.ts";

export interface HadoopSource {
  readonly format: TraceFormat;
  readonly file: string;
  /** The reader's remarks. */
  readonly notes: readonly Note[];
  /** The number of records that could not be read. */
  readonly unread: number;
}

/** The jobs of a history as a trace. Throws an InputError if no attempt in it ever ran. */
export function hadoopTrace(jobs: readonly HadoopJob[], source: HadoopSource): Trace {
  const { format, file } = source;
  const { unique, repeated } = withoutRepeats(jobs);
  const originMs = Math.min(...unique.map((job) => submissionOf(job) ?? Number.POSITIVE_INFINITY));
  const from = Number.isFinite(originMs) ? originMs : 0;
  const built = unique.map((job) => traceJob(job, from, source));
  const traced = built.flatMap(({ job }) => job ?? []);
  if (traced.length === 0) {
    const expected = "expected attempts of tasks; the history has none that began";
    throw new InputError("bad-input", file, expected);
  }
  const hasOnlyWinners = format === "rumen" && traced.every(({ phases }) => hasWinners(phases));
  for (const { lacks } of built) if (hasOnlyWinners) lacks.add("failed attempts");
  const notes = [...source.notes, ...repeated, ...built.flatMap((one) => one.notes)];
  const bySubmission = [...traced].sort(ascending(({ submittedAt }) => submittedAt));
  return { source: { format, files: [file] }, originMs: from, jobs: bySubmission, notes };
}

/** A job is known by its id and its submission: folded traces repeat ids at other times. */
function withoutRepeats(jobs: readonly HadoopJob[]): {
  readonly unique: readonly HadoopJob[];
  readonly repeated: readonly Note[];
} {
  const unique = new Map<string, HadoopJob>();
  for (const job of jobs) {
    const key = `${job.id} ${submissionOf(job)}`;
    const known = unique.get(key);
    if (known === undefined || attemptsIn(known) < attemptsIn(job)) unique.set(key, job);
  }
  const extra = jobs.length - unique.size;
  const accounts = extra === 1 ? "1 more account" : `${extra} more accounts`;
  const text = `${accounts} of the same jobs: of each job the fullest is read`;
  return {
    unique: [...unique.values()],
    repeated: extra === 0 ? [] : [{ kind: "duplicate", text }],
  };
}

const hasCopies = (phases: readonly TracePhase[]): boolean =>
  phases.some(({ attempts }) =>
    Array.from(attempts.kinds.keys()).some((row) => kindAt(attempts, row) === "speculative"),
  );

interface Built {
  readonly job?: TraceJob;
  readonly lacks: Set<Signal>;
  readonly notes: readonly Note[];
}

function traceJob(job: HadoopJob, originMs: number, { format, unread }: HadoopSource): Built {
  const gap = gapIn(job);
  const hasTrackers = format === "jobtracker" || isOfJobTracker(job.id);
  if (!hasTrackers) leaveOutContradicting(job);
  const clocks = hasTrackers ? clocksOf(job) : ONE_CLOCK;
  const nodes = new NodeNames();
  for (const { attempts, splits } of job.tasks.values()) {
    for (const { host, rack } of [...splits, ...attempts.values()]) {
      if (host !== undefined && rack !== undefined) nodes.racks.set(host, rack);
    }
  }
  const lastAt = lastTimeOf(job, clocks);
  const reasons = new Reasons();
  const context = { job, hasTrackers, clocks, originMs, lastAt, nodes, reasons };
  const [map, reduce] = [phaseOf("map", context), phaseOf("reduce", context)];
  const phases = [
    ...(map === undefined ? [] : [{ ...map.phase, reads: [] }]),
    ...(reduce === undefined
      ? []
      : [{ ...reduce.phase, reads: map === undefined ? [] : readsMaps(job) }]),
  ];
  const starts = phases.flatMap(({ attempts }) => [...attempts.startedAt.subarray(0, 1)]);
  const lacks = lacksOf(phases);
  if (starts.length === 0) {
    const text = `${job.id} has no attempt that ran, and is left out`;
    return { lacks, notes: [{ kind: "dropped", text, job: job.id }] };
  }
  const evidence = evidenceOf(job, phases, { reasons: reasons.texts, gap, unread });
  const submittedAt = submissionOf(job);
  const { user, launchedAt, masterStarts } = job;
  const traced: TraceJob = {
    id: job.id,
    name: job.name,
    ...(user !== undefined && { user }),
    ...(job.workflow !== undefined && { workflow: job.workflow }),
    submittedAt: submittedAt === undefined ? Math.min(...starts) : submittedAt - originMs,
    ...(launchedAt !== undefined && { launchedAt: launchedAt - originMs }),
    ...(masterStarts.length > 0 && { masterStarts: masterStarts.map((at) => at - originMs) }),
    endedAt: (job.finishedAt ?? lastAt) - originMs,
    outcome: job.outcome,
    phases,
    spans: [],
    nodes: nodes.all,
    ...(nodes.racks.size > 0 && { racks: nodes.all.map((host) => nodes.racks.get(host) ?? "") }),
    executors: [],
    slots: [],
    settings: recordedOf(job, hasTrackers, hasCopies(phases)),
    lacks,
    ...(evidence !== undefined && { evidence }),
  };
  const dropped = (map?.dropped ?? 0) + (reduce?.dropped ?? 0);
  return { job: traced, lacks, notes: notesOf(job, clocks, dropped) };
}

const readsMaps = (job: HadoopJob): TracePhase["reads"] => [
  { phase: 0, start: { when: "fraction", of: slowstartOf(job) } },
];

function notesOf(job: HadoopJob, clocks: Clocks, dropped: number): readonly Note[] {
  const notes: Note[] = [];
  const note = (kind: Note["kind"], text: string): void => {
    notes.push({ kind, text, job: job.id });
  };
  const trackers = clocks.shiftMs.size;
  if (trackers > 0) {
    const whose = trackers === 1 ? "1 tracker's clock was" : `${trackers} trackers' clocks were`;
    note("clocks", `${job.id}: ${whose} corrected by up to ${secondsOf(clocks.largestMs)}`);
  }
  if (job.outcome === "cut-off") note("cut-off", `the history ends before ${job.id} does`);
  if (dropped > 0) {
    const whose = dropped === 1 ? "1 attempt" : `${dropped} attempts`;
    note("dropped", `${job.id}: ${whose} without times left out`);
  }
  return notes;
}

const secondsOf = (ms: number): string => (ms < 1_000 ? `${ms} ms` : `${Math.round(ms / 1_000)} s`);

const hasWinners = (phases: readonly TracePhase[]): boolean =>
  phases.every(({ attempts }) =>
    attempts.ends.every((end) => end === TRACE_ENDS.indexOf("succeeded")),
  );

const LACKED_BY_ALL: readonly Signal[] = [
  "fetch wait",
  "deserialisation",
  // Hadoop counts spilled records, not bytes.
  "spill",
  "executors",
  "slots",
  "other jobs on the cluster",
];

function lacksOf(phases: readonly TracePhase[]): Set<Signal> {
  const lacks = new Set<Signal>([...LACKED_BY_ALL, ...unmeasured(phases)]);
  if (!phases.some(({ kind }) => kind === "reduce")) lacks.delete("shuffle bytes");
  if (!phases.some(({ attempts }) => hasLocality(attempts))) lacks.add("locality");
  if (!phases.some(({ attempts }) => attempts.curves !== undefined)) lacks.add("progress");
  const killed = readByKilled(phases);
  if (killed.length > 0 && !killed.some(isKnown)) lacks.add("counters of killed attempts");
  return lacks;
}

const hasLocality = (attempts: AttemptColumns): boolean =>
  attempts.task.some((_, row) => localityAt(attempts, row) !== undefined);

const isKnown = (value: number): boolean => !Number.isNaN(value);

/** The bytes that each killed attempt read, where known. */
function readByKilled(phases: readonly TracePhase[]): readonly number[] {
  return phases.flatMap(({ attempts }) =>
    [...attempts.inputBytes].filter((_, row) => endAt(attempts, row) === "killed"),
  );
}
