import { randomBytes } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { mayBeAlive, owner } from "./owner.ts";
import { atUserPath, makeDirectory } from "./user-path.ts";

/**
 * Where a run lives: `journal.ndjson`, `summary.json` and `nodes.log` stay; the nodes' own
 * directories and the prepared job file go with the run.
 */
export class RunDirectory {
  /** Sorts by the time of the run's start. */
  readonly id: string;
  readonly path: string;
  readonly #passing: string[];

  /**
   * `parent` is made if need be, and cleared of what killed masters have left there; InputError if
   * that cannot be.
   */
  constructor(parent: string, now: Date) {
    const time = now.toISOString().replaceAll(/[-:]/g, "").replace("T", "-").slice(0, 15);
    this.id = `${time}-${randomBytes(3).toString("hex")}`;
    this.path = join(resolve(parent), this.id);
    this.#passing = [join(this.path, "nodes"), this.preparedJob];
    atUserPath(parent, "a directory to write", () => {
      makeDirectory(parent);
      clearAfterTheDead(resolve(parent));
      mkdirSync(this.path);
      this.#noteDown();
    });
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
    return join(this.path, "nodes", name);
  }

  /** A directory elsewhere that must not outlive the run either. */
  alsoPassing(path: string): void {
    this.#passing.push(path);
    this.#noteDown();
  }

  /** Leaves what a reader may want later. */
  tidy(): void {
    for (const path of this.#passing) remove(path);
    remove(join(this.path, NOTE));
  }

  /** Of a run that never began. */
  remove(): void {
    this.tidy();
    remove(this.path);
  }

  #noteDown(): void {
    const note: Note = { owner: owner(), passing: this.#passing };
    writeFileSync(join(this.path, NOTE), JSON.stringify(note));
  }
}

/** There as long as a run is under way: whose it is, and what is to go if that process dies. */
const NOTE = "under-way.json";

interface Note {
  readonly owner: string;
  readonly passing: readonly string[];
}

function clearAfterTheDead(parent: string): void {
  for (const id of readdirSync(parent)) {
    const file = join(parent, id, NOTE);
    const note = readNote(file);
    if (note === undefined || mayBeAlive(note.owner)) continue;
    for (const path of note.passing) remove(path);
    remove(file);
  }
}

/** Undefined if there is none, if its run is just writing it, or if it is no such note. */
function readNote(file: string): Note | undefined {
  try {
    const note: Partial<Note> = JSON.parse(readFileSync(file, "utf8"));
    const { owner, passing } = note;
    return owner === undefined || passing === undefined ? undefined : { owner, passing };
  } catch {
    return undefined;
  }
}

const remove = (path: string): void =>
  rmSync(path, { recursive: true, force: true, maxRetries: 3 });
