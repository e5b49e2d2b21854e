import type { OnBadRecord } from "../../../data/formats/malformed.ts";
import type { OutputChange } from "../../../data/formats/output-change.ts";
import type { RunEvent } from "../../../run/run-event.ts";

/** What becomes of the application: to be asked of the user, until it has `ended` by itself. */
export type WhenAborted = (application: string, ended: AbortSignal) => Promise<"kill" | "leave">;

/** A job to run on a Hadoop cluster. What has the name of one of `RunOptions` means the same. */
export interface YarnOptions {
  readonly jobFile: string;
  readonly input: readonly string[];
  readonly output?: string;
  readonly outputChange?: OutputChange;
  readonly onBadRecord?: OnBadRecord;
  readonly params?: Readonly<Record<string, string | number | boolean>>;
  /** As on the command line: options of the containers. */
  readonly discipline: string;
  readonly settings: readonly string[];
  readonly reduces?: number;
  readonly splitBytes?: number;
  readonly compress?: boolean;
  readonly overwrite?: boolean;
  /** Where runs live on this machine, each in a directory of its own. */
  readonly runDirectory: string;
  /** Hadoop's configuration. Default: `HADOOP_CONF_DIR`. */
  readonly hadoopConf?: string;
  /** Of Node on the cluster's nodes; absent: the Node of this process is shipped there. */
  readonly nodePath?: string;
  /** Hadoop's own properties for the jobs, `key=value`. */
  readonly properties: readonly string[];
  readonly environment: NodeJS.ProcessEnv;
  /** The run ends; what becomes of its application is asked. */
  readonly signal?: AbortSignal;
  /**
   * When the signal came: whether the application is killed, or left to run. Nobody needs to know
   * any more once it has `ended`.
   */
  readonly whenAborted?: WhenAborted;
  readonly onEvent: (event: RunEvent) => void;
}
