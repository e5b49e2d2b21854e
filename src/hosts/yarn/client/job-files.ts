import { assert, defined } from "../../../base/assert.ts";
import { formatOf } from "../../../data/formats/formats.ts";
import type { OnBadRecord } from "../../../data/formats/malformed.ts";
import type { Split } from "../../../data/index.ts";
import type { CoursePhase, DatasetPart } from "../../../data/task/course.ts";
import type { Input, Params } from "../../../job/index.ts";
import type {
  InputCopy,
  MapTask,
  ReducePhase,
  ShippedProgram,
  TaskJob,
  TaskLine,
  TaskPhase,
} from "../task/task-list.ts";
import { type HadoopMapWork, type MapReduceJob, runPart } from "./map-reduce-jobs.ts";

/** What all jobs of a run share. */
export interface ShippedFacts {
  readonly program: ShippedProgram;
  readonly params: Params;
  readonly onBadRecord: OnBadRecord;
  readonly compress: boolean;
  readonly memory: TaskJob["memory"];
  /** By split, the hosts that hold its bytes. */
  readonly hosts: ReadonlyMap<Split, readonly string[]>;
  /** By the name of a run part, the URI of the file that a reduce stored for the next job. */
  readonly runs: ReadonlyMap<string, DatasetPart>;
}

/** The files for the containers of one job. */
export interface JobFiles {
  readonly job: TaskJob;
  /** In the order of Hadoop's maps, largest input first. */
  readonly lines: readonly PlannedMap[];
  /** Tables for the distributed cache: URIs, and their names in the container. */
  readonly tables: readonly { readonly uri: string; readonly name: string }[];
}

export interface PlannedMap {
  readonly work: HadoopMapWork;
  readonly line: TaskLine;
}

export function jobFiles(job: MapReduceJob, facts: ShippedFacts): JobFiles {
  const { program, params, onBadRecord, compress, memory } = facts;
  const { reduces } = job;
  const narrow = job.maps.flatMap(({ kind, phase }) => (kind === "narrow" ? [phase] : []));
  const phases = [...new Set(narrow)];
  const maps = phases.map(taskPhase);
  const lines = job.maps.map((work) => ({ work, line: lineOf(work, facts) }));
  const all = reduces === undefined ? phases : [...phases, reduces];
  const shared = { version: 1, program, params, onBadRecord, compress, memory, maps } as const;
  return {
    job: reduces === undefined ? shared : { ...shared, reduces: reducePhase(reduces, job) },
    // Hadoop's own sort is stable too, so the numbers of tasks are known.
    lines: lines.sort((x, y) => y.line.bytes - x.line.bytes),
    tables: tablesOf(all),
  };
}

const taskPhase = ({ phase, partitions, tables }: CoursePhase): TaskPhase => ({
  phase,
  partitions,
  tables: tables.map(({ dataset, files }) => ({
    dataset,
    files: files.map((_, index) => tableName(dataset, index)),
  })),
});

const reducePhase = (phase: CoursePhase, { parts }: MapReduceJob): ReducePhase => ({
  ...taskPhase(phase),
  firstTask: phase.firstTask,
  sources: phase.sources,
  parts: parts.map(({ name }) => name),
});

const tableName = (dataset: number, index: number): string => `table-${dataset}-${index}`;

/** Each table once, even if several phases use it. */
function tablesOf(phases: readonly CoursePhase[]): JobFiles["tables"] {
  const tables = new Map<string, string>();
  for (const { dataset, files } of phases.flatMap((phase) => phase.tables)) {
    for (const [index, uri] of files.entries()) tables.set(tableName(dataset, index), uri);
  }
  return Array.from(tables, ([name, uri]) => ({ name, uri }));
}

function lineOf(work: HadoopMapWork, facts: ShippedFacts): TaskLine {
  const { kind, phase, index, part } = work;
  const source = phase.firstTask + index;
  if (kind === "pass-on") {
    const { name } = runPart(phase.phase, index);
    const stored = defined(facts.runs.get(name), `the stored run ${name}`);
    const task: MapTask = { kind, source, path: stored.path };
    return { hosts: [], bytes: stored.bytes, copy: wholeCopy(stored), task };
  }
  const reads = defined(phase.tasks[index], `task ${index}`);
  assert(reads.kind !== "partition", "a map reads no shuffle");
  const named = part === undefined ? {} : { part: part.name };
  const task = { kind, phase: phase.phase, index, source, ...named };
  if (reads.kind === "part") {
    const { path, bytes } = reads.part;
    const copy = wholeCopy(reads.part);
    return { hosts: [], bytes, copy, task: { ...task, reads: { kind: "part", path } } };
  }
  const { split } = reads;
  const { input } = readsOf(phase);
  return {
    hosts: facts.hosts.get(split) ?? [],
    bytes: split.end - split.start,
    copy: copyOf(split, input),
    task: { ...task, reads: { kind: "split", split } },
  };
}

function readsOf({ program: { reads } }: CoursePhase) {
  assert(reads.kind === "input", "splits are of an input");
  return reads;
}

const wholeCopy = ({ path, bytes }: DatasetPart): InputCopy => ({
  path,
  fileBytes: bytes,
  head: 0,
  from: 0,
  to: bytes,
  toLineEnd: false,
});

/** The part of a split's file that a container needs in order to read the split's records. */
function copyOf(split: Split, { format }: Pick<Input<unknown>, "format">): InputCopy {
  const { file: path, fileBytes, compression } = split;
  const whole = { path, fileBytes, head: 0, from: 0, to: fileBytes, toLineEnd: false };
  // The start of a record within a compressed file is unknown, so all of it is needed.
  if (compression !== "none") return whole;
  return { ...whole, ...formatOf(format).needs(split) };
}
