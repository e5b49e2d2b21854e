import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const POM = fileURLToPath(new URL("pom.xml", import.meta.url));
const SOURCES = fileURLToPath(new URL("java/", import.meta.url));

/** Hadoop 1.2.1's own JobTracker, which answers the heartbeats of given worlds. */
export class Hadoop1Player {
  readonly #directory: string;

  private constructor(directory: string) {
    this.#directory = directory;
  }

  /** Maven brings the jars. */
  static async compile(): Promise<Hadoop1Player> {
    const directory = await mkdtemp(join(tmpdir(), "broomwagon-hadoop-1-"));
    const run = promisify(execFile);
    const copy = ["dependency:copy-dependencies", "-DincludeScope=runtime"];
    const to = `-DoutputDirectory=${join(directory, "lib")}`;
    await run("mvn", ["--quiet", "--batch-mode", "--file", POM, ...copy, to]);
    const sources = (await readdir(SOURCES)).map((name) => join(SOURCES, name));
    const classes = join(directory, "classes");
    const options = ["--release", "17", "-nowarn", "-cp", `${directory}/lib/*`, "-d", classes];
    await run("javac", [...options, ...sources]);
    await mkdir(join(directory, "hadoop"));
    return new Hadoop1Player(directory);
  }

  /** Each is the lines of a `Played`; returns each world's answers to its heartbeats. */
  async play(worlds: Iterable<string>): Promise<readonly (readonly string[])[]> {
    const directory = this.#directory;
    const classPath = `${directory}/classes:${directory}/lib/*`;
    const main = "org.apache.hadoop.mapred.PlayWorlds";
    const quick = ["-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"];
    const flags = ["-Xmx512m", ...quick, `-Djava.io.tmpdir=${directory}`];
    const java = spawn("java", [...flags, "-cp", classPath, main, `${directory}/hadoop`]);
    const ended = once(java, "close");
    const output = text(java.stdout);
    const errors = text(java.stderr);
    // A program that closes its input early says why in its own words, which come first.
    const written = pipeline(Readable.from(worlds), java.stdin).catch((error) => ({ error }));
    const [status] = await ended;
    if (status !== 0) throw new Error(`Java ended with ${status}:\n${await errors}`);
    const refused = await written;
    if (refused !== undefined) throw refused.error;
    return (await output)
      .split(/^\{"world":.*\n/m)
      .slice(1)
      .map((answers) => answers.split("\n").filter((line) => line !== ""));
  }

  async remove(): Promise<void> {
    await rm(this.#directory, { recursive: true });
  }
}
