import { spawn } from "node:child_process";
import { existsSync, readdirSync, realpathSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { InputError } from "../../../base/input-error.ts";
import type { HadoopConf } from "./hadoop-conf.ts";

/** How a job is submitted: Hadoop's own client, Java, with its streaming. */
export interface HadoopClient {
  readonly program: string;
  /** Before those of the job. */
  readonly args: readonly string[];
}

const STREAMING_CLASS = "org.apache.hadoop.streaming.HadoopStreaming";

/**
 * Of what there is the first: `java` with a class path in `HADOOP_CLASSPATH` that has all that is
 * needed, or the command `hadoop` with the streaming jar of its installation. InputError if there
 * is neither.
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
  // On the path there is often but a link to it.
  const jar = hadoop && (streamingJar(hadoop) ?? streamingJar(realpathSync(hadoop)));
  if (hadoop !== undefined && jar !== undefined) {
    return { program: hadoop, args: ["--config", conf.directory, "jar", jar] };
  }
  const either = "java (JAVA_HOME) and HADOOP_CLASSPATH with Hadoop's jars and hadoop-streaming";
  const or =
    "or the command hadoop (HADOOP_HOME, or on the PATH) of an installation with streaming";
  throw new InputError("no-cluster", "hadoop's client", `expected ${either}, ${or}`);
}

/** What Hadoop's client said when it would not take the job. */
export const notSubmitted = (why: string): InputError =>
  new InputError("no-cluster", "submission", `expected Hadoop to take the job: ${why}`);

/** Ends when the job is in the ResourceManager's hands; InputError if it is not taken. */
export async function submit(
  client: HadoopClient,
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
): Promise<void> {
  const said: string[] = [];
  await new Promise<void>((done, refuse) => {
    const child = spawn(client.program, [...client.args, ...args], {
      env: environment,
      stdio: ["ignore", "pipe", "pipe"],
      // Ctrl-C is for us: what is half submitted could not be told from what is not.
      detached: true,
    });
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => said.push(text));
    }
    // On a second Ctrl-C: an application that no client follows must not be left behind.
    const kill = (): unknown => child.kill("SIGKILL");
    process.once("exit", kill);
    child.on("error", (error) => refuse(notSubmitted(error.message)));
    child.on("close", (code) => {
      process.off("exit", kill);
      if (code === 0) done();
      else refuse(notSubmitted(reason(said)));
    });
  });
}

/** The line that says what went wrong, among those of a log. */
function reason(said: readonly string[]): string {
  const lines = said
    .join("")
    .split("\n")
    .map((line) => line.trim());
  const told = lines.filter(
    (line) => /exception|error|failed/i.test(line) && !line.startsWith("at "),
  );
  const line = told.find((one) => /^(Caused by|Exception in)/.test(one)) ?? told.at(-1);
  return (line ?? lines.findLast((one) => one !== "") ?? "it said nothing").slice(0, 500);
}

function hasStreaming(classPath: string): boolean {
  return classPath.split(delimiter).some((entry) => {
    if (!entry.endsWith("*")) return isStreamingJar(entry) && existsSync(entry);
    return jarsIn(dirname(entry)).some(isStreamingJar);
  });
}

/** Of the installation that the command belongs to. */
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
