import { spawn } from "node:child_process";
import { existsSync, readdirSync, realpathSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { InputError } from "../../../base/input-error.ts";
import type { HadoopConf } from "./hadoop-conf.ts";

/** The program that submits a job: Hadoop's own Java client, with its streaming. */
export interface HadoopClient {
  readonly program: string;
  /** Arguments before the job's own. */
  readonly args: readonly string[];
}

const STREAMING_CLASS = "org.apache.hadoop.streaming.HadoopStreaming";

/**
 * Finds Hadoop's client: `java` with a complete class path in `HADOOP_CLASSPATH`, else the command
 * `hadoop` with the streaming jar of its installation. InputError if there is neither.
 */
export function findHadoopClient(conf: HadoopConf, environment: NodeJS.ProcessEnv): HadoopClient {
  const classPath = environment.HADOOP_CLASSPATH ?? "";
  const java = environment.JAVA_HOME
    ? existing(join(environment.JAVA_HOME, "bin", "java"))
    : onPath("java", environment);
  if (java !== undefined && hasStreaming(classPath)) {
    const args = ["-Xmx512m", "-cp", `${conf.directory}${delimiter}${classPath}`, STREAMING_CLASS];
    return { program: java, args };
  }
  const hadoop = environment.HADOOP_HOME
    ? existing(join(environment.HADOOP_HOME, "bin", "hadoop"))
    : onPath("hadoop", environment);
  // The path often holds only a link to the command.
  const jar = hadoop && (streamingJar(hadoop) ?? streamingJar(realpathSync(hadoop)));
  if (hadoop !== undefined && jar !== undefined) {
    return { program: hadoop, args: ["--config", conf.directory, "jar", jar] };
  }
  const either = "java (JAVA_HOME) and HADOOP_CLASSPATH with Hadoop's jars and hadoop-streaming";
  const or =
    "or the command hadoop (HADOOP_HOME, or on the PATH) of an installation with streaming";
  throw new InputError("no-cluster", "hadoop's client", `expected ${either}, ${or}`);
}

/** The error for a job that Hadoop's client refused to submit. */
export const notSubmitted = (why: string): InputError =>
  new InputError("no-cluster", "submission", `expected Hadoop to take the job: ${why}`);

/** Resolves when the ResourceManager has accepted the job; InputError if it refuses. */
export async function submit(
  client: HadoopClient,
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
): Promise<void> {
  const output: string[] = [];
  await new Promise<void>((done, refuse) => {
    const child = spawn(client.program, [...client.args, ...args], {
      env: environment,
      stdio: ["ignore", "pipe", "pipe"],
      // The client must not receive Ctrl-C: a half-submitted job would look like one that was not
      // submitted.
      detached: true,
    });
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => output.push(text));
    }
    // A second Ctrl-C kills the client, so that no application without a client is left behind.
    const kill = (): unknown => child.kill("SIGKILL");
    process.once("exit", kill);
    child.on("error", (error) => refuse(notSubmitted(error.message)));
    child.on("close", (code) => {
      process.off("exit", kill);
      if (code === 0) done();
      else refuse(notSubmitted(reason(output)));
    });
  });
}

/** The line of a log that says what went wrong. */
function reason(output: readonly string[]): string {
  const lines = output
    .join("")
    .split("\n")
    .map((line) => line.trim());
  const causes = lines.filter(
    (line) => /exception|error|failed/i.test(line) && !line.startsWith("at "),
  );
  const line = causes.find((one) => /^(Caused by|Exception in)/.test(one)) ?? causes.at(-1);
  return (line ?? lines.findLast((one) => one !== "") ?? "it said nothing").slice(0, 500);
}

function hasStreaming(classPath: string): boolean {
  return classPath.split(delimiter).some((entry) => {
    if (!entry.endsWith("*")) return isStreamingJar(entry) && existsSync(entry);
    return jarsIn(dirname(entry)).some(isStreamingJar);
  });
}

/** The streaming jar of the installation to which the command belongs. */
function streamingJar(hadoop: string): string | undefined {
  const directory = join(dirname(dirname(hadoop)), "share", "hadoop", "tools", "lib");
  const name = jarsIn(directory).find(isStreamingJar);
  return name === undefined ? undefined : join(directory, name);
}

const isStreamingJar = (path: string): boolean => /(^|\/)hadoop-streaming-[^/]*\.jar$/.test(path);

const jarsIn = (directory: string): readonly string[] =>
  existsSync(directory) ? readdirSync(directory).filter((name) => name.endsWith(".jar")) : [];

const existing = (path: string): string | undefined => (existsSync(path) ? path : undefined);

function onPath(program: string, { PATH = "" }: NodeJS.ProcessEnv): string | undefined {
  return PATH.split(delimiter)
    .map((directory) => join(directory, program))
    .find((path) => existsSync(path));
}
