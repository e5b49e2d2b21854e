import type { Fault } from "../../model/fault.ts";
import type { Discipline } from "../../policy/policy.ts";
import type { RunEvent } from "./run-event.ts";

/**
 * A job to run on an embedded cluster of node processes. Paths are relative to the working
 * directory.
 */
export interface RunOptions {
  /** The user's module, TypeScript or JavaScript, whose default export is a job. */
  readonly jobFile: string;
  /** Files, directories or globs; empty: the job's own. */
  readonly input: readonly string[];
  /** The directory to be made; absent: the job's own. */
  readonly output?: string;
  /** How refusals and launches are decided; used exactly as given. */
  readonly discipline: Discipline;
  /** Node processes `n1` to `nN`. Default 4. */
  readonly nodes?: number;
  /** Map slots, and as many reduce slots, of each node. Default 1. */
  readonly slots?: number;
  /** Reduce tasks. Default: the job's own number, or one per 64 MB of input, 1 to 64. */
  readonly reduces?: number;
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

export const RUN_DEFAULTS = {
  nodes: 4,
  slots: 1,
  askAgainMs: 200,
  heartbeatMs: 200,
  taskTimeoutMs: 600_000,
  attemptsMax: 4,
  runDirectory: ".broomwagon/runs",
  overwrite: false,
  explain: true,
  seed: 1,
} as const;

/**
 * Milliseconds of silence after which a node of the embedded engine is lost, in place of Hadoop's
 * ten minutes: the parameter `expiryMs` of `fixed-expiry` that callers put into the discipline.
 */
export const ENGINE_EXPIRY_MS = 10_000;
