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
import { isIntact } from "../../data/index.ts";
import { mayBeAlive, OWNER, owner, ownerText } from "../../run/owner.ts";
import { atUserPath, ifAllowed, makeDirectory } from "../../run/user-path.ts";

/**
 * The job's output, from the attempts that write it to the directory that the user named.
 *
 * An attempt writes into a directory of its own beside the output. The first that succeeds wins:
 * its file is renamed into the area of accepted parts. When all parts are there, `_SUCCESS` is
 * added and the area becomes the output directory by one rename. A killed or losing attempt leaves
 * nothing behind, and no reader sees half an output.
 *
 * The names beside the output carry their run and its owner. So the second of two runs at a time is
 * refused, and the next run cleans up after a killed one.
 */
export class OutputDirectory {
  readonly path: string;
  readonly #overwrite: boolean;
  /** The directory beside the output; it is removed with the run. */
  readonly area: string;
  readonly #replaced: string;
  /** The first of the parents that had to be made. */
  readonly #madeParent: string | undefined;
  readonly #id: string;
  readonly #takesPlaceOf: (run: string) => void;
  #committed = false;

  /**
   * InputError if the output exists and must not be replaced, if another run is writing it, or if
   * it cannot be written. A resumed run finds the parts that it had accepted.
   */
  constructor(query: {
    readonly path: string;
    readonly overwrite: boolean;
    readonly id: string;
    /** How far the commit of a resumed run had come; absent if it had not begun. */
    readonly commit?: "begun" | "done";
    /** Called with the id of each killed run into the same place, whose parts are then gone. */
    readonly takesPlaceOf?: (run: string) => void;
  }) {
    this.path = resolve(query.path);
    this.#id = query.id;
    this.#takesPlaceOf = query.takesPlaceOf ?? (() => {});
    this.#overwrite = query.overwrite;
    this.area = this.#beside("_temporary", query.id);
    this.#replaced = this.#beside("_replaced", query.id);
    this.#madeParent = this.#writing(() => makeDirectory(dirname(this.path)));
    if (query.commit === "done") this.#committed = true;
    else this.#writing(() => this.#open(query.commit === "begun"));
  }

  #open(commitBegun: boolean): void {
    const isResumed = this.#takeOver();
    try {
      if (!isResumed) mkdirSync(this.area);
      this.#refuseSecond();
      this.#putRight();
      this.#committed = commitBegun && isResumed && !existsSync(this.#accepted);
      if (this.#committed) return;
      this.#refuseExisting();
      mkdirSync(this.#accepted, { recursive: true });
    } catch (error) {
      // The work of an earlier process may be of use at the next resume.
      if (!isResumed) this.close();
      throw error;
    }
  }

  /** Removes what an earlier process of the same run left and no attempt writes any more. */
  #takeOver(): boolean {
    const left = this.#others("_temporary").find(({ run }) => run === this.#id);
    if (left === undefined) return false;
    renameSync(left.path, this.area);
    for (const name of readdirSync(this.area)) {
      if (join(this.area, name) !== this.#accepted) remove(join(this.area, name));
    }
    return true;
  }

  get isCommitted(): boolean {
    return this.#committed;
  }

  /** Whether the part was accepted and is unchanged. */
  holds({ part, checksum }: { readonly part: string; readonly checksum: string }): boolean {
    return this.#committed || isIntact({ path: join(this.#accepted, part), checksum });
  }

  /** The path at which the attempt writes the part. */
  partOf(attempt: number, part: string): string {
    const directory = this.#directoryOf(attempt);
    this.#writing(() => mkdirSync(directory));
    return join(directory, part);
  }

  /** The attempt's part becomes the task's; `as` may include a directory. */
  accept(attempt: number, part: string, as = part): void {
    const to = join(this.#accepted, as);
    mkdirSync(dirname(to), { recursive: true });
    renameSync(join(this.#directoryOf(attempt), part), to);
    this.drop(attempt);
  }

  /** Removes what the attempt wrote: now, or, where the system refuses, with the area. */
  drop(attempt: number): void {
    ifAllowed(() => remove(this.#directoryOf(attempt)));
  }

  /** Turns the accepted parts into the output. InputError if the system refuses. */
  commit(): void {
    if (!this.#committed) this.#writing(() => this.#commit());
  }

  #commit(): void {
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

  /**
   * Closes after the last write: only a committed output is left. Files that cannot be removed, as
   * on a disk that has become read-only, are left to the next run in the same place.
   */
  close(): void {
    ifAllowed(() => this.#close());
  }

  #close(): void {
    remove(this.area);
    for (const { run, path } of this.#others("_temporary")) if (run === this.#id) remove(path);
    if (this.#committed || this.#madeParent === undefined) return;
    for (let made = dirname(this.path); made.startsWith(this.#madeParent); made = dirname(made)) {
      try {
        rmdirSync(made);
      } catch {
        // Another process uses the directory already.
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

  /** The directories of other runs into the same place. */
  #others(what: Beside): readonly Other[] {
    const parent = dirname(this.path);
    return readdirSync(parent).flatMap((name) => {
      const { kind, output, run = "", owner = "" } = BESIDE.exec(name)?.groups ?? {};
      const path = join(parent, name);
      const isOther = kind === what && output === basename(this.path) && path !== this.area;
      return isOther ? [{ path, run, owner }] : [];
    });
  }

  /**
   * Each run makes its area before it checks, so that two can never both continue. Of two runs that
   * begin in the same instant both may be refused.
   */
  #refuseSecond(): void {
    for (const { path, owner } of this.#others("_temporary")) {
      if (!mayBeAlive(owner)) continue;
      const is = `another run, process ${ownerText(owner)}, is about to write it`;
      const expected = `${is}; name another directory (if there is no such run, remove ${path})`;
      throw new InputError("output-exists", this.path, expected);
    }
  }

  /**
   * Cleans up after killed runs, one of which may have moved the old output away without moving its
   * own in.
   */
  #putRight(): void {
    for (const { path, run } of this.#others("_temporary")) {
      remove(path);
      this.#takesPlaceOf(run);
    }
    for (const { path } of this.#others("_replaced")) {
      if (existsSync(this.path)) remove(path);
      else renameSync(path, this.path);
    }
  }

  #refuseExisting(): void {
    if (!isThere(this.path) || (this.#overwrite && isReplaceable(this.path))) return;
    throw new InputError("output-exists", this.path, this.#whyNot());
  }

  #whyNot(): string {
    const isDirectory = lstatSync(this.path).isDirectory();
    if (!isDirectory) return "there is something that is no directory; name another place";
    return this.#overwrite
      ? "--overwrite replaces only a directory that is empty or an earlier output; name another"
      : "the output directory exists; name another, or say --overwrite to replace it";
  }

  #writing<T>(work: () => T): T {
    return atUserPath(this.path, "a directory to write", work);
  }
}

type Beside = "_temporary" | "_replaced";

/**
 * `_temporary-OUTPUT.RUN.OWNER`: the output's name may be anything, so the rest is matched from the
 * end.
 */
const BESIDE = new RegExp(
  `^(?<kind>_temporary|_replaced)-(?<output>.+)\\.(?<run>[^.@]+)\\.(?<owner>${OWNER})$`,
);

interface Other {
  readonly path: string;
  readonly run: string;
  readonly owner: string;
}

/** A symbolic link that leads nowhere exists too. */
const isThere = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined;

/**
 * Whether replacing the directory would lose only what a run wrote: parts, or directories of parts.
 */
function isReplaceable(path: string, depth = 0): boolean {
  if (!lstatSync(path).isDirectory()) return false;
  const entries = readdirSync(path, { withFileTypes: true });
  if (depth > 0 && entries.length === 0) return false;
  return entries.every((entry) =>
    entry.isDirectory()
      ? depth === 0 && isReplaceable(join(path, entry.name), 1)
      : entry.isFile() && OURS.test(entry.name),
  );
}

const OURS = /^(_SUCCESS|part-\d{5,}(\.gz)?)$/;

const remove = (path: string): void =>
  rmSync(path, { recursive: true, force: true, maxRetries: 3 });
