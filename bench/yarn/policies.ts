import { join } from "node:path";
import { ROOT } from "../engine/place.ts";

/** Who may decide about copies, and the properties and flags of a job that let it. */
export interface Speculating {
  readonly name: string;
  readonly properties: Readonly<Record<string, string>>;
  /** Of Hadoop's generic options, after the properties. */
  readonly flags: readonly string[];
}

/** Our plug-in as users get it: `npm run build:yarn` makes it. */
export const JAR: string = join(ROOT, "yarn-plugin/target/broomwagon-yarn.jar");

const MASTER = "-Xmx320m -XX:+UseSerialGC -XX:TieredStopAtLevel=1";

/**
 * The job lasts a minute where those of the papers last ten: times in the policies' parameters, and
 * in Hadoop's own, are a tenth of what they are elsewhere. LATE's cap is that of its section 5.4.1,
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
      "yarn.app.mapreduce.am.command-opts": `${MASTER} broomwagon.yarn.BroomwagonAppMaster`,
      "broomwagon.discipline": name,
      "broomwagon.set": set,
      "broomwagon.node": process.execPath,
    },
    flags: ["-libjars", JAR],
  })),
];
