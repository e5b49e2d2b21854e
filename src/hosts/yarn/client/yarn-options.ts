import type { OnBadRecord } from "../../../data/formats/malformed.ts";
import type { OutputChange } from "../../../data/formats/output-change.ts";
import type { Registry } from "../../../policy/registry.ts";
import type { RunEvent } from "../../../run/run-event.ts";

/** Asks the user what to do with the application, until the application `ended` by itself. */
export type WhenAborted = (application: string, ended: AbortSignal) => Promise<"kill" | "leave">;

/** A job to run on a Hadoop cluster. Options that share a name with `RunOptions` mean the same. */
export interface YarnOptions {
  readonly jobFile: string;
  readonly input: readonly string[];
  readonly output?: string;
  readonly outputChange?: OutputChange;
  readonly onBadRecord?: OnBadRecord;
  readonly params?: Readonly<Record<string, string | number | boolean>>;
  /** As on the command line, since the containers parse it again. */
  readonly discipline: string;
  readonly settings: readonly string[];
  /** All policies, with the user's own, whose files are shipped. Default: those of the package. */
  readonly registry?: Registry;
  readonly reduces?: number;
  readonly splitBytes?: number;
  readonly compress?: boolean;
  readonly overwrite?: boolean;
  /** The directory on this machine in which each run has a directory of its own. */
  readonly runDirectory: string;
  /** The directory of Hadoop's configuration. Default: `HADOOP_CONF_DIR`. */
  readonly hadoopConf?: string;
  /** The path of Node on the cluster's nodes; if absent, this process's Node is shipped there. */
  readonly nodePath?: string;
  /** Hadoop's own properties for the jobs, `key=value`. */
  readonly properties: readonly string[];
  readonly environment: NodeJS.ProcessEnv;
  /** Ends the run; `whenAborted` decides about the application. */
  readonly signal?: AbortSignal;
  /**
   * Decides, after the signal, whether to kill the application or leave it running. The answer no
   * longer matters once the application has `ended`.
   */
  readonly whenAborted?: WhenAborted;
  readonly onEvent: (event: RunEvent) => void;
  /**
   * Copies the policies' journal while the job runs into the run's directory, and calls back with
   * the path of each ApplicationMaster's copy when it begins.
   */
  readonly onJournal?: (path: string) => void;
}
