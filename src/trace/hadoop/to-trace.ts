import type { AttemptKind } from "../../model/attempt.ts";
import { ColumnsBuilder, type TraceAttempt, type TraceEnd } from "../columns.ts";
import type { Note, Signal, TraceJob, TracePhase } from "../model.ts";
import type { HadoopAttempt, HadoopJob, HadoopTask } from "./history.ts";

/**
 * The job with its phases `map` and `reduce`. `originMs`: the trace's time 0. undefined if none of
 * its attempts has a start.
 */
export function hadoopTraceJob(
  job: HadoopJob,
  originMs: number,
  /** The discipline of the system that made the copies of the record. */
  copiedBy: string,
): { readonly job: TraceJob; readonly notes: readonly Note[] } | undefined {
  const nodes = new Names();
  const lastAt = lastTime(job);
  const { phases, racks, dropped, copies } = phasesOf(job, { originMs, lastAt, nodes });
  if (phases.every(({ attempts }) => attempts.length === 0)) return undefined;
  const firstAt = Math.min(...phases.map((phase) => phase.attempts.startedAt[0] ?? Infinity));
  const submittedAt = job.submittedAt ?? job.launchedAt;
  const speculation = job.settings.get("mapreduce.map.speculative");
  const traced: TraceJob = {
    id: job.id,
    name: job.name,
    ...(job.user !== undefined && { user: job.user }),
    submittedAt: submittedAt === undefined ? firstAt : submittedAt - originMs,
    ...(job.launchedAt !== undefined && { launchedAt: job.launchedAt - originMs }),
    endedAt: (job.finishedAt ?? lastAt) - originMs,
    outcome: job.outcome,
    phases,
    spans: [],
    nodes: nodes.all,
    ...(racks.size > 0 && { racks: nodes.all.map((_, index) => racks.get(index) ?? "") }),
    executors: [],
    slots: [],
    settings: {
      ...(speculation !== undefined && { speculation: speculation === "true" }),
      ...(copies > 0 && { speculation: true, discipline: copiedBy }),
      values: Object.fromEntries(job.settings),
    },
    lacks: lacksOf(phases),
  };
  const text = `${dropped} attempts without a start were left out: they never ran`;
  return { job: traced, notes: dropped > 0 ? [{ kind: "dropped", text }] : [] };
}

function phasesOf(
  job: HadoopJob,
  { originMs, lastAt, nodes }: { originMs: number; lastAt: number; nodes: Names },
) {
  const racks = new Map<number, string>();
  const phases: TracePhase[] = [];
  let dropped = 0;
  let copies = 0;
  for (const kind of ["map", "reduce"] as const) {
    const tasks = [...job.tasks.values()]
      .filter((task) => task.kind === kind)
      .sort((a, b) => compare(a.id, b.id));
    if (tasks.length === 0) continue;
    const columns = new ColumnsBuilder();
    for (const [index, task] of tasks.entries()) {
      const attempts = attemptsOf(task, lastAt);
      dropped += task.attempts.size - attempts.length;
      for (const [ordinal, found] of attempts.entries()) {
        const node = nodes.index(found.host ?? "unknown");
        if (found.rack !== undefined) racks.set(node, found.rack);
        const as = kindOf(attempts, ordinal);
        if (as === "speculative") copies += 1;
        const times = { task: index, ordinal, as, node, executor: -1 };
        columns.add({ ...times, ...measuresOf(found, originMs) });
      }
    }
    phases.push({
      name: kind,
      kind,
      try: 0,
      span: -1,
      reads: phases.length === 0 ? [] : [{ phase: 0, start: { when: "fraction", of: SLOWSTART } }],
      tasks: tasks.length,
      attempts: columns.build(),
    });
  }
  return { phases, racks, dropped, copies };
}

/** Hadoop's default. How many maps were done is taken from the record. */
const SLOWSTART = 0.05;

class Names {
  readonly #index = new Map<string, number>();

  get all(): readonly string[] {
    return [...this.#index.keys()];
  }

  index(name: string): number {
    const known = this.#index.get(name);
    if (known !== undefined) return known;
    this.#index.set(name, this.#index.size);
    return this.#index.size - 1;
  }
}

type Ran = HadoopAttempt & {
  readonly startedAt: number;
  readonly finishedAt: number;
  readonly ended: TraceEnd;
};

/** Those that ran, by start. One that had not ended when the log did ends with the log. */
function attemptsOf(task: HadoopTask, lastAt: number): readonly Ran[] {
  return [...task.attempts.values()]
    .flatMap((one): Ran[] => {
      const { startedAt } = one;
      if (startedAt === undefined || startedAt <= 0) return [];
      const finishedAt = one.finishedAt ?? lastAt;
      if (finishedAt < startedAt) return [];
      return [{ ...one, startedAt, finishedAt, ended: one.ended ?? "cut-off" }];
    })
    .sort((a, b) => compare(a.startedAt, b.startedAt) || compare(a.id, b.id));
}

const compare = <T>(a: T, b: T): number => (a < b ? -1 : a > b ? 1 : 0);

function kindOf(attempts: readonly Ran[], ordinal: number): AttemptKind {
  const own = attempts[ordinal];
  const earlier = attempts.slice(0, ordinal);
  const before = earlier.at(-1);
  if (own === undefined || before === undefined) return "original";
  if (own.isSpeculative === true) return "speculative";
  if (earlier.some(({ finishedAt }) => finishedAt > own.startedAt)) return "speculative";
  if (earlier.some(({ ended }) => ended === "succeeded")) return "recompute";
  return before.ended === "failed" ? "retry" : "rerun";
}

function measuresOf(
  one: Ran,
  originMs: number,
): Omit<TraceAttempt, "task" | "ordinal" | "as" | "node" | "executor"> {
  const { counters } = one;
  const at = (ms: number | undefined): number => (ms === undefined ? Number.NaN : ms - originMs);
  const count = (name: string): number => counters?.get(name) ?? Number.NaN;
  const read = count("BYTES_READ");
  const inputBytes = read > 0 ? read : count("HDFS_BYTES_READ");
  const isReduce = !Number.isNaN(count("REDUCE_SHUFFLE_BYTES"));
  return {
    startedAt: one.startedAt - originMs,
    endedAt: one.finishedAt - originMs,
    ended: one.ended,
    locality: one.locality,
    inputBytes: isReduce ? Number.NaN : inputBytes,
    inputRecords: count("MAP_INPUT_RECORDS"),
    shuffleBytes: count("REDUCE_SHUFFLE_BYTES"),
    shuffleRecords: count("REDUCE_INPUT_RECORDS"),
    outputBytes: count(isReduce ? "HDFS_BYTES_WRITTEN" : "MAP_OUTPUT_BYTES"),
    gcMs: count("GC_TIME_MILLIS"),
    cpuMs: count("CPU_MILLISECONDS"),
    shuffleEndAt: at(one.shuffleEndAt),
    sortEndAt: at(one.sortEndAt),
    // The curve of a killed attempt is filled up at its kill: it is real up to the bytes read.
    ...(one.curve !== undefined && { curve: one.curve }),
  };
}

function lastTime(job: HadoopJob): number {
  let last = job.finishedAt ?? job.submittedAt ?? 0;
  for (const { attempts } of job.tasks.values()) {
    for (const { startedAt, finishedAt } of attempts.values()) {
      last = Math.max(last, startedAt ?? 0, finishedAt ?? 0);
    }
  }
  return last;
}

function lacksOf(phases: readonly TracePhase[]): ReadonlySet<Signal> {
  const lacks = new Set<Signal>([
    "fetch wait",
    "deserialisation",
    "executors",
    "slots",
    "time of assignment",
    "other jobs on the cluster",
  ]);
  const has = (of: (phase: TracePhase) => Float64Array): boolean =>
    phases.some((phase) => of(phase).some((value) => !Number.isNaN(value)));
  if (!has(({ attempts }) => attempts.inputBytes)) lacks.add("input bytes");
  if (!has(({ attempts }) => attempts.shuffleBytes)) lacks.add("shuffle bytes");
  if (!has(({ attempts }) => attempts.inputRecords)) lacks.add("records");
  if (!has(({ attempts }) => attempts.gcMs)) lacks.add("GC");
  if (!has(({ attempts }) => attempts.cpuMs)) lacks.add("CPU time");
  if (!phases.some(({ attempts }) => attempts.curves !== undefined)) lacks.add("progress");
  return lacks;
}
