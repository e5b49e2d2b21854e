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
import { mayBeAlive, owner, ownerText } from "./owner.ts";
import { atUserPath, ifAllowed, makeDirectory } from "./user-path.ts";

/**
 * Where a run lives: `journal.ndjson`, `summary.json` and `nodes.log` stay; the nodes' own
 * directories, datasets and the prepared job file go with the run.
 */
export class RunDirectory {
  /** Sorts by the time of the run's start. */
  readonly id: string;
  readonly path: string;
  readonly #passing: string[];
  readonly #isResumable: boolean;

  private constructor(path: string, isResumable: boolean) {
    this.id = basename(path);
    this.path = path;
    this.#isResumable = isResumable;
    this.#passing = [join(path, NODES), join(path, "datasets"), this.preparedJob];
  }

  /**
   * A new one. `parent` is made if need be, and cleared of what masters have left there that were
   * killed long ago; InputError if that cannot be.
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

  /** One whose master was killed, to go on with; InputError if it is none. */
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

  /** Its process was killed before there was a journal: what it has left goes. */
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

  /** What nodes and the user's code printed. */
  get log(): string {
    return join(this.path, "nodes.log");
  }

  get preparedJob(): string {
    return join(this.path, "job");
  }

  node(name: string): string {
    return join(this.path, NODES, name);
  }

  /** A directory elsewhere that must not outlive the run either. */
  alsoPassing(path: string): void {
    this.#passing.push(path);
    this.#noteDown();
  }

  /** Forgotten if it is gone already: a server's run has many, one after the other. */
  hasPassed(path: string): void {
    const at = this.#passing.indexOf(path);
    if (at < 0 || existsSync(path)) return;
    this.#passing.splice(at, 1);
    this.#noteDown();
  }

  /**
   * What the nodes had goes: no process of theirs is left, and their room may be wanted. All of
   * them at once, since giving back gigabytes of page cache takes a while.
   */
  async clearNodes(): Promise<void> {
    const nodes = join(this.path, NODES);
    const names = existsSync(nodes) ? readdirSync(nodes) : [];
    const options = { recursive: true, force: true, maxRetries: 3 };
    await Promise.allSettled(names.map((name) => rm(join(nodes, name), options)));
    ifAllowed(() => remove(nodes));
  }

  /** Leaves what a reader may want later, and what cannot be removed. */
  tidy(): void {
    for (const path of this.#passing) ifAllowed(() => remove(path));
    ifAllowed(() => remove(join(this.path, NOTE)));
    ifAllowed(() => remove(join(this.path, NEW_NOTE)));
  }

  /** Of a run that goes on elsewhere, and has left nothing here. */
  removeIfEmpty(): void {
    if (existsSync(this.path) && readdirSync(this.path).length === 0) remove(this.path);
  }

  /** Of a run that never began. */
  remove(): void {
    this.tidy();
    remove(this.path);
  }

  /**
   * A run that was killed will not be resumed, since this one makes its output: what it has left
   * goes.
   */
  takePlaceOf(id: string): void {
    clear(join(dirname(this.path), id));
  }

  #noteDown(): void {
    const isResumable = this.#isResumable;
    writeNote(this.path, { owner: owner(), passing: this.#passing, isResumable });
  }
}

/**
 * What a run that has ended keeps at this path goes with this process, however that ends: at the
 * latest when the next run begins. Call what is returned to have it go now.
 */
export function passWithThisProcess(run: string, path: string): () => void {
  writeNote(run, { owner: owner(), passing: [path], isResumable: false });
  return () => {
    remove(path);
    remove(join(run, NOTE));
  };
}

/** From now on the run's files stay when this process ends. */
export const keep = (run: string): void => remove(join(run, NOTE));

/** Whether something in the run's directory is still to go with a process. */
export const isUnderWay = (run: string): boolean => existsSync(join(run, NOTE));

function writeNote(run: string, note: Note): void {
  const file = join(run, NOTE);
  // As a whole or not at all: a note that is cut off would be none.
  const newFile = join(run, NEW_NOTE);
  atUserPath(file, "a file to write", () => {
    writeFileSync(newFile, JSON.stringify(note));
    renameSync(newFile, file);
  });
}

const NODES = "nodes";

/** As `make` names runs. */
const RUN_ID = /^\d{8}-\d{6}-[0-9a-f]{6}$/;

/** There as long as a run is under way: whose it is, and what is to go if that process dies. */
const NOTE = "under-way.json";
const NEW_NOTE = `${NOTE}.new`;

interface Note {
  readonly owner: string;
  readonly passing: readonly string[];
  /** Otherwise nothing is to be kept when that process dies. */
  readonly isResumable: boolean;
}

/** So long a killed run may be resumed. */
const RESUMABLE_MS = 24 * 3_600_000;

function clearAfterTheDead(parent: string, now: Date): void {
  for (const id of readdirSync(parent)) {
    const run = join(parent, id);
    const file = join(run, NOTE);
    const notedAt = statSync(file, { throwIfNoEntry: false })?.mtimeMs;
    if (notedAt === undefined) continue;
    const isOld = now.getTime() - notedAt > RESUMABLE_MS;
    if (isOld || readNote(file)?.isResumable === false) clear(run);
  }
}

/** Unless its process lives. */
function clear(run: string): void {
  const file = join(run, NOTE);
  const note = readNote(file);
  if (note === undefined || mayBeAlive(note.owner)) return;
  // What may not be removed, on a disk that is read-only by now, must not keep others from running.
  ifAllowed(() => {
    for (const path of note.passing) remove(path);
    remove(join(run, NEW_NOTE));
    remove(file);
  });
}

/** Undefined if there is none, if its run is just writing it, or if it is no such note. */
function readNote(file: string): Note | undefined {
  try {
    const note: Partial<Note> = JSON.parse(readFileSync(file, "utf8"));
    const { owner, passing, isResumable = true } = note;
    if (owner === undefined || passing === undefined) return undefined;
    return { owner, passing, isResumable };
  } catch {
    return undefined;
  }
}

const remove = (path: string): void =>
  rmSync(path, { recursive: true, force: true, maxRetries: 3 });
