import { randomBytes } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { rm } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { InputError } from "../base/input-error.ts";
import { parseJson } from "../base/json.ts";
import { flag, list, object, Place, required, type Shape, standard, text } from "../base/shape.ts";
import { mayBeAlive, owner, ownerText } from "./owner.ts";
import { atUserPath, ifAllowed, makeDirectory } from "./user-path.ts";

/**
 * The directory of a run: `journal.ndjson`, `summary.json` and `nodes.log` stay; the nodes' own
 * directories, datasets, the prepared job file and
 * the user's policies are removed when the run ends.
 */
export class RunDirectory {
  /** Ids sort by the time of the run's start. */
  readonly id: string;
  readonly path: string;
  readonly #passing: string[];
  readonly #isResumable: boolean;

  private constructor(path: string, isResumable: boolean) {
    this.id = basename(path);
    this.path = path;
    this.#isResumable = isResumable;
    this.#passing = [join(path, NODES), join(path, "datasets"), this.preparedJob, this.policies];
  }

  /**
   * Makes a new directory. `parent` is made if needed, and cleared of what long-dead masters have
   * left there; InputError if that is impossible.
   */
  static make(parent: string, now: Date, how: "resumable" | "passing" = "resumable"): RunDirectory {
    const time = now.toISOString().replaceAll(/[-:]/g, "").replace("T", "-").slice(0, 15);
    const id = `${time}-${randomBytes(3).toString("hex")}`;
    const run = new RunDirectory(join(resolve(parent), id), how === "resumable");
    atUserPath(parent, "a directory to write", () => {
      makeDirectory(parent);
      clearAfterTheDead(resolve(parent), now);
      mkdirSync(run.path);
      run.#noteDown();
    });
    return run;
  }

  /**
   * Takes over the directory of a run whose master was killed; InputError if it is none, or if its
   * note is damaged.
   */
  static adopt(path: string): RunDirectory {
    const run = new RunDirectory(resolve(path), true);
    if (!existsSync(run.journal)) {
      run.#refuseUnbegun();
      throw new InputError("missing-file", run.path, "expected the folder of a run");
    }
    const note = readNote(join(run.path, NOTE));
    if (note === undefined) {
      const why = "the run has ended, or what it needs has been cleared away";
      throw new InputError("bad-input", run.path, `expected a run that was cut off: ${why}`);
    }
    if (!note.isResumable) {
      const why = "expected the run of one job: a server's jobs are not gone on with";
      const cure = "serve again, and submit anew those that had not ended";
      throw new InputError("bad-input", run.path, `${why}; ${cure}`);
    }
    if (mayBeAlive(note.owner)) {
      const who = `process ${ownerText(note.owner)} is still at it`;
      throw new InputError("bad-input", run.path, `expected a run that was cut off: ${who}`);
    }
    run.#noteDown();
    return run;
  }

  /** Refuses a run whose process was killed before it had a journal, and removes what it left. */
  #refuseUnbegun(): void {
    if (!RUN_ID.test(this.id) || !existsSync(this.path)) return;
    const note = readNote(join(this.path, NOTE));
    const isEmpty = readdirSync(this.path).length === 0;
    if ((note === undefined && !isEmpty) || (note !== undefined && mayBeAlive(note.owner))) return;
    for (const path of note?.passing ?? []) ifAllowed(() => remove(path));
    this.remove();
    const why = "it was killed before it began: run the job again";
    throw new InputError("bad-input", this.path, why);
  }

  get journal(): string {
    return join(this.path, "journal.ndjson");
  }

  get summary(): string {
    return join(this.path, "summary.json");
  }

  /** The file of what nodes and the user's code printed. */
  get log(): string {
    return join(this.path, "nodes.log");
  }

  get preparedJob(): string {
    return join(this.path, "job");
  }

  /** The user's own policies, for a resume. */
  get policies(): string {
    return join(this.path, "policies");
  }

  node(name: string): string {
    return join(this.path, NODES, name);
  }

  /** Adds a directory elsewhere that must not outlive the run. */
  alsoPassing(path: string): void {
    this.#passing.push(path);
    this.#noteDown();
  }

  /** Forgets a directory that is gone already: a server's run has many, one after the other. */
  hasPassed(path: string): void {
    const at = this.#passing.indexOf(path);
    if (at < 0 || existsSync(path)) return;
    this.#passing.splice(at, 1);
    this.#noteDown();
  }

  /**
   * Removes the nodes' directories: all node processes have ended, and their disk space may be
   * wanted. All at once, since giving back gigabytes of page cache takes a while.
   */
  async clearNodes(): Promise<void> {
    const nodes = join(this.path, NODES);
    const names = existsSync(nodes) ? readdirSync(nodes) : [];
    const options = { recursive: true, force: true, maxRetries: 3 };
    await Promise.allSettled(names.map((name) => rm(join(nodes, name), options)));
    ifAllowed(() => remove(nodes));
  }

  /**
   * Removes the temporary directories; what a reader may want later stays, and what cannot be
   * removed.
   */
  tidy(): void {
    for (const path of this.#passing) ifAllowed(() => remove(path));
    ifAllowed(() => remove(join(this.path, NOTE)));
    ifAllowed(() => remove(join(this.path, NEW_NOTE)));
  }

  /** Removes the directory of a run that continues elsewhere and left nothing here. */
  removeIfEmpty(): void {
    if (existsSync(this.path) && readdirSync(this.path).length === 0) remove(this.path);
  }

  /** Removes the directory of a run that never began. */
  remove(): void {
    this.tidy();
    remove(this.path);
  }

  /** Removes what a killed run has left: this run makes its output, so it will not be resumed. */
  takePlaceOf(id: string): void {
    clear(join(dirname(this.path), id));
  }

  #noteDown(): void {
    const isResumable = this.#isResumable;
    writeNote(this.path, { owner: owner(), passing: this.#passing, isResumable });
  }
}

/**
 * Ties the path of an ended run to the life of this process: the path is removed at the latest when
 * the next run begins. The returned function removes it at once.
 */
export function passWithThisProcess(run: string, path: string): () => void {
  writeNote(run, { owner: owner(), passing: [path], isResumable: false });
  return () => {
    remove(path);
    remove(join(run, NOTE));
  };
}

/** The run's files stay from now on when this process ends. */
export const keep = (run: string): void => remove(join(run, NOTE));

/** Whether the run's directory still holds something that a process will remove. */
export const isUnderWay = (run: string): boolean => existsSync(join(run, NOTE));

function writeNote(run: string, note: Note): void {
  const file = join(run, NOTE);
  // Written whole or not at all, since a truncated note could not be read.
  const newFile = join(run, NEW_NOTE);
  atUserPath(file, "a file to write", () => {
    writeFileSync(newFile, JSON.stringify(note));
    renameSync(newFile, file);
  });
}

const NODES = "nodes";

/** The form of the ids that `make` gives. */
const RUN_ID = /^\d{8}-\d{6}-[0-9a-f]{6}$/;

/**
 * The note that exists while a run is under way: the run's owner, and what to remove if that
 * process dies.
 */
const NOTE = "under-way.json";
const NEW_NOTE = `${NOTE}.new`;

interface Note {
  readonly owner: string;
  readonly passing: readonly string[];
  /** Whether to keep files for a resume when that process dies. */
  readonly isResumable: boolean;
}

/** How long a killed run can be resumed. */
const RESUMABLE_MS = 24 * 3_600_000;

function clearAfterTheDead(parent: string, now: Date): void {
  for (const id of readdirSync(parent)) {
    const run = join(parent, id);
    const file = join(run, NOTE);
    const notedAt = statSync(file, { throwIfNoEntry: false })?.mtimeMs;
    if (notedAt === undefined) continue;
    const isOld = now.getTime() - notedAt > RESUMABLE_MS;
    if (isOld || findNote(file)?.isResumable === false) clear(run);
  }
}

/** Clears a run unless its process lives. */
function clear(run: string): void {
  const file = join(run, NOTE);
  const note = findNote(file);
  if (note === undefined || mayBeAlive(note.owner)) return;
  // A path that cannot be removed, as on a disk that has become read-only, must not keep others
  // from running.
  ifAllowed(() => {
    for (const path of note.passing) remove(path);
    remove(join(run, NEW_NOTE));
    remove(file);
  });
}

/** Undefined if there is no note, or none that can be read: nothing is removed on its word. */
function findNote(file: string): Note | undefined {
  try {
    return readNote(file);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return undefined;
  }
}

/** Undefined if there is no note; InputError if the file is no note. */
function readNote(file: string): Note | undefined {
  if (!existsSync(file)) return undefined;
  const found = parseJson(atUserPath(file, "a file to read", () => readFileSync(file, "utf8")));
  const place = new Place("bad-input", file);
  return found.ok ? noted.read(found.value, place) : place.fail(found.problem);
}

/** Checked to the last path, since all of them are removed with what is in them. */
const noted: Shape<Note> = object<Note>("the note of a run under way", {
  owner: required(text),
  passing: required(list(text)),
  isResumable: standard(flag, true),
});

const remove = (path: string): void =>
  rmSync(path, { recursive: true, force: true, maxRetries: 3 });
