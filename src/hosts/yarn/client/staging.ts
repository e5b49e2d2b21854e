import { createReadStream, existsSync } from "node:fs";
import { InputError } from "../../../base/input-error.ts";
import { owner } from "../../../run/owner.ts";
import type { ClusterAccess } from "./cluster-access.ts";
import type { HdfsRoot } from "./hdfs-path.ts";

/** A run's directory on HDFS while the run lives: `/user/NAME/.broomwagon/runs/RUN`. */
export class Staging {
  /** Without the file system's name. */
  readonly path: string;
  readonly #access: Pick<ClusterAccess, "hdfs" | "root">;
  #isNeeded = false;

  constructor(access: Pick<ClusterAccess, "hdfs" | "root">, run: string) {
    this.#access = access;
    this.path = `${runsDirectory(access.root)}/${run}`;
  }

  /** With the file system's name, as jobs need it. */
  uri(name: string): string {
    return `${this.#access.root.fileSystem}${this.path}/${name}`;
  }

  /** The path of a URI on this file system. */
  pathOf(uri: string): string {
    return uri.slice(this.#access.root.fileSystem.length);
  }

  /**
   * Makes the directory readable for its owner only, since it holds user code, tables of joins and
   * intermediate data. The directories above stay open, because Node lies there for all nodes.
   */
  async open(): Promise<void> {
    const { hdfs, root } = this.#access;
    await hdfs.makeDirectory(runsDirectory(root));
    await hdfs.makeDirectory(this.path, "700");
    await this.put(OWNER_FILE, owner());
  }

  /** Marks the parts as wanted by the user, so that no later run removes them as left behind. */
  async keep(): Promise<void> {
    await this.put(KEPT, "");
  }

  /** Writes a small file and returns its URI. */
  async put(name: string, text: string): Promise<string> {
    await this.#access.hdfs.write(`${this.path}/${name}`, () => Buffer.from(text));
    return this.uri(name);
  }

  /** Uploads a local file and returns its URI. */
  async upload(name: string, file: string): Promise<string> {
    await this.#access.hdfs.write(`${this.path}/${name}`, () => createReadStream(file));
    return this.uri(name);
  }

  /** Marks the directory as in use by an application, until `released`. */
  needed(): void {
    this.#isNeeded = true;
  }

  /** The application has ended. */
  released(): void {
    this.#isNeeded = false;
  }

  /**
   * Removes the directory, unless an application may still run. `warn` gets what stays, and why.
   */
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

/** The directory on HDFS of everything that belongs to a user's runs. */
export const ownDirectory = ({ home }: HdfsRoot): string => `${home}/.broomwagon`;

export const runsDirectory = (root: HdfsRoot): string => `${ownDirectory(root)}/runs`;

/** The tag by which an application of the run is found; jobs are numbered from 1. */
export const tagOf = (run: string, job: number): string => `broomwagon-${run}-${job}`;

/** A file in a run's directory that names the process of the run. */
export const OWNER_FILE = "owner";
/** A file in a run's directory that says that the application goes on without its client. */
export const KEPT = "kept-for-its-owner";

/** The plug-in's jar, which is built separately. */
export function pluginJar(): string {
  const url = new URL("../../../../yarn-plugin/target/broomwagon-yarn.jar", import.meta.url);
  const path = decodeURIComponent(url.pathname);
  if (existsSync(path)) return path;
  const expected =
    "expected the plug-in for Hadoop: `npm run build:yarn` makes it (Java 17, Maven)";
  throw new InputError("missing-file", path, expected);
}
