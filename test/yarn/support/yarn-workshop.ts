import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type RunEvent, type RunResult, run } from "broomwagon/engine";
import { parseDiscipline } from "broomwagon/policies";
import type { ClusterAccess } from "../../../src/hosts/yarn/client/cluster-access.ts";
import { JsonAnswer } from "../../../src/hosts/yarn/client/json-answer.ts";
import type { YarnOptions } from "../../../src/hosts/yarn/client/yarn-options.ts";
import { runOnYarn } from "../../../src/hosts/yarn/client/yarn-run.ts";
import type { Cluster } from "../../../tools/cluster/cluster.ts";

/** Options for the same job on either host. */
export type SameJob = Pick<YarnOptions, "jobFile" | "reduces" | "splitBytes" | "params">;

/** The same files on this machine and on a cluster's HDFS, and jobs that read them on either. */
export class YarnWorkshop {
  readonly path = mkdtempSync(join(tmpdir(), "broomwagon-yarn-"));
  /** Our own directory on HDFS. */
  readonly home: string;
  readonly #cluster: Cluster;
  readonly #access: ClusterAccess;
  readonly #inputs: string[] = [];

  constructor(cluster: Cluster, access: ClusterAccess) {
    this.#cluster = cluster;
    this.#access = access;
    this.home = `/broomwagon-tests/${process.pid}`;
    mkdirSync(join(this.path, "in"));
  }

  get environment(): NodeJS.ProcessEnv {
    return { ...process.env, ...this.#cluster.environment };
  }

  async file(name: string, text: string | Buffer): Promise<void> {
    writeFileSync(join(this.path, "in", name), text);
    await this.#access.hdfs.write(this.hdfs(name), () => Buffer.from(text));
    this.#inputs.push(name);
  }

  hdfs(name: string): string {
    return `${this.home}/in/${name}`;
  }

  job(name: string, text: string): string {
    const path = join(this.path, `${name}.ts`);
    writeFileSync(path, text);
    return path;
  }

  /**
   * The environment with an installed Hadoop, and so the command `hadoop` with its own class path:
   * a stand-in that handles `--config DIR jar JAR ARGUMENTS...`. Made once.
   */
  install(): NodeJS.ProcessEnv {
    const { jars } = this.#cluster.places;
    const { JAVA_HOME, HADOOP_CLASSPATH } = this.#cluster.environment;
    const home = join(this.path, "hadoop");
    const tools = join(home, "share/hadoop/tools/lib");
    for (const each of [join(home, "bin"), tools]) mkdirSync(each, { recursive: true });
    for (const name of readdirSync(jars).filter((jar) => jar.startsWith("hadoop-streaming-"))) {
      symlinkSync(join(jars, name), join(tools, name));
    }
    const java = `${JAVA_HOME}/bin/java -Xmx256m -cp '${HADOOP_CLASSPATH}'`;
    const lines = ["#!/bin/sh", "shift 3", `exec ${java} org.apache.hadoop.util.RunJar "$@"`, ""];
    writeFileSync(join(home, "bin/hadoop"), lines.join("\n"), { mode: 0o755 });
    return { ...this.environment, HADOOP_CLASSPATH: "", HADOOP_HOME: home };
  }

  /** `input`: as `--input`, with the names of files; the output is named after the job. */
  onYarn(job: SameJob, input: readonly string[], output: string, more: Partial<YarnOptions> = {}) {
    const events: RunEvent[] = [];
    const result = runOnYarn({
      ...job,
      input: input.map((each) => placed(each, (name) => this.hdfs(name))),
      output: `${this.home}/${output}`,
      discipline: "late",
      settings: [],
      properties: [],
      runDirectory: join(this.path, "runs"),
      hadoopConf: this.#cluster.places.configuration,
      environment: this.environment,
      onEvent: (event) => events.push(event),
      ...more,
    });
    return { result, events };
  }

  async onEngine(job: SameJob, input: readonly string[], output: string): Promise<RunResult> {
    const { jobFile, ...others } = job;
    return run(jobFile, {
      ...others,
      input: input.map((each) => placed(each, (name) => join(this.path, "in", name))),
      output: join(this.path, output),
      discipline: parseDiscipline("none", []),
      runDirectory: join(this.path, "runs"),
      nodes: 1,
    });
  }

  /** The files in an output directory on HDFS, by name; undefined if there is none. */
  async outputOnYarn(output: string): Promise<Map<string, string> | undefined> {
    const { hdfs } = this.#access;
    const path = `${this.home}/${output}`;
    if ((await hdfs.find(path)) === undefined) return undefined;
    const files = new Map<string, string>();
    for (const { path: file, bytes } of await hdfs.list(path)) {
      const text = bytes === 0 ? "" : (await hdfs.read(file)).toString("latin1");
      files.set(file.slice(path.length + 1), text);
    }
    return files;
  }

  outputOnEngine(output: string): Map<string, string> {
    const path = join(this.path, output);
    const names = readdirSync(path).sort();
    return new Map(names.map((name) => [name, readFileSync(join(path, name), "latin1")]));
  }

  /** Files that runs have left in their user's directory on HDFS. */
  async left(): Promise<readonly string[]> {
    const { hdfs, root } = this.#access;
    const left = await hdfs.list(`${root.home}/.broomwagon/runs`);
    return left.map(({ path }) => path);
  }

  /** The permission of an HDFS directory, such as `755`. */
  async modeOf(path: string): Promise<string> {
    const { nameNode } = this.#cluster.pages;
    const { user } = this.#access;
    const asked = `${nameNode}/webhdfs/v1${path}?op=GETFILESTATUS&user.name=${user}`;
    const answer = new JsonAnswer(await (await fetch(asked)).json(), asked);
    return answer.part("FileStatus").text("permission");
  }

  async remove(): Promise<void> {
    await this.#access.hdfs.remove(this.home);
    rmSync(this.path, { recursive: true, force: true });
  }
}

/** `name=file` or `file`. */
function placed(text: string, place: (name: string) => string): string {
  const at = text.indexOf("=");
  return `${text.slice(0, at + 1)}${place(text.slice(at + 1))}`;
}
