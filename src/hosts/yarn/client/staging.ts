import { createHash, randomUUID } from "node:crypto";
import { createReadStream, existsSync, statSync } from "node:fs";
import { InputError } from "../../../base/input-error.ts";
import type { ClusterAccess } from "./cluster-access.ts";

/** Below this size it is a program that needs libraries of this machine's. */
const WHOLE_NODE_BYTES_MIN = 40_000_000;

/** What a run has on HDFS while it lives: `/user/NAME/.broomwagon/runs/RUN`. */
export class Staging {
  /** Without the file system's name. */
  readonly path: string;
  readonly #access: ClusterAccess;
  #isNeeded = false;

  constructor(access: ClusterAccess, run: string) {
    this.#access = access;
    this.path = `${ownDirectory(access)}/runs/${run}`;
  }

  /** With the file system's name, as jobs are told. */
  uri(name: string): string {
    return `${this.#access.ground.fileSystem}${this.path}/${name}`;
  }

  /** The path of a URI of the file system's. */
  pathOf(uri: string): string {
    return uri.slice(this.#access.ground.fileSystem.length);
  }

  async open(): Promise<void> {
    await this.#access.hdfs.makeDirectory(this.path);
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

const ownDirectory = ({ ground }: ClusterAccess): string => `${ground.home}/.broomwagon`;

/**
 * The URI of the Node that containers are to run: of the very Node of this process, put into HDFS
 * the first time, where it stays under a name that tells its version and its contents.
 */
export async function shipNode(access: ClusterAccess): Promise<string> {
  const { execPath, platform, arch, version } = process;
  const bytes = statSync(execPath).size;
  if (platform !== "linux" || bytes < WHOLE_NODE_BYTES_MIN) {
    const why = `this one (${execPath}, ${platform}) would not run on the cluster's nodes`;
    const expected = "expected a Node for Linux in one file, as nodejs.org has it, to be shipped";
    throw new InputError("bad-flag", "node", `${expected}: ${why}; name theirs by --node-path`);
  }
  const hash = (await hashOf(execPath)).slice(0, 16);
  const path = `${ownDirectory(access)}/node/node-${version}-${platform}-${arch}-${hash}`;
  const { hdfs, ground } = access;
  const found = await hdfs.find(path);
  if (found?.bytes !== bytes) {
    // Whoever finds the file finds all of it.
    const coming = `${path}.${randomUUID()}.coming`;
    await hdfs.write(coming, () => createReadStream(execPath));
    // By its name it is whole: an upload that broke off has left what nobody could run.
    if (found !== undefined) await hdfs.remove(path);
    const isOurs = await hdfs.rename(coming, path);
    if (!isOurs) await hdfs.remove(coming);
  }
  return `${ground.fileSystem}${path}`;
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(path)) hash.update(chunk);
  return hash.digest("hex");
}

/** The plug-in's jar, which is built apart from the rest. */
export function pluginJar(): string {
  const url = new URL("../../../../yarn-plugin/target/broomwagon-yarn.jar", import.meta.url);
  const path = decodeURIComponent(url.pathname);
  if (existsSync(path)) return path;
  const expected =
    "expected the plug-in for Hadoop: `npm run build:yarn` makes it (Java 17, Maven)";
  throw new InputError("missing-file", path, expected);
}
