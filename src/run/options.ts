import { resolve } from "node:path";
import { isSafe } from "../data/bytes/safety.ts";
import type { OnBadRecord } from "../data/formats/malformed.ts";
import type { OutputChange } from "../data/formats/output-change.ts";
import type { Fault } from "../model/fault.ts";
import type { Priority } from "../model/job.ts";
import type { Discipline } from "../policy/policy.ts";
import type { RunEvent } from "./run-event.ts";

/** A job to run on an embedded cluster of node processes. */
export interface RunOptions {
  /** The user's module, TypeScript or JavaScript, whose default export is a job or a flow. */
  readonly jobFile: string;
  /**
   * Files, directories or globs, `-` for standard input; empty: the job's own. Of a flow with
   * several reads, `name=path`.
   */
  readonly input: readonly string[];
  /** The directory to be made; absent: the job's own. */
  readonly output?: string;
  /**
   * Whether what is written comes back as values, by `Running.records`, in place of files. They are
   * kept in the run's directory. Default false.
   */
  readonly collect?: boolean;
  /** How the job shall write, where it is not to be as it says itself. */
  readonly outputChange?: OutputChange;
  /** Whether a malformed record of input fails the job. Default `fail`. */
  readonly onBadRecord?: OnBadRecord;
  /** What paths are relative to, those in the job file too. Default: the process's own. */
  readonly workingDirectory?: string;
  /** How refusals and launches are decided; used exactly as given. */
  readonly discipline: Discipline;
  /** Node processes `n1` to `nN`. Default 4. */
  readonly nodes?: number;
  /** Map slots, and as many reduce slots, of each node. Default 1. */
  readonly slots?: number;
  /** Nodes are put into so many racks in turn. Default 1. */
  readonly racks?: number;
  /**
   * Megabits per second of each rack's way up and way down; what is read from another rack really
   * waits for them. Default: no limit.
   */
  readonly rackMbps?: number;
  /**
   * Nodes on which each split of the input is said to lie: what is near for a task. Default 0: the
   * input lies nowhere in particular, as all nodes read the one disk of this machine.
   */
  readonly replication?: number;
  /**
   * Reduce tasks, `REDUCES_MAX` at most. Default: the job's own number, or one per 64 MB of input,
   * 1 to 64.
   */
  readonly reduces?: number;
  /**
   * What all processes may hold together above those of an idle cluster; data that is larger goes
   * through files. 64 MB at least. Default: a quarter of the machine's.
   */
  readonly memoryBytes?: number;
  /** Whether what is shuffled is deflated: for slow disks. Default false. */
  readonly compress?: boolean;
  /** Fair's pool, Capacity's queue; matters where several jobs share an engine. */
  readonly pool?: string;
  readonly priority?: Priority;
  /** Most bytes of a split. Default: the data path's. */
  readonly splitBytes?: number;
  /** What the job sees as `ctx.params`, over its own defaults. */
  readonly params?: Readonly<Record<string, string | number | boolean>>;
  /** What goes wrong, in milliseconds since the job was submitted. */
  readonly faults?: readonly Fault[];
  /** Held slots are asked about again after this time. Default 200 ms. */
  readonly askAgainMs?: number;
  /** How often a node reports. Default 200 ms. */
  readonly heartbeatMs?: number;
  /** An attempt without any progress for so long has failed. Default 600 s, as in Hadoop. */
  readonly taskTimeoutMs?: number;
  /** A task's failed attempt of this number fails the job. Default 4, as in Hadoop. */
  readonly attemptsMax?: number;
  /** Where runs live, each in a directory of its own. Default `.broomwagon/runs`. */
  readonly runDirectory?: string;
  /**
   * An output directory that exists is replaced, when the job has succeeded, if it is empty or an
   * earlier output. Default false.
   */
  readonly overwrite?: boolean;
  /** Whether the journal tells refusals too, and the numbers of every reason. Default true. */
  readonly explain?: boolean;
  /** Of the policies' chance. Default 1. */
  readonly seed?: number;
  /** Ends the run: every process is killed and no output is left. */
  readonly signal?: AbortSignal;
  /** Called as things happen; what it throws ends the run. */
  readonly onEvent?: (event: RunEvent) => void;
}

export interface ResumeOptions {
  /** The run's id, or its folder. */
  readonly run: string;
  /** Where runs live, for an id. Default `.broomwagon/runs`. */
  readonly runDirectory?: string;
  /** As of `RunOptions`. */
  readonly signal?: AbortSignal;
  readonly onEvent?: (event: RunEvent) => void;
}

export const RUN_DEFAULTS = {
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
  explain: true,
  seed: 1,
} as const;

/** Partitions of a shuffle are numbered in 16 bits where pairs are sorted. */
export const REDUCES_MAX = 65_536;

/** Of less the engine could not keep its promise. */
export const MEMORY_BYTES_MIN = 64_000_000;

/**
 * Milliseconds of silence after which a node of the embedded engine is lost, in place of Hadoop's
 * ten minutes: the parameter `expiryMs` of `fixed-expiry` that callers put into the discipline.
 */
export const ENGINE_EXPIRY_MS = 10_000;

/** What a journal holds of the options, to be resumed from: plain data. */
export type RecordedOptions = Omit<
  RunOptions,
  "discipline" | "faults" | "runDirectory" | "signal" | "onEvent"
> & { readonly workingDirectory: string };

export function recordOptions(options: RunOptions): RecordedOptions {
  const {
    discipline: _,
    faults: _f,
    runDirectory: _r,
    signal: _s,
    onEvent: _e,
    ...plain
  } = options;
  const { taskTimeoutMs, workingDirectory = "." } = plain;
  return {
    ...plain,
    // JSON has no Infinity.
    ...(taskTimeoutMs !== undefined && {
      taskTimeoutMs: Math.min(taskTimeoutMs, Number.MAX_SAFE_INTEGER),
    }),
    workingDirectory: resolve(workingDirectory),
  };
}
