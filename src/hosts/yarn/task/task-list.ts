import type { OnBadRecord } from "../../../data/formats/malformed.ts";
import type { OutputChange } from "../../../data/formats/output-change.ts";
import type { NarrowSource, PhaseResult, TableFiles } from "../../../data/index.ts";
import type { AttemptFailure } from "../../../data/task/failure.ts";
import type { Params } from "../../../job/index.ts";

/**
 * What a client gives to the containers of one MapReduce job. All of it is plain data, as JSON:
 *
 *     JOB_FILE   in the container's directory, from the distributed cache: `TaskJob`
 *     task list  in the staging directory, named by TASKS_KEY: a line for each map, `TaskLine`
 *     SHIPMENT   a directory in the container's, unpacked from an archive: the runner and the
 *                user's modules; see ship.ts
 *
 * Maps run tasks that read no shuffle, or pass on what reduces of an earlier job have stored for
 * the next shuffle. Reduces are the partitions of one phase. Sources are known by their numbers
 * among all tasks of the `CourseJob`, whichever MapReduce job runs them.
 */
export interface TaskJob {
  readonly version: 1;
  readonly program: ShippedProgram;
  readonly params: Params;
  readonly onBadRecord: OnBadRecord;
  /** Whether what is shuffled is deflated. */
  readonly compress: boolean;
  /** What a task may hold, in bytes: `PhaseTask.memoryBytes`. */
  readonly memory: { readonly map: number; readonly reduce: number };
  /** Those whose tasks its maps run; phases that are only passed on are not among them. */
  readonly maps: readonly TaskPhase[];
  /** Undefined: its maps write parts, and there is nothing to reduce. */
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
  /** Its number in the program. */
  readonly phase: number;
  /** Of the shuffle that it writes; 0 if it writes none. */
  readonly partitions: number;
  /** Names of their files, from the container's directory: the distributed cache links them. */
  readonly tables: readonly TableFiles[];
}

export interface ReducePhase extends TaskPhase {
  /** The number of its first task among all tasks of the course's job. */
  readonly firstTask: number;
  /** By side, the numbers of the tasks that it reads, as in `CoursePhase`. */
  readonly sources: readonly (readonly number[])[];
  /** By partition, what its part is called within the job's output directory: see `MapTask`. */
  readonly parts: readonly string[];
}

/** A line of the task list: read by the Java side, and handed on to the runner as it is. */
export interface TaskLine {
  /** Where what it reads is stored, by name, best first. */
  readonly hosts: readonly string[];
  /** What it reads: Hadoop begins with the largest. */
  readonly bytes: number;
  /** What is copied into the container before the task begins; absent: nothing. */
  readonly copy?: InputCopy;
  readonly task: MapTask;
}

/**
 * A range of a file of Hadoop's. The copy stands in the container's directory under its own URI as
 * a relative path (`hdfs://m1:8020/in/a.txt`), so that messages name what the user knows; it is as
 * long as the file, and has a hole wherever nothing was copied.
 */
export interface InputCopy {
  /** With scheme, as the task's source has it. */
  readonly path: string;
  /** Of the whole file. */
  readonly fileBytes: number;
  /** So many bytes of the file's beginning are copied too: a CSV file's header is there. */
  readonly head: number;
  readonly from: number;
  readonly to: number;
  /** Whether it goes on to the end of the line in which the byte before `to` stands. */
  readonly toLineEnd: boolean;
}

export type MapTask =
  | {
      readonly kind: "narrow";
      readonly phase: number;
      /** Its index in the phase. */
      readonly index: number;
      /** Its number in the course's job. */
      readonly source: number;
      /** Paths as in `InputCopy`. */
      readonly reads: NarrowSource;
      /**
       * Of one that writes no shuffle, its part within the job's output directory. The last step of
       * the name is that of `partName`.
       */
      readonly part?: string;
    }
  /** Hands on the run file that a reduce of an earlier job has stored. */
  | { readonly kind: "pass-on"; readonly source: number; readonly path: string };

/** A line of a results file: what a task has come to, told by the attempt that was committed. */
export interface TaskResult {
  readonly source: number;
  /** The program's phase; absent: it has only passed on. */
  readonly phase?: number;
  readonly result?: PhaseResult;
}

/** Files in the job's output directory whose lines are `TaskResult`s; each of them once. */
export const RESULTS_DIRECTORY = "results";

export const JOB_FILE = "broomwagon-job.json";
export const SHIPMENT = "broomwagon";
export const RUNNER = "yarn-task.mjs";

/** The configuration key under which the Java side finds the task list. */
export const TASKS_KEY = "broomwagon.tasks";

/** Counters of Hadoop, which an attempt raises as it goes; see docs/yarn.md. */
export const COUNTER_GROUP = "Broomwagon";
export const COUNTERS = {
  /** 0 to 1000: a map's share of its input; a reduce's copying, sorting, reducing, a third each. */
  progress: "progressPermille",
  bytesRead: "bytesRead",
  bytesWritten: "bytesWritten",
  records: "records",
} as const;
/** The job's own counters, told when an attempt ends well. */
export const USER_COUNTER_GROUP = "Broomwagon job";

/** A line on stderr that begins so goes on with a `TaskError`. */
export const ERROR_PREFIX = "broomwagon-error ";

export interface TaskError extends AttemptFailure {
  readonly host: string;
  /** `attempt_…`, as Hadoop calls it. */
  readonly attempt: string;
  /** What was copied of the input: lines in `message` are counted from `from` on. */
  readonly copy?: InputCopy;
}
