import { posix } from "node:path";
import { InputError } from "../../../base/input-error.ts";
import type { HdfsEntry, WebHdfs } from "./web-hdfs.ts";

const OURS = /^(_SUCCESS|part-\d{5,}(\.gz)?)$/;

/** The output directory on HDFS, which appears as a whole, by one rename, when all is done. */
export class HdfsOutput {
  readonly path: string;
  readonly #hdfs: WebHdfs;
  readonly #overwrite: boolean;

  constructor(hdfs: WebHdfs, path: string, { overwrite }: { readonly overwrite: boolean }) {
    this.#hdfs = hdfs;
    this.path = path;
    this.#overwrite = overwrite;
  }

  /**
   * InputError if the output exists and must not be replaced, if it is or contains an input, or if
   * the next run would read it. `named`: the files, directories and globs that named the inputs.
   */
  async check(inputs: readonly string[], named: readonly string[]): Promise<void> {
    for (const input of inputs) {
      if (isWithin(input, this.path)) this.#refuse(`it holds the input file ${input}`);
    }
    for (const path of named.filter((each) => isWithin(this.path, each))) {
      const entry = await this.#hdfs.find(path);
      if (entry?.isDirectory) this.#refuse(`it lies inside the input directory ${path}`);
    }
    await this.#refuseExisting();
  }

  #refuse(why: string): never {
    const expected = `this cannot be the output: ${why}; name another directory`;
    throw new InputError("bad-flag", this.path, expected);
  }

  /**
   * `accepted`: a directory with all parts in their places, on the same file system. A replaced
   * output is kept beside the new one until the rename, under a hidden name that contains `run`. On
   * a failure it is put back, or the InputError says where it is.
   */
  async commit(
    accepted: string,
    { run, warn }: { readonly run: string; readonly warn: (line: string) => void },
  ): Promise<void> {
    await this.#hdfs.write(`${accepted}/_SUCCESS`, () => Buffer.alloc(0));
    const existing = await this.#refuseExisting();
    const beside = posix.dirname(this.path);
    await this.#hdfs.makeDirectory(beside);
    if (existing === undefined) return this.#move(accepted, this.path);
    const replaced = posix.join(beside, `.${posix.basename(this.path)}.replaced-${run}`);
    try {
      await this.#move(this.path, replaced);
      await this.#move(accepted, this.path);
    } catch (error) {
      await this.#putBack(replaced, error);
      throw error;
    }
    await this.#hdfs.remove(replaced).catch((error: unknown) => {
      warn(`the output that was replaced is still in ${replaced}: ${messageOf(error)}`);
    });
  }

  async #move(from: string, to: string): Promise<void> {
    if (await this.#hdfs.rename(from, to)) return;
    const why = "another run has written, moved or removed it meanwhile";
    const expected = `expected HDFS to rename ${from} to ${to}: ${why}`;
    throw new InputError("output-exists", this.path, expected);
  }

  /** InputError if the earlier output may not be in its place. */
  async #putBack(replaced: string, failed: unknown): Promise<void> {
    try {
      if (await this.#hdfs.rename(replaced, this.path)) return;
      if ((await this.#hdfs.find(replaced)) === undefined) return;
    } catch {
      // The first error is the one to report.
    }
    const where = `the earlier output is kept in ${replaced}`;
    throw new InputError("output-exists", this.path, `${messageOf(failed)}; ${where}`);
  }

  async #refuseExisting(): Promise<HdfsEntry | undefined> {
    const existing = await this.#hdfs.find(this.path);
    if (existing === undefined) return undefined;
    if (this.#overwrite && (await this.#isReplaceable(existing))) return existing;
    const expected = this.#overwrite
      ? "--overwrite replaces only a directory that is empty or an earlier output; name another"
      : "the output directory exists; name another, or say --overwrite to replace it";
    throw new InputError("output-exists", this.path, expected);
  }

  /**
   * Whether replacing the entry would lose only what a run wrote: parts, or directories of parts.
   */
  async #isReplaceable(entry: HdfsEntry, depth = 0): Promise<boolean> {
    if (!entry.isDirectory) return false;
    const entries = await this.#hdfs.list(entry.path);
    if (depth > 0 && entries.length === 0) return false;
    for (const below of entries) {
      const isFine = below.isDirectory
        ? depth === 0 && (await this.#isReplaceable(below, 1))
        : OURS.test(posix.basename(below.path));
      if (!isFine) return false;
    }
    return true;
  }
}

const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

const isWithin = (path: string, directory: string): boolean =>
  path === directory || path.startsWith(directory.endsWith("/") ? directory : `${directory}/`);
