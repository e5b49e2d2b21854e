import { PLUGIN_JAR } from "../../tools/cluster/repository.ts";

/** A policy that decides about copies, and the job's properties and flags that select it. */
export interface Speculating {
  readonly name: string;
  readonly properties: Readonly<Record<string, string>>;
  /** Hadoop's generic options, after the properties. */
  readonly flags: readonly string[];
}

/**
 * The job lasts a minute where those of the papers last ten, so times in the policies' parameters,
 * and in Hadoop's own, are a tenth of their usual values. LATE's cap is that of its section 5.4.1,
 * since a tenth of eight containers is none.
 */
const OURS: Readonly<Record<string, string>> = {
  yarn: "speculation.retryAfterSpeculateMs=1500",
  late: "speculation.runtimeMsMin=6000,speculation.speculativeCap=0.2",
  mantri: "speculation.periodMs=1000",
  esplash: [
    "speculation.epochMs=1500",
    "speculation.clusterEveryMs=6000",
    "speculation.requestPatienceMs=1500",
    "speculation.retryAfterCopyMs=1500",
  ].join(","),
};

export const POLICIES: readonly Speculating[] = [
  {
    name: "none",
    properties: { "mapreduce.map.speculative": "false", "mapreduce.reduce.speculative": "false" },
    flags: [],
  },
  {
    name: "stock",
    properties: { "mapreduce.job.speculative.retry-after-speculate": "1500" },
    flags: [],
  },
  ...Object.entries(OURS).map(([name, set]) => ({
    name,
    properties: {
      "yarn.app.mapreduce.am.job.speculator.class": "broomwagon.yarn.BroomwagonSpeculator",
      "yarn.app.mapreduce.am.command-opts": "-Xmx320m broomwagon.yarn.BroomwagonAppMaster",
      "broomwagon.discipline": name,
      "broomwagon.set": set,
      "broomwagon.node": process.execPath,
    },
    flags: ["-libjars", PLUGIN_JAR],
  })),
];
