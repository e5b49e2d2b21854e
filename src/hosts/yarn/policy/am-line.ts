import type { PlanNames } from "./plan-names.ts";

/**
 * The messages of the plug-in in the ApplicationMaster (AM) to the child that decides: one JSON
 * object per line, see docs/internals/yarn-protocol.md. `at` is the AM's clock, ms since 1970.
 * Tasks are named `m_000003` and `r_000000`, attempts `m_000003_1`.
 */
export type AmLine =
  | HelloLine
  | JobLine
  | RecoveredLine
  | StartedLine
  | StatusLine
  | EndedLine
  | OutputLostLine
  | NodeLine
  | TickLine
  | DoneLine
  | RefusedLine
  | JobEndedLine;

export interface HelloLine {
  readonly type: "hello";
  readonly at: number;
  readonly protocol: number;
  readonly application: string;
  /** 1, or more after the AM was lost. */
  readonly amAttempt: number;
  /** The job's user; older journals lack it. */
  readonly user?: string;
  /** The file to which the child writes its journal. */
  readonly journal: string;
  readonly capabilities: { readonly placement: boolean; readonly withdraw: boolean };
  /** The job's configuration under `broomwagon.`. */
  readonly settings: Readonly<Record<string, string>>;
  /**
   * The client's names of tasks, if the job is this project's: the child reads them from the file
   * `settings.names`, and keeps them here.
   */
  readonly names?: PlanNames;
  readonly conf: JobConf;
}

/** The parts of the job's configuration that policies may need. */
export interface JobConf {
  /** The share of the maps that must be done before reduces start. */
  readonly slowstart: number;
  readonly map: TaskConf;
  readonly reduce: TaskConf;
  readonly resourceManagers: readonly ResourceManager[];
}

export interface TaskConf {
  readonly memoryMb: number;
  readonly vcores: number;
  /** Whether copies of such tasks are allowed. */
  readonly speculation: boolean;
}

export interface ResourceManager {
  readonly url: string;
  /** The host's IP address as the AM resolves it. */
  readonly address?: string;
}

export interface JobLine {
  readonly type: "job";
  readonly at: number;
  readonly job: string;
  readonly name: string;
  readonly user: string;
  readonly queue: string;
  readonly submittedAt: number;
  readonly maps: readonly HadoopSplit[];
  readonly reduces: number;
}

export interface HadoopSplit {
  readonly bytes?: number;
  readonly hosts: readonly string[];
}

/** An attempt whose end an earlier AM saw. */
export interface RecoveredLine {
  readonly type: "recovered";
  readonly at: number;
  readonly attempt: string;
  readonly task: string;
  readonly state: EndState;
  readonly host?: string;
  readonly rack?: string;
  readonly startedAt?: number;
  readonly endedAt?: number;
  readonly counters: HadoopCounters;
}

export const END_STATES = ["succeeded", "failed", "killed"] as const;
export type EndState = (typeof END_STATES)[number];

export interface StartedLine {
  readonly type: "started";
  readonly at: number;
  readonly attempt: string;
  readonly task: string;
  readonly host: string;
  readonly rack: string;
  /** Whether Hadoop counts the attempt as speculative. */
  readonly copy: boolean;
}

export interface StatusLine {
  readonly type: "status";
  readonly at: number;
  readonly attempt: string;
  /** Hadoop's progress, 0 to 1. */
  readonly progress: number;
  readonly phase: string;
  readonly counters: HadoopCounters;
}

/** Counters without zeros. */
export interface HadoopCounters {
  readonly hadoop: Readonly<Record<string, number>>;
  /** The counters of this project's own runner. */
  readonly broomwagon: Readonly<Record<string, number>>;
}

export interface EndedLine {
  readonly type: "ended";
  readonly at: number;
  readonly attempt: string;
  readonly task: string;
  readonly state: EndState;
  readonly diagnostics?: string;
  readonly counters: HadoopCounters;
}

/** A lost map output, which Hadoop recomputes by itself. */
export interface OutputLostLine {
  readonly type: "output-lost";
  readonly at: number;
  readonly attempt: string;
  readonly task: string;
}

export interface NodeLine {
  readonly type: "node";
  readonly at: number;
  readonly host: string;
  readonly state: "lost" | "usable";
}

/** Sent every second. */
export interface TickLine {
  readonly type: "tick";
  readonly at: number;
  readonly tick: number;
}

export interface DoneLine {
  readonly type: "done";
  readonly at: number;
  readonly command: number;
  /** The new attempt, if the command was a copy. */
  readonly attempt?: string;
}

export interface RefusedLine {
  readonly type: "refused";
  readonly at: number;
  readonly command: number;
  readonly reason: string;
}

export interface JobEndedLine {
  readonly type: "job-ended";
  readonly at: number;
  readonly job: string;
  readonly state: string;
}
