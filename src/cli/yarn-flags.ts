import { type Command, Option } from "commander";
import { InputError } from "../base/input-error.ts";
import { collect } from "./flags.ts";

/** The flags for a run on a Hadoop cluster. */
export interface YarnFlags {
  readonly on: "engine" | "yarn";
  readonly hadoopConf?: string;
  readonly nodePath?: string;
  readonly conf?: readonly string[];
  readonly journal?: string;
}

export const withYarnFlags = (command: Command): Command =>
  command
    .addOption(
      new Option(
        "--on <host>",
        "where to run: the embedded cluster, or Hadoop YARN with input and output on HDFS",
      )
        .choices(["engine", "yarn"])
        .default("engine"),
    )
    .option(
      "--hadoop-conf <dir>",
      "with --on yarn: Hadoop's configuration directory (default: HADOOP_CONF_DIR); java submits " +
        "jobs if HADOOP_CLASSPATH has hadoop-streaming, otherwise the command hadoop",
    )
    .option(
      "--node-path <path>",
      "with --on yarn: path of Node on the cluster's nodes (default: ship this Node)",
    )
    .option("--conf <key=value>", "with --on yarn: a Hadoop property; may be repeated", collect)
    .option("--journal <file>", "with --on yarn: copy the journal to this file");

const YARN_ALONE = ["hadoopConf", "nodePath", "conf", "journal"];
/** The flags for the embedded cluster and its faults. */
const ENGINE_ALONE = [
  ...["nodes", "slots", "racks", "rackMbps", "replication", "memory", "seed", "explain"],
  ...["slow", "kill", "chaos", "taskTimeout"],
];

/** InputError for a flag that has no meaning on the chosen host. */
export function checkHostFlags(command: Command, { on }: YarnFlags): void {
  for (const name of on === "yarn" ? ENGINE_ALONE : YARN_ALONE) {
    if (command.getOptionValueSource(name) !== "cli") continue;
    const option = command.options.find((each) => each.attributeName() === name);
    const host = on === "yarn" ? "engine" : "yarn";
    throw new InputError("bad-flag", option?.long ?? name, `works only with --on ${host}`);
  }
}
