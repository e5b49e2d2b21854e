import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { InputError } from "../../base/input-error.ts";
import { mayBeAlive, owner } from "./owner.ts";
import { atUserPath, makeDirectory } from "./user-path.ts";

/**
 * The job's output, from the attempts that write it to the directory that the user named.
 *
 * An attempt writes into a directory of its own beside the output. The first that succeeds wins:
 * its file is renamed into the area of accepted parts. When all parts are there, `_SUCCESS` is
 * added and the area becomes the output directory by one rename. A killed or losing attempt can
 * leave nothing behind, and no reader sees half an output.
 *
 * Names beside the output say whose they are, so that of two runs at a time the second is refused,
 * and what a killed run has left is put right by the next.
 */
export class OutputDirectory {
  readonly path: string;
  readonly #overwrite: boolean;
  /** Beside the output; it goes with the run. */
  readonly area: string;
  readonly #replaced: string;
  /** The first of the parents that had to be made. */
  readonly #madeParent: string | undefined;
  #committed = false;

  /**
   * InputError if the output is there and must not be replaced, if another run is at it, or if it
   * cannot be written.
   */
  constructor(query: { readonly path: string; readonly overwrite: boolean; readonly id: string }) {
    this.path = resolve(query.path);
    this.#overwrite = query.overwrite;
    this.area = this.#beside("_temporary", query.id);
    this.#replaced = this.#beside("_replaced", query.id);
    this.#madeParent = this.#writing(() => makeDirectory(dirname(this.path)));
    this.#writing(() => this.#open());
  }

  #open(): void {
    try {
      mkdirSync(this.area);
      this.#refuseSecond();
      this.#putRight();
      this.#refuseExisting();
      mkdirSync(this.#accepted);
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /** Where the attempt shall write the part. */
  partOf(attempt: number, part: string): string {
    const directory = this.#directoryOf(attempt);
    mkdirSync(directory);
    return join(directory, part);
  }

  /** The attempt's part becomes the task's. */
  accept(attempt: number, part: string): void {
    renameSync(join(this.#directoryOf(attempt), part), join(this.#accepted, part));
    this.drop(attempt);
  }

  /** What the attempt wrote goes. */
  drop(attempt: number): void {
    remove(this.#directoryOf(attempt));
  }

  /** The accepted parts become the output. */
  commit(): void {
    writeFileSync(join(this.#accepted, "_SUCCESS"), "");
    this.#refuseExisting();
    const replaces = isThere(this.path);
    if (replaces) renameSync(this.path, this.#replaced);
    try {
      renameSync(this.#accepted, this.path);
    } catch (error) {
      if (replaces) renameSync(this.#replaced, this.path);
      throw error;
    }
    remove(this.#replaced);
    this.#committed = true;
  }

  /** When nobody writes any more: nothing is left but the output, if it was committed. */
  close(): void {
    remove(this.area);
    if (this.#committed || this.#madeParent === undefined) return;
    for (let made = dirname(this.path); made.startsWith(this.#madeParent); made = dirname(made)) {
      try {
        rmdirSync(made);
      } catch {
        // Somebody else uses it by now.
        return;
      }
    }
  }

  get #accepted(): string {
    return join(this.area, "accepted");
  }

  #directoryOf(attempt: number): string {
    return join(this.area, `attempt-${attempt}`);
  }

  #beside(what: Beside, id: string): string {
    return join(dirname(this.path), `${what}-${basename(this.path)}.${id}.${owner()}`);
  }

  /** What other runs into the same place have beside it. */
  #others(what: Beside): readonly { readonly path: string; readonly owner: string }[] {
    const parent = dirname(this.path);
    return readdirSync(parent).flatMap((name) => {
      const [, kind, output, owner] = BESIDE.exec(name) ?? [];
      const path = join(parent, name);
      const isOther = kind === what && output === basename(this.path) && path !== this.area;
      return isOther && owner !== undefined ? [{ path, owner }] : [];
    });
  }

  /**
   * Each run has made its area before it looks, so that no two can go on. Of two that begin in the
   * same instant both may be refused.
   */
  #refuseSecond(): void {
    for (const { path, owner } of this.#others("_temporary")) {
      if (!mayBeAlive(owner)) continue;
      const is = `another run, process ${owner}, is about to write it`;
      const expected = `${is}; name another directory (if there is no such run, remove ${path})`;
      throw new InputError("output-exists", this.path, expected);
    }
  }

  /** What killed runs have left: one may have moved the old output away, and its own not in. */
  #putRight(): void {
    for (const { path } of this.#others("_temporary")) remove(path);
    for (const { path } of this.#others("_replaced")) {
      if (existsSync(this.path)) remove(path);
      else renameSync(path, this.path);
    }
  }

  #refuseExisting(): void {
    if (!isThere(this.path) || (this.#overwrite && isReplaceable(this.path))) return;
    const expected = this.#overwrite
      ? "--overwrite replaces only a directory that is empty or an earlier output; name another"
      : "the output directory exists; name another, or say --overwrite to replace it";
    throw new InputError("output-exists", this.path, expected);
  }

  #writing<T>(work: () => T): T {
    return atUserPath(this.path, "a directory to write", work);
  }
}

type Beside = "_temporary" | "_replaced";

/** `_temporary-OUTPUT.RUN.OWNER`: whatever the output is called, the rest is known from its end. */
const BESIDE = /^(_temporary|_replaced)-(.+)\.[^.@]+\.(\d+@[^@]+)$/;

/** A symbolic link that leads nowhere is there too. */
const isThere = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined;

/** Whether nothing but what a run has written would be lost. */
function isReplaceable(path: string): boolean {
  if (!lstatSync(path).isDirectory()) return false;
  const entries = readdirSync(path, { withFileTypes: true });
  return entries.every((entry) => entry.isFile() && OURS.test(entry.name));
}

const OURS = /^(_SUCCESS|part-\d{5,})$/;

const remove = (path: string): void =>
  rmSync(path, { recursive: true, force: true, maxRetries: 3 });
