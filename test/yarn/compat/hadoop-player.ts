import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const SOURCES = fileURLToPath(new URL("../java/", import.meta.url));
const JAVA_FLAGS = ["-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"];

/** A look of Hadoop's speculator: what it copied, and when it would look again. */
export interface HadoopLook {
  readonly at: number;
  readonly nextAt: number;
  readonly copied: readonly number[];
}

/** Hadoop's own classes, which decide about given sequences of events. */
export class HadoopPlayer {
  readonly #classes: string;
  readonly #library: string;

  private constructor(library: string, classes: string) {
    this.#library = library;
    this.#classes = classes;
  }

  /** `library` is the directory of Hadoop's jars. */
  static async compile(library: string): Promise<HadoopPlayer> {
    const classes = await mkdtemp(join(tmpdir(), "broomwagon-java-"));
    const sources = (await readdir(SOURCES)).map((name) => join(SOURCES, name));
    const options = ["--release", "17", "-cp", `${library}/*`, "-d", classes];
    await promisify(execFile)("javac", [...options, ...sources]);
    return new HadoopPlayer(library, classes);
  }

  /** Each is the lines of a `Played`; returns a list of looks for each. */
  async play(sequences: Iterable<string>): Promise<readonly (readonly HadoopLook[])[]> {
    const classPath = `${this.#classes}:${this.#library}/*`;
    const java = spawn("java", [...JAVA_FLAGS, "-cp", classPath, "PlaySequences"]);
    const ended = once(java, "close");
    const output = text(java.stdout);
    const errors = text(java.stderr);
    // If the process stops reading, its own message gives the reason.
    await pipeline(Readable.from(sequences), java.stdin).catch(() => undefined);
    const [status] = await ended;
    if (status !== 0) throw new Error(`Java ended with ${status}:\n${await errors}`);
    return looksOf(await output);
  }

  async remove(): Promise<void> {
    await rm(this.#classes, { recursive: true });
  }
}

/** `sequence SEED`, then `AT NEXT [TASK, ...]` for each look. */
function looksOf(output: string): readonly (readonly HadoopLook[])[] {
  return output
    .split(/^sequence .*\n/m)
    .slice(1)
    .map((looks) => looks.trimEnd().split("\n").map(lookOf));
}

function lookOf(line: string): HadoopLook {
  const [at, nextAt, ...copied] = line
    .replace(/[[\],]/g, " ")
    .trim()
    .split(/ +/)
    .map(Number);
  return { at: at ?? Number.NaN, nextAt: nextAt ?? Number.NaN, copied };
}
