import { InputError } from "../../../base/input-error.ts";
import type { Speculates } from "../../../job/speculate.ts";
import { POLICIES_DIRECTORY } from "../policy/job-policies.ts";
import { NAMES_FILE } from "../policy/plan-names.ts";
import { containerMeans } from "../task/container-means.ts";
import { JOB_FILE, RUNNER, SHIPMENT, TASKS_KEY } from "../task/task-list.ts";
import type { HadoopConf } from "./hadoop-conf.ts";

/** The parameters of a Hadoop job's submission. */
export interface StreamingJob {
  readonly conf: HadoopConf;
  readonly name: string;
  /** Unique, since the application is found by this tag. */
  readonly tag: string;
  /** 0 if the maps write parts. */
  readonly reduces: number;
  /** Whether reduces may begin to copy before all maps are done. */
  readonly pipeline: boolean;
  readonly discipline: string;
  readonly settings: readonly string[];
  readonly speculate: Speculates;
  /** The path of Node on the cluster's nodes, or its name in the container. */
  readonly node: string;
  readonly jar: string;
  /** URIs. */
  readonly tasks: string;
  readonly output: string;
  readonly journal: string;
  readonly jobFile: string;
  readonly names: string;
  readonly shipment: string;
  /** The archive of the user's policies, if there are any. */
  readonly policies?: string | undefined;
  /** Further files for the distributed cache, with their names there. */
  readonly files: readonly { readonly uri: string; readonly name: string }[];
  /** The user's own properties, `key=value`, which override the others. */
  readonly properties: readonly string[];
}

const FORMATS = "broomwagon.yarn.formats";
const MASTER = "broomwagon.yarn.BroomwagonAppMaster";
/** A comma-separated list: the tag by which the application is found, and the user's tags. */
const TAGS = "mapreduce.job.tags";
/** The class that follows the JVM's options is the class that the JVM runs. */
const MASTER_OPTIONS = "yarn.app.mapreduce.am.command-opts";
const SPECULATOR = "broomwagon.yarn.BroomwagonSpeculator";

/** The arguments of Hadoop's streaming for a job of this project under its policies. */
export function streamingArgs(job: StreamingJob): readonly string[] {
  const { conf, node, properties, files, reduces } = job;
  const cached = [
    { uri: job.jobFile, name: JOB_FILE },
    { uri: job.names, name: NAMES_FILE },
    ...files,
  ];
  const { shipment, policies } = job;
  const own = policies === undefined ? [] : [{ uri: policies, name: POLICIES_DIRECTORY }];
  const archives = [{ uri: shipment, name: SHIPMENT }, ...own];
  const given = properties.map(parted).filter(([key]) => key !== MASTER_OPTIONS && key !== TAGS);
  const all = new Map([...ourProperties(job), ...given]);
  const flagsOf = (kind: Kind): string =>
    containerMeans(memoryMb(conf, kind, all)).nodeFlags.join(" ");
  const program = quoted(node);
  const command = (kind: Kind): string =>
    `${program} ${flagsOf(kind)} ${SHIPMENT}/${RUNNER} ${kind}`;
  return [
    ...Array.from(all, ([key, value]) => ["-D", `${key}=${value}`]).flat(),
    ...["-libjars", job.jar],
    ...["-files", cached.map(({ uri, name }) => `${uri}#${name}`).join(",")],
    ...["-archives", archives.map(({ uri, name }) => `${uri}#${name}`).join(",")],
    "-background",
    ...["-input", job.tasks, "-output", job.output],
    ...["-inputformat", `${FORMATS}.TaskInputFormat`],
    ...["-outputformat", `${FORMATS}.PartOutputFormat`],
    ...["-partitioner", `${FORMATS}.PartitionOfKey`],
    ...["-mapper", command("map")],
    ...["-reducer", reduces === 0 ? "NONE" : command("reduce")],
    ...["-numReduceTasks", String(reduces)],
  ];
}

/** Hadoop's streaming splits a command at blanks outside quotes, and knows no escapes. */
function quoted(path: string): string {
  if (!/[ '"]/.test(path)) return path;
  const quote = [`"`, "'"].find((one) => !path.includes(one));
  if (quote !== undefined) return `${quote}${path}${quote}`;
  const expected = `expected a path without both ' and ", found ${path}`;
  throw new InputError("bad-flag", "--node-path", expected);
}

export type Kind = "map" | "reduce";

/** The memory of a container of the kind, in megabytes. */
export function memoryMb(
  conf: HadoopConf,
  kind: Kind,
  own: ReadonlyMap<string, string> = new Map(),
): number {
  const key = `mapreduce.${kind}.memory.mb`;
  return Number(own.get(key) ?? conf.text(key, "1024"));
}

export function parted(property: string): readonly [string, string] {
  const at = property.indexOf("=");
  return [property.slice(0, at), property.slice(at + 1)];
}

function ourProperties(job: StreamingJob): readonly (readonly [string, string])[] {
  const { conf, speculate, policies, properties } = job;
  const given = new Map(properties.map(parted));
  const options = given.get(MASTER_OPTIONS) ?? conf.text(MASTER_OPTIONS, "-Xmx1024m");
  const tags = given.get(TAGS) ?? conf.text(TAGS, "");
  const bytes = ["map.input", "map.output", "reduce.input", "reduce.output"];
  return [
    ["mapreduce.job.name", job.name],
    [TAGS, tags === "" ? job.tag : `${job.tag},${tags}`],
    ["yarn.app.mapreduce.am.job.speculator.class", SPECULATOR],
    [MASTER_OPTIONS, `${options} ${MASTER}`],
    ["broomwagon.discipline", job.discipline],
    ...(job.settings.length > 0 ? [["broomwagon.set", job.settings.join(",")] as const] : []),
    ...(policies === undefined ? [] : [["broomwagon.policies", POLICIES_DIRECTORY] as const]),
    ["broomwagon.enabled", String(speculate.map || speculate.reduce)],
    ["broomwagon.node", job.node],
    ["broomwagon.journal", job.journal],
    ["broomwagon.names", NAMES_FILE],
    [TASKS_KEY, job.tasks],
    ["mapreduce.map.speculative", String(speculate.map)],
    ["mapreduce.reduce.speculative", String(speculate.reduce)],
    ...bytes.map((what) => [`stream.${what}`, "rawbytes"] as const),
    ...(["map", "reduce"] as const).map((kind) => {
      const { javaHeapMb } = containerMeans(memoryMb(conf, kind, given));
      return [`mapreduce.${kind}.java.opts`, `-Xmx${javaHeapMb}m -XX:+UseSerialGC`] as const;
    }),
    ["mapreduce.task.io.sort.mb", String(containerMeans(memoryMb(conf, "map", given)).sortMb)],
    ["mapreduce.task.progress-report.interval", "1000"],
    ...(job.pipeline ? [] : [["mapreduce.job.reduce.slowstart.completedmaps", "1.0"] as const]),
    // The job's commit, not each task's, renames the output.
    ["mapreduce.fileoutputcommitter.algorithm.version", "1"],
    ["mapreduce.fileoutputcommitter.marksuccessfuljobs", "false"],
    ["mapreduce.job.ubertask.enable", "false"],
    ["mapreduce.job.classloader", "false"],
  ];
}
