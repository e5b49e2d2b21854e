import { createReadStream, existsSync } from "node:fs";
import { InputError } from "../../../base/input-error.ts";
import { owner } from "../../../run/owner.ts";
import type { ClusterAccess } from "./cluster-access.ts";
import type { HdfsRoot } from "./hdfs-path.ts";

/** What a run has on HDFS while it lives: `/user/NAME/.broomwagon/runs/RUN`. */
export class Staging {
  /** Without the file system's name. */
  readonly path: string;
  readonly #access: Pick<ClusterAccess, "hdfs" | "root">;
  #isNeeded = false;

  constructor(access: Pick<ClusterAccess, "hdfs" | "root">, run: string) {
    this.#access = access;
    this.path = `${runsDirectory(access.root)}/${run}`;
  }

  /** With the file system's name, as jobs are told. */
  uri(name: string): string {
    return `${this.#access.root.fileSystem}${this.path}/${name}`;
  }

  /** The path of a URI of the file system's. */
  pathOf(uri: string): string {
    return uri.slice(this.#access.root.fileSystem.length);
  }

  /**
   * For its owner alone: user code, tables of joins and what a job hands to the next are nobody
   * else's affair. What is above it stays open, since Node lies there, which nodes share.
   */
  async open(): Promise<void> {
    const { hdfs, root } = this.#access;
    await hdfs.makeDirectory(runsDirectory(root));
    await hdfs.makeDirectory(this.path, "700");
    await this.put(OWNER_FILE, owner());
  }

  /** The user will come for its parts: no later run takes it for left behind. */
  async keep(): Promise<void> {
    await this.put(KEPT, "");
  }

  /** A small file; its URI. */
  async put(name: string, text: string): Promise<string> {
    await this.#access.hdfs.write(`${this.path}/${name}`, () => Buffer.from(text));
    return this.uri(name);
  }

  /** A local file; its URI. */
  async upload(name: string, file: string): Promise<string> {
    await this.#access.hdfs.write(`${this.path}/${name}`, () => createReadStream(file));
    return this.uri(name);
  }

  /** An application may read it and write into it from now on, until `released`. */
  needed(): void {
    this.#isNeeded = true;
  }

  /** The application has ended. */
  released(): void {
    this.#isNeeded = false;
  }

  /** Removes it, unless an application may still run. `warn` is told what stays, and why. */
  async tidy(warn: (line: string) => void): Promise<void> {
    if (this.#isNeeded) {
      warn(`its application may still run: what it needs stays in ${this.path}`);
      return;
    }
    try {
      await this.#access.hdfs.remove(this.path);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      warn(`what the run had in ${this.path} could not be removed: ${why}`);
    }
  }
}

/** What all runs of a user have on HDFS is below it. */
export const ownDirectory = ({ home }: HdfsRoot): string => `${home}/.broomwagon`;

export const runsDirectory = (root: HdfsRoot): string => `${ownDirectory(root)}/runs`;

/** By which an application of the run is found; its jobs are numbered from 1. */
export const tagOf = (run: string, job: number): string => `broomwagon-${run}-${job}`;

/** In a run's directory: of which process it is. */
export const OWNER_FILE = "owner";
/** In a run's directory: its application was left to go on without its client. */
export const KEPT = "kept-for-its-owner";

/** The plug-in's jar, which is built apart from the rest. */
export function pluginJar(): string {
  const url = new URL("../../../../yarn-plugin/target/broomwagon-yarn.jar", import.meta.url);
  const path = decodeURIComponent(url.pathname);
  if (existsSync(path)) return path;
  const expected =
    "expected the plug-in for Hadoop: `npm run build:yarn` makes it (Java 17, Maven)";
  throw new InputError("missing-file", path, expected);
}
