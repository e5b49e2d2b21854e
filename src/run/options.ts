import { resolve } from "node:path";
import { isSafe } from "../data/bytes/safety.ts";
import type { OnBadRecord } from "../data/formats/malformed.ts";
import type { OutputChange } from "../data/formats/output-change.ts";
import type { DefinedJob } from "../data/load/import-program.ts";
import type { Flow, Job } from "../job/index.ts";
import type { Program } from "../job/program.ts";
import type { Fault } from "../model/fault.ts";
import type { Discipline } from "../policy/policy.ts";
import type { RunEvent } from "./run-event.ts";

/** What to run: the path of a job file, or what `defineJob` or `defineFlow` returned. */
export type RunJob = string | URL | Job | Flow;

/** The options of a run on an embedded cluster of node processes; those of `broomwagon run`. */
export interface RunOptions {
  /**
   * Files, directories or globs, `-` for standard input. A flow with several reads takes
   * `name=path`. Default: the job's own.
   */
  readonly input?: string | readonly string[];
  /** The directory to be made. Default: the job's own. */
  readonly output?: string;
  /**
   * Whether records come back as values, by `Running.records`, instead of as files. The records are
   * kept in the run's directory. Default false.
   */
  readonly collect?: boolean;
  /** Changes to the way the job writes its output. */
  readonly outputChange?: OutputChange;
  /** Whether a malformed input record fails the job. Default `fail`. */
  readonly onBadRecord?: OnBadRecord;
  /** The base of relative paths, in the job file too. Default: the process's own. */
  readonly workingDirectory?: string;
  /**
   * Decides every launch and refusal: a name, as for `--discipline`, under which a silent node is
   * lost after `ENGINE_EXPIRY_MS`; or what `parseDiscipline` returned, used exactly as given.
   * Default `late`.
   */
  readonly discipline?: string | Discipline;
  /** Parameters of the named discipline: `{ "speculation.speculativeCap": 0.3 }`. */
  readonly set?: Readonly<Record<string, string | number | boolean>>;
  /** Files of policies of your own, TypeScript or JavaScript, which the name may mean. */
  readonly policies?: string | readonly string[];
  /** Node processes `n1` to `nN`. Default 4. */
  readonly nodes?: number;
  /** Map slots of each node, and the same number of reduce slots. Default 1. */
  readonly slots?: number;
  /** The number of racks, to which nodes are assigned in turn. Default 1. */
  readonly racks?: number;
  /**
   * Megabits per second of each rack's way up and way down; reads from another rack really wait for
   * them. Default: no limit.
   */
  readonly rackMbps?: number;
  /**
   * The number of nodes on which each split of the input is said to lie, which decides what is near
   * a task. Default 0: the input lies nowhere in particular, as all nodes read the one disk of this
   * machine.
   */
  readonly replication?: number;
  /**
   * Reduce tasks, `REDUCES_MAX` at most. Default: the job's own number, or one per 64 MB of input,
   * 1 to 64.
   */
  readonly reduces?: number;
  /**
   * The memory of all processes together, beyond that of an idle cluster; larger data goes through
   * files. 64 MB at least. Default: a quarter of the machine's.
   */
  readonly memoryBytes?: number;
  /** Whether shuffled data is deflated, for slow disks. Default false. */
  readonly compress?: boolean;
  /** The most bytes of a split. Default: the data path's. */
  readonly splitBytes?: number;
  /** Values for the job's `ctx.params`, over its own defaults. */
  readonly params?: Readonly<Record<string, string | number | boolean>>;
  /** Faults, in milliseconds since the job was submitted. */
  readonly faults?: readonly Fault[];
  /** The time after which held slots are offered again. Default 200 ms. */
  readonly askAgainMs?: number;
  /** The interval of a node's heartbeats. Default 200 ms. */
  readonly heartbeatMs?: number;
  /** The time without progress after which an attempt fails. Default 600 s, as in Hadoop. */
  readonly taskTimeoutMs?: number;
  /** The number of failed attempts of a task that fails the job. Default 4, as in Hadoop. */
  readonly attemptsMax?: number;
  /** The directory in which each run has a directory of its own. Default `.broomwagon/runs`. */
  readonly runDirectory?: string;
  /**
   * Whether a succeeding job replaces an existing output directory that is empty or an earlier
   * output. Default false.
   */
  readonly overwrite?: boolean;
  /** Whether the journal includes refusals, and the numbers of every reason. Default false. */
  readonly explain?: boolean;
  /** The seed of the policies' random numbers. Default 1. */
  readonly seed?: number;
  /**
   * Ends the run: every process is killed, no output is left, and the run rejects with a RunError
   * whose `cause` is the signal's reason.
   */
  readonly signal?: AbortSignal;
  /** Called for each event; an exception from it ends the run. */
  readonly onEvent?: (event: RunEvent) => void;
}

export interface ResumeOptions {
  /** The directory of runs, if the run is given by its id. Default `.broomwagon/runs`. */
  readonly runDirectory?: string;
  /** As in `RunOptions`. */
  readonly signal?: AbortSignal;
  readonly onEvent?: (event: RunEvent) => void;
}

export const RUN_DEFAULTS = {
  discipline: "late",
  nodes: 4,
  slots: 1,
  racks: 1,
  replication: 0,
  askAgainMs: 200,
  heartbeatMs: isSafe ? 200 : 60_000,
  taskTimeoutMs: 600_000,
  attemptsMax: 4,
  runDirectory: ".broomwagon/runs",
  overwrite: false,
  explain: false,
  seed: 1,
} as const;

/** Partitions of a shuffle are numbered in 16 bits where pairs are sorted. */
export const REDUCES_MAX = 65_536;

/** With less memory the engine could not keep to its limit. */
export const MEMORY_BYTES_MIN = 64_000_000;

/**
 * Milliseconds of silence after which a node of the embedded engine is lost, in place of Hadoop's
 * ten minutes.
 */
export const ENGINE_EXPIRY_MS = 10_000;

/** The module with a run's job. Plain data. */
export interface JobSource {
  readonly file: string;
  /** Which of the module's jobs to take; absent: its default export. */
  readonly defined?: DefinedJob;
}

type Defaults = Omit<typeof RUN_DEFAULTS, "discipline">;
type Settled = "input" | "discipline" | "set" | "policies" | keyof Defaults;

/** The options of a run, checked, with its job and the defaults. */
export interface RunSettings
  extends Omit<RunOptions, Settled>,
    Required<Pick<RunOptions, keyof Defaults>> {
  readonly job: JobSource;
  /** The program of a job that this process has defined; otherwise its module is loaded. */
  readonly program?: Program;
  readonly input: readonly string[];
  readonly discipline: Discipline;
}

/** The settings that a journal records for a resume: plain data. */
export type RecordedOptions = Omit<
  RunSettings,
  "program" | "discipline" | "faults" | "runDirectory" | "signal" | "onEvent"
> & { readonly workingDirectory: string };

export function recordOptions(settings: RunSettings): RecordedOptions {
  const {
    program: _p,
    discipline: _,
    faults: _f,
    runDirectory: _r,
    signal: _s,
    onEvent: _e,
    ...plain
  } = settings;
  const { taskTimeoutMs, workingDirectory = "." } = plain;
  return {
    ...plain,
    // JSON has no Infinity: the largest safe integer stands for it.
    taskTimeoutMs: Math.min(taskTimeoutMs, Number.MAX_SAFE_INTEGER),
    workingDirectory: resolve(workingDirectory),
  };
}
