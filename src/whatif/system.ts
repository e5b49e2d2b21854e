import type { TraceJob, TraceSource } from "../history/model.ts";
import { settingMs } from "../history/setting-duration.ts";
import type { Trial } from "./trial.ts";

/** The system that ran a job, with the settings that its users have. */
export interface System {
  readonly name: string;
  /** The discipline that stands for the system's rules. */
  readonly policy: string;
  /** Settings without which the system makes no copies. */
  readonly switches: readonly string[];
  readonly settings: readonly Setting[];
  /** By parameter: the system's default. */
  readonly defaults: ReadonlyMap<string, number>;
}

export interface Setting {
  /** As the system's users write it. */
  readonly name: string;
  /** The parameter of our policy. */
  readonly parameter: string;
  /** Values to try. The system's default is among them. */
  readonly values: readonly number[];
  readonly unit?: "ms" | "s";
}

const SPARK = (since4: boolean): System => ({
  name: "Spark",
  policy: since4 ? "spark-4" : "spark-3.5",
  switches: ["spark.speculation"],
  defaults: new Map([
    ["multiplier", since4 ? 3 : 1.5],
    ["quantile", since4 ? 0.9 : 0.75],
    ["minTaskRuntimeMs", 100],
  ]),
  settings: [
    {
      name: "spark.speculation.multiplier",
      parameter: "multiplier",
      values: [1.2, 1.5, 2, 3],
    },
    { name: "spark.speculation.quantile", parameter: "quantile", values: [0.5, 0.75, 0.9] },
    {
      name: "spark.speculation.minTaskRuntime",
      parameter: "minTaskRuntimeMs",
      values: [100, 10_000, 60_000],
      unit: "s",
    },
  ],
});

const ON_YARN = "mapreduce.job.speculative";
const YARN: System = {
  name: "YARN",
  policy: "yarn",
  switches: ["mapreduce.map.speculative", "mapreduce.reduce.speculative"],
  defaults: new Map([
    ["speculativeCapRunning", 0.1],
    ["speculativeCapTotal", 0.01],
    ["minimumAllowedTasks", 10],
    ["retryAfterNoSpeculateMs", 1_000],
    ["retryAfterSpeculateMs", 15_000],
  ]),
  settings: [
    {
      name: `${ON_YARN}.speculative-cap-running-tasks`,
      parameter: "speculativeCapRunning",
      values: [0.1, 0.3],
    },
    {
      name: `${ON_YARN}.speculative-cap-total-tasks`,
      parameter: "speculativeCapTotal",
      values: [0.01, 0.1],
    },
    { name: `${ON_YARN}.minimum-allowed-tasks`, parameter: "minimumAllowedTasks", values: [1, 10] },
    {
      name: `${ON_YARN}.retry-after-no-speculate`,
      parameter: "retryAfterNoSpeculateMs",
      values: [250, 1_000],
      unit: "ms",
    },
    {
      name: `${ON_YARN}.retry-after-speculate`,
      parameter: "retryAfterSpeculateMs",
      values: [1_000, 5_000, 15_000],
      unit: "ms",
    },
  ],
};

/** Its gap of 20 % and its minute are fixed in the source. */
const HADOOP_1: System = {
  name: "Hadoop 1",
  policy: "hadoop",
  switches: ["mapred.map.tasks.speculative.execution", "mapred.reduce.tasks.speculative.execution"],
  defaults: new Map(),
  settings: [],
};

const HADOOP_021: System = {
  name: "Hadoop",
  policy: "late-0.21",
  switches: ["mapreduce.map.speculative", "mapreduce.reduce.speculative"],
  defaults: new Map([
    ["speculativeCap", 0.1],
    ["slowTaskThreshold", 1],
    ["slowNodeThreshold", 1],
  ]),
  settings: [
    { name: `${ON_YARN}.speculativecap`, parameter: "speculativeCap", values: [0.1, 0.3] },
    {
      name: `${ON_YARN}.slowtaskthreshold`,
      parameter: "slowTaskThreshold",
      values: [0.5, 1, 1.5],
    },
    { name: `${ON_YARN}.slownodethreshold`, parameter: "slowNodeThreshold", values: [0.5, 1, 2] },
  ],
};

/** The system that wrote the history; undefined for a run of Broomwagon. */
export function systemOf(
  { phases, settings }: TraceJob,
  source: Pick<TraceSource, "format" | "version"> | undefined,
): System | undefined {
  if (source?.format === "journal") return undefined;
  if (phases.some(({ kind }) => kind === "stage")) {
    const since4 = Number.parseInt(source?.version ?? "", 10) >= 4;
    return SPARK(since4 || settings.discipline === "spark-4");
  }
  if (settings.discipline === HADOOP_021.policy) return HADOOP_021;
  return source?.format === "jobtracker" || settings.discipline === "hadoop" ? HADOOP_1 : YARN;
}

/** The rules under which the job ran, as far as its log says. */
export const recordedTrial = (job: TraceJob, system: System | undefined): Trial => ({
  policy: job.settings.discipline ?? "none",
  sets: recordedSets(job, system),
});

/** The log's values of these settings, as parameters of our policy. */
export function recordedSets(
  { settings }: TraceJob,
  system: System | undefined,
): readonly string[] {
  if (system === undefined) {
    return Object.entries(settings.values)
      .filter(([name]) => name.startsWith("speculation."))
      .map(([name, value]) => `${name}=${value}`);
  }
  if (settings.discipline !== system.policy) return [];
  return system.settings.flatMap((setting) => {
    const value = numberOf(settings.values[setting.name], setting);
    return value === undefined ? [] : [`speculation.${setting.parameter}=${value}`];
  });
}

function numberOf(text: string | undefined, { unit }: Setting): number | undefined {
  if (text === undefined || text.trim() === "") return undefined;
  if (unit !== undefined) return settingMs(text);
  const value = Number(text);
  return Number.isNaN(value) ? undefined : value;
}

/** As the system's users write it: `spark.speculation.minTaskRuntime=10s`. */
export function settingText({ name, unit }: Setting, value: number): string {
  if (unit === undefined) return `${name}=${value}`;
  return unit === "ms"
    ? `${name}=${value}`
    : `${name}=${value % 1_000 === 0 ? `${value / 1_000}s` : `${value}ms`}`;
}
