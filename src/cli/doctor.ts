import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, statfsSync } from "node:fs";
import { availableParallelism, totalmem } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { InputError } from "../base/input-error.ts";
import { usualMemory } from "../data/task/task-resources.ts";
import { bytes, counted } from "../report/quantity.ts";
import { command, type MakeCommand } from "./command.ts";
import { EXIT, type ExitCode } from "./exit-code.ts";
import { outputOption, type PrintFormat } from "./flags.ts";
import { jsonText } from "./json-text.ts";
import { line, type Shell } from "./shell.ts";
import { table, wrap } from "./table.ts";
import { packageVersion, versionLine } from "./version.ts";

/** `missing`: the part named by `for` does not work. `limited`: it works without a feature. */
type State = "ok" | "limited" | "missing";

/** The part of the program that needs what is checked. */
type Part = "engine" | "yarn" | "page";

interface Check {
  readonly part: Part;
  readonly what: string;
  readonly state: State;
  readonly found: string;
}

export const doctorCommand: MakeCommand = (shell, end) =>
  command("doctor", "check what this machine has and lacks", ["doctor", "doctor -o json"])
    .addOption(outputOption())
    .action(async ({ format }: { format: PrintFormat }) => end(await doctor(format, shell)));

async function doctor(format: PrintFormat, { out }: Shell): Promise<ExitCode> {
  const checks = [...engineChecks(), ...(await yarnChecks(process.env)), ...pageChecks()];
  const works = !checks.some(({ part, state }) => part === "engine" && state === "missing");
  const { node } = process.versions;
  const json = {
    versions: { broomwagon: packageVersion(), node },
    platform: `${process.platform} ${process.arch}`,
    checks,
  };
  line(out, format === "json" ? jsonText("doctor", json) : doctorText(checks, out.columns()));
  return works ? EXIT.ok : EXIT.failed;
}

const TITLES: Record<Part, string> = {
  engine: "run, serve, demo",
  yarn: "run --on yarn",
  page: "reproduce",
};

function doctorText(checks: readonly Check[], width: number): string {
  const columns = ["for", "what", "state", "found"].map((title) => ({ title }));
  const rows = checks.map(({ part, what, state, found }, index) => {
    const isFirst = checks[index - 1]?.part !== part;
    return [isFirst ? TITLES[part] : "", what, state, found];
  });
  return [...wrap(versionLine(), width), "", table(columns, rows, width)].join("\n");
}

function engineChecks(): readonly Check[] {
  const check = (what: string, state: State, found: string): Check => {
    return { part: "engine", what, state, found };
  };
  const cores = availableParallelism();
  const disk = statfsSync(process.cwd());
  const measures = existsSync("/proc/self/smaps_rollup");
  return [
    check("Node", isSupported(process.versions.node) ? "ok" : "missing", nodeText()),
    check("cores", cores > 1 ? "ok" : "limited", counted(cores, "core")),
    check("memory", "ok", `${bytes(totalmem())}; a run may use ${bytes(usualMemory())} by default`),
    check("disk", "ok", `${bytes(disk.bavail * disk.bsize)} free in the working directory`),
    "WebAssembly" in globalThis
      ? check("WebAssembly", "ok", "present")
      : check("WebAssembly", "missing", "turned off, as by --jitless"),
    measures
      ? check("/proc", "ok", "memory is measured and slow nodes are throttled")
      : check("/proc", "limited", "absent: memory is not measured, --slow cannot throttle"),
  ];
}

const NODE_NEEDED = "20.19 or later, or 22.12 or later";

const nodeText = (): string => `${process.versions.node}; ${NODE_NEEDED} is needed`;

/** The `engines` of package.json. */
export function isSupported(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  if (major === 20) return minor >= 19;
  return major === 22 ? minor >= 12 : major > 22;
}

/** The longest time that a cluster has to answer. */
const CLUSTER_MS = 5_000;

async function yarnChecks(environment: NodeJS.ProcessEnv): Promise<readonly Check[]> {
  const { HadoopConf } = await import("../hosts/yarn/client/hadoop-conf.ts");
  const { findHadoopClient } = await import("../hosts/yarn/client/hadoop-client.ts");
  const { pluginJar } = await import("../hosts/yarn/client/staging.ts");
  const { HADOOP_CONF_DIR = "" } = environment;
  const read = () => HadoopConf.read(HADOOP_CONF_DIR, environment);
  const of = (what: string) => ({ part: "yarn", what }) as const;
  const unset: Check = { ...of("HADOOP_CONF_DIR"), state: "missing", found: "not set" };
  const conf =
    HADOOP_CONF_DIR === "" ? unset : attempt(of("HADOOP_CONF_DIR"), () => read().directory);
  const needsConf = (what: string): Check => {
    return { ...of(what), state: "missing", found: "cannot be checked without HADOOP_CONF_DIR" };
  };
  const client = (): Check =>
    attempt(of("Hadoop's client"), () => findHadoopClient(read(), environment).program);
  const isSet = conf.state === "ok";
  return [
    attempt(of("plug-in"), pluginJar),
    { ...of("Java"), ...javaFound(environment) },
    conf,
    isSet ? client() : needsConf("Hadoop's client"),
    isSet ? await clusterCheck(environment) : needsConf("cluster"),
  ];
}

async function clusterCheck(environment: NodeJS.ProcessEnv): Promise<Check> {
  const { reachCluster } = await import("../hosts/yarn/client/cluster-access.ts");
  const reached = reachCluster(undefined, environment).then(
    () => "answers",
    (error: unknown) => problemOf(error),
  );
  const late = sleep(CLUSTER_MS, `no answer within ${CLUSTER_MS / 1_000} s`, { ref: false });
  const found = await Promise.race([reached, late]);
  return { part: "yarn", what: "cluster", state: found === "answers" ? "ok" : "missing", found };
}

function javaFound({ JAVA_HOME }: NodeJS.ProcessEnv): Pick<Check, "state" | "found"> {
  const java = JAVA_HOME ? join(JAVA_HOME, "bin", "java") : "java";
  const { stderr = "", error } = spawnSync(java, ["-version"], { encoding: "utf8" });
  const [, version] = /version "([^"]+)"/.exec(stderr) ?? [];
  if (error !== undefined || version === undefined) {
    return { state: "missing", found: `${java} does not run` };
  }
  return { state: "ok", found: version };
}

function pageChecks(): readonly Check[] {
  const figures = fileURLToPath(new URL("../../reproduction/figures.json", import.meta.url));
  const docs = fileURLToPath(new URL("../../docs/papers", import.meta.url));
  const hasDocs = existsSync(docs);
  return [
    attempt({ part: "page", what: "published figures" }, () => {
      readFileSync(figures);
      return "present";
    }),
    {
      part: "page",
      what: "the papers' pages",
      state: hasDocs ? "ok" : "limited",
      found: hasDocs ? "present" : "absent: the page has no links to them",
    },
  ];
}

function attempt(of: Pick<Check, "part" | "what">, find: () => string): Check {
  try {
    return { ...of, state: "ok", found: find() };
  } catch (error) {
    return { ...of, state: "missing", found: problemOf(error) };
  }
}

function problemOf(error: unknown): string {
  if (error instanceof InputError) return error.message;
  return error instanceof Error ? error.message : String(error);
}
