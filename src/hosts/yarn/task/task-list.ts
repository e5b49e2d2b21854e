import { isObject } from "../../../base/shape.ts";
import type { OnBadRecord } from "../../../data/formats/malformed.ts";
import type { OutputChange } from "../../../data/formats/output-change.ts";
import type { NarrowSource, PhaseResult, TableFiles } from "../../../data/index.ts";
import type { AttemptFailure } from "../../../data/task/failure.ts";
import type { Params } from "../../../job/index.ts";

/**
 * The files that a client gives to the containers of one MapReduce job, all plain data, as JSON:
 *
 *     JOB_FILE   in the container's directory, from the distributed cache: `TaskJob`
 *     task list  in the staging directory, named by TASKS_KEY: a line for each map, `TaskLine`
 *     SHIPMENT   a subdirectory of the container's, unpacked from an archive: the runner and the
 *                user's modules; see ship.ts
 *
 * Maps run tasks that read no shuffle, or pass on the run files that reduces of an earlier job have
 * stored for the next shuffle. Reduces are the partitions of one phase. Sources are numbered among
 * all tasks of the `CourseJob`, whichever MapReduce job runs them.
 */
export interface TaskJob {
  readonly version: 1;
  readonly program: ShippedProgram;
  readonly params: Params;
  readonly onBadRecord: OnBadRecord;
  /** Whether shuffled data is deflated. */
  readonly compress: boolean;
  /** The memory of a task, in bytes: `PhaseTask.memoryBytes`. */
  readonly memory: { readonly map: number; readonly reduce: number };
  /** The phases whose tasks the job's maps run, without phases that are only passed on. */
  readonly maps: readonly TaskPhase[];
  /** Undefined if the maps write parts, with nothing to reduce. */
  readonly reduces?: ReducePhase;
}

export interface ShippedProgram {
  /** The name of the module to import, within SHIPMENT. */
  readonly entry: string;
  /** The file that the user wrote, for messages. */
  readonly file: string;
  readonly outputChange?: OutputChange;
}

export interface TaskPhase {
  /** The phase's number in the program. */
  readonly phase: number;
  /** The partitions of the shuffle that the phase writes; 0 if it writes none. */
  readonly partitions: number;
  /**
   * Paths of the tables' files, relative to the container's directory, where the distributed cache
   * links them.
   */
  readonly tables: readonly TableFiles[];
}

export interface ReducePhase extends TaskPhase {
  /** The number of the phase's first task among all tasks of the course's job. */
  readonly firstTask: number;
  /** By side, the numbers of the tasks that the phase reads, as in `CoursePhase`. */
  readonly sources: readonly (readonly number[])[];
  /** By partition, the name of its part within the job's output directory: see `MapTask`. */
  readonly parts: readonly string[];
}

/** A line of the task list: the Java side reads it, and hands it unchanged to the runner. */
export interface TaskLine {
  /** The hosts that store the task's input, by name, best first. */
  readonly hosts: readonly string[];
  /** The size of the task's input: Hadoop begins with the largest. */
  readonly bytes: number;
  /** What to copy into the container before the task begins; absent if nothing. */
  readonly copy?: InputCopy;
  readonly task: MapTask;
}

/**
 * A range of a file on Hadoop's file system. The copy lies in the container's directory under its
 * URI as a relative path (`hdfs://m1:8020/in/a.txt`), so that messages name what the user knows.
 * The copy is as long as the file, and has holes where nothing was copied.
 */
export interface InputCopy {
  /** With scheme, as in the task's source. */
  readonly path: string;
  /** The size of the whole file. */
  readonly fileBytes: number;
  /** How much of the file's beginning is copied too: it holds a CSV file's header. */
  readonly head: number;
  readonly from: number;
  readonly to: number;
  /** Whether the copy continues to the end of the line that contains the byte before `to`. */
  readonly toLineEnd: boolean;
}

export type MapTask =
  | {
      readonly kind: "narrow";
      readonly phase: number;
      /** The task's index in the phase. */
      readonly index: number;
      /** The task's number in the course's job. */
      readonly source: number;
      /** Paths as in `InputCopy`. */
      readonly reads: NarrowSource;
      /**
       * The part of a task that writes no shuffle, within the job's output directory. The last step
       * of the name is that of `partName`.
       */
      readonly part?: string;
    }
  /** Passes on the run file that a reduce of an earlier job has stored. */
  | { readonly kind: "pass-on"; readonly source: number; readonly path: string };

/** A line of a results file: the result of a task, written by its committed attempt. */
export interface TaskResult {
  readonly source: number;
  /** The program's phase; absent if the task only passed a run file on. */
  readonly phase?: number;
  readonly result?: PhaseResult;
}

/** Files in the job's output directory whose lines are `TaskResult`s, each result once. */
export const RESULTS_DIRECTORY = "results";

export const JOB_FILE = "broomwagon-job.json";
export const SHIPMENT = "broomwagon";
export const RUNNER = "yarn-task.mjs";

/** The configuration key under which the Java side finds the task list. */
export const TASKS_KEY = "broomwagon.tasks";

/** Hadoop counters that an attempt raises as it goes; see docs/yarn.md. */
export const COUNTER_GROUP = "Broomwagon";
export const COUNTERS = {
  /** 0 to 1000: a map's share of its input; a reduce's copying, sorting, reducing, a third each. */
  progress: "progressPermille",
  bytesRead: "bytesRead",
  bytesWritten: "bytesWritten",
  records: "records",
} as const;
/** The job's own counters, reported when an attempt succeeds. */
export const USER_COUNTER_GROUP = "Broomwagon job";

/** A line on stderr with this prefix continues with a `TaskError`. */
export const ERROR_PREFIX = "broomwagon-error ";

export interface TaskError extends AttemptFailure {
  readonly host: string;
  /** Hadoop's name of the attempt, `attempt_…`. */
  readonly attempt: string;
  /** The copied part of the input: lines in `message` are counted from its `from`. */
  readonly copy?: InputCopy;
}

/**
 * What each reader of these files relies on. Their writers are of the same version, so what is not
 * as it must be was cut off, or is not theirs.
 */
export const isTaskJob = (json: unknown): json is TaskJob =>
  isObject(json) &&
  "version" in json &&
  json.version === 1 &&
  "program" in json &&
  isObject(json.program) &&
  "maps" in json &&
  Array.isArray(json.maps);

export const isTaskLine = (json: unknown): json is TaskLine =>
  isObject(json) &&
  "task" in json &&
  isObject(json.task) &&
  "source" in json.task &&
  Number.isInteger(json.task.source);

export const isTaskResult = (json: unknown): json is TaskResult =>
  isObject(json) &&
  "source" in json &&
  Number.isInteger(json.source) &&
  (!("result" in json) || ("phase" in json && isObject(json.result)));

export const isTaskError = (json: unknown): json is TaskError =>
  isObject(json) &&
  "cause" in json &&
  typeof json.cause === "string" &&
  "message" in json &&
  typeof json.message === "string";
