import { userInfo } from "node:os";
import { basename, extname, resolve } from "node:path";
import { InputError } from "../base/input-error.ts";
import { assertUnchanged, fileOf } from "../data/formats/input-file.ts";
import type { OnBadRecord } from "../data/formats/malformed.ts";
import {
  changed,
  type InputPlan,
  importProgram,
  type PreparedJobFile,
  planSplits,
  prepareJobFile,
  resolveParams,
} from "../data/index.ts";
import type { CourseJob, CoursePhase, TaskSource } from "../data/task/course.ts";
import { meansOf, type TaskMeans } from "../data/task/task-resources.ts";
import type { Input, Params } from "../job/index.ts";
import { allowsCopies, type Program } from "../job/program.ts";
import { instant, type JobId, nodeId, phaseId, slotKind, taskId } from "../model/ids.ts";
import { type Job, MAP_STAGES, type Phase, type Priority, REDUCE_STAGES } from "../model/job.ts";
import { REDUCES_MAX, RUN_DEFAULTS, type RunSettings } from "./options.ts";
import { type ReplicasQuery, replicasOf } from "./replicas.ts";

export const SLOT_KINDS = ["map", "reduce"] as const;
export type SlotName = (typeof SLOT_KINDS)[number];

/** Hadoop's slowstart: reduces begin to copy when this share of the maps is done. */
const SLOWSTART = 0.05;

/** The plan of a run, before anything has begun: plain data, except for the program. */
export interface JobPlan {
  /** Loaded again from the job file wherever the program is needed. */
  readonly program: Program;
  readonly name: string;
  readonly file: PreparedJobFile;
  readonly params: Params;
  readonly inputs: readonly ReadPlan[];
  /** Overrides the program's number of reduces; undefined keeps it. */
  readonly reduces: number | undefined;
  readonly output: string;
  /** Whether a malformed record fails its attempt. */
  readonly onBadRecord: OnBadRecord;
  /** The nodes on which the input's splits are said to lie. */
  readonly spread: ReplicasQuery;
  readonly means: TaskMeans;
  /** Fair's pool, Capacity's queue. */
  readonly pool: string;
  readonly priority: Priority;
}

/** The plain data of a plan, as the journal records it. */
export type PlannedJob = Omit<JobPlan, "program">;

/**
 * The plan of a resumed run, with the job file as it was prepared. InputError if an input file has
 * changed since, because the run's finished work came from the old file; the same of a CommonJS
 * module, which is used in place.
 */
export async function planAgain(planned: PlannedJob): Promise<JobPlan> {
  const { inPlace } = planned.file;
  if (inPlace !== undefined) assertUnchanged(inPlace);
  const splits = planned.inputs.flatMap(({ input }) => input.splits);
  for (const split of new Map(splits.map((split) => [split.file, split])).values()) {
    assertUnchanged(fileOf(split));
  }
  return { ...planned, program: await importProgram(planned.file) };
}

/** The input of one of the program's reads. */
export interface ReadPlan {
  readonly name: string;
  /** The files, directories and globs that named the input. */
  readonly paths: readonly string[];
  readonly input: InputPlan;
}

/** The settings of a run that make its plan. */
export type PlanSettings = Pick<RunSettings, "job" | "input"> &
  Partial<Omit<RunSettings, "job" | "input">> & {
    readonly pool?: string;
    readonly priority?: Priority;
  };

/** InputError for a mistake in job file, input or parameters. */
export async function planJob(options: PlanSettings, into: string): Promise<JobPlan> {
  const from = resolve(options.workingDirectory ?? ".");
  const { job, outputChange } = options;
  const { defined } = job;
  const file = await prepareJobFile({
    file: resolve(from, job.file),
    into,
    outputChange,
    defined,
  });
  const program =
    options.program === undefined
      ? await importProgram(file)
      : changed(options.program, outputChange);
  checkReduces(program, options, file.file);
  const params = resolveParams(program, asText(options.params ?? {}));
  const output = options.output ?? ownOutput(program);
  if (output === undefined) {
    throw new InputError(
      "bad-flag",
      "output",
      "expected a directory, in the job file or by --output",
    );
  }
  return {
    program,
    name: program.name ?? basename(job.file, extname(job.file)),
    file,
    params,
    inputs: await planReads(program, options, { from, spoolInto: into }),
    reduces: options.reduces,
    output: resolve(from, output),
    onBadRecord: options.onBadRecord ?? "fail",
    spread: spreadOf(options),
    means: meansOf({ ...RUN_DEFAULTS, ...options }),
    pool: options.pool ?? "default",
    priority: options.priority ?? "normal",
  };
}

/** InputError if a shuffle has more partitions than it may have. */
function checkReduces({ phases }: Program, { reduces }: PlanSettings, jobFile: string): void {
  const own = phases.flatMap(({ reads }) =>
    reads.kind === "shuffle" && reads.partitions !== undefined ? [reads.partitions] : [],
  );
  const most = reduces ?? own.reduce((so, each) => Math.max(so, each), 0);
  if (most <= REDUCES_MAX) return;
  const expected = `expected at most ${REDUCES_MAX} reduces, found ${most}`;
  if (reduces !== undefined) throw new InputError("bad-flag", "reduces", expected);
  throw new InputError("bad-job", jobFile, expected);
}

function spreadOf(options: PlanSettings): ReplicasQuery {
  const { nodes, racks, replication } = { ...RUN_DEFAULTS, ...options };
  return { nodes, racks, replication };
}

/** The path of a single output; several outputs need a directory around them. */
export function ownOutput({ outputs }: Program): string | undefined {
  const [only, ...more] = outputs;
  return more.length === 0 ? only?.output.path : undefined;
}

async function planReads(
  program: Program,
  { input: given, splitBytes, onBadRecord = "fail" }: PlanSettings,
  { from, spoolInto }: { readonly from: string; readonly spoolInto: string },
): Promise<readonly ReadPlan[]> {
  const reads = readsOf(program);
  const paths = pathsByRead(reads, given);
  const plans: ReadPlan[] = [];
  for (const [name, input] of reads) {
    const own = paths.get(name) ?? [];
    const bytes = splitBytes === undefined ? {} : { splitBytes };
    const plan = await planSplits({ input, paths: own, from, spoolInto, onBadRecord, ...bytes });
    const whole = own.map((path) => (path === "-" ? path : resolve(from, path)));
    plans.push({ name, paths: whole, input: plan });
  }
  return plans;
}

export function readsOf({ phases }: Program): ReadonlyMap<string, Input<unknown>> {
  return new Map(
    phases.flatMap(({ reads }) =>
      reads.kind === "input" ? [[reads.name, reads.input] as const] : [],
    ),
  );
}

/**
 * The paths of each read, given by the user or by the read itself; InputError if a read has
 * neither.
 */
export function pathsByRead(
  reads: ReadonlyMap<string, Input<unknown>>,
  given: readonly string[],
): ReadonlyMap<string, readonly string[]> {
  const found = givenPaths([...reads.keys()], given);
  return new Map(
    Array.from(reads, ([name, { path }]) => {
      const paths = found.get(name) ?? (path === undefined ? [] : [path]);
      if (paths.length > 0 || reads.size === 1) return [name, paths];
      const expected = `expected a path, in the job file or by --input ${name}=...`;
      throw new InputError("missing-file", `input ${name}`, expected);
    }),
  );
}

/** `name=path` belongs to the read of that name; a bare path belongs to the only read. */
function givenPaths(
  reads: readonly string[],
  given: readonly string[],
): ReadonlyMap<string, readonly string[]> {
  const paths = new Map<string, string[]>();
  for (const text of given) {
    const name = reads.find((read) => text.startsWith(`${read}=`));
    const [only, ...more] = reads;
    if (name === undefined && (only === undefined || more.length > 0)) {
      const expected = `expected NAME=PATH, since it reads ${reads.join(", ")}`;
      throw new InputError("bad-flag", `input ${text}`, expected);
    }
    const read = name ?? only ?? "";
    const path = name === undefined ? text : text.slice(name.length + 1);
    paths.set(read, [...(paths.get(read) ?? []), path]);
  }
  return paths;
}

/** The first free ids, for the next job's parts. */
export interface FreeIds {
  readonly job: JobId;
  readonly phase: number;
  readonly task: number;
}

/** One of the plan's jobs as the core knows it. */
export function describeJob(plan: JobPlan, job: CourseJob, ids: FreeIds, at: number): Job {
  const isCopied = job.phases.some(({ program }) => allowsCopies(plan.program, program));
  return {
    id: ids.job,
    name: job.name,
    user: userInfo().username,
    pool: plan.pool,
    priority: plan.priority,
    submittedAt: instant(at),
    ...(isCopied ? {} : { speculate: false }),
    phases: job.phases.map((phase, index) => describePhase(plan, job, phase, { index, ids })),
  };
}

function describePhase(
  { program, spread }: JobPlan,
  job: CourseJob,
  phase: CoursePhase,
  { index, ids }: { readonly index: number; readonly ids: FreeIds },
): Phase {
  const { reads, pipeline } = phase.program;
  const id = phaseId(ids.phase + index);
  const start = pipeline
    ? ({ when: "fraction", of: SLOWSTART } as const)
    : ({ when: "done" } as const);
  const read = reads.kind === "shuffle" ? reads.sides.flat() : [];
  return {
    id,
    name: phase.name,
    job: ids.job,
    slots: [slotKind(SLOT_KINDS.indexOf(slotOf(phase)))],
    after: read.map((from) => ({ phase: phaseId(ids.phase + placeOf(job, from)), start })),
    ...(allowsCopies(program, phase.program) ? {} : { speculate: false }),
    tasks: phase.tasks.map((source, task) => ({
      id: taskId(ids.task + phase.firstTask + task),
      phase: id,
      index: task,
      replicas: source.kind === "split" ? replicasOf(task, spread).map(nodeId) : [],
      ...inputBytes(source),
      stages: reads.kind === "shuffle" ? REDUCE_STAGES : MAP_STAGES,
    })),
  };
}

/** Phases that read a shuffle take reduce slots, all others map slots. */
export const slotOf = ({ program }: CoursePhase): SlotName =>
  program.reads.kind === "shuffle" ? "reduce" : "map";

const placeOf = (job: CourseJob, phase: number): number =>
  job.phases.findIndex((one) => one.phase === phase);

function inputBytes(source: TaskSource): { readonly inputBytes?: number } {
  if (source.kind === "partition") return {};
  return {
    inputBytes: source.kind === "part" ? source.part.bytes : source.split.end - source.split.start,
  };
}

export const asText = (
  params: NonNullable<RunSettings["params"]>,
): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(params).map(([name, value]) => [name, String(value)]));
