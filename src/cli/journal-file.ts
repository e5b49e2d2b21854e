import { InputError } from "../base/input-error.ts";
import { parseJson } from "../base/json.ts";
import {
  parseJournal,
  type Replayed,
  type ReplayOptions,
  replay,
  type SetupDescription,
} from "../core/journal/index.ts";
import { restoreDiscipline } from "../policy/discipline.ts";
import type { Discipline, DisciplineDescription } from "../policy/policy.ts";
import type { Registry } from "../policy/registry.ts";
import { endsInMidLine, readLines } from "./files.ts";

/** A journal in a file of any size, read anew for each purpose. */
export class StoredJournal {
  /** Its name in messages. */
  readonly path: string;
  readonly #file: string;
  readonly restore: (described: DisciplineDescription) => Discipline;
  /**
   * The number of the last line, if it is cut off, as by a crash during its write; known once the
   * lines have been read.
   */
  torn: number | undefined;
  /** What is said of a compressed journal that ends in the middle of a block. */
  cut: string | undefined;

  /** `file`: where its lines are, if that is not its path. */
  constructor(path: string, registry?: Registry, file: string = path) {
    this.path = path;
    this.#file = file;
    this.restore = restoring(path, registry);
  }

  lines(): Generator<string, void> {
    return this.wholeLines(readLines(this.#file), () => endsInMidLine(this.#file));
  }

  /** All lines but a torn last one; `isCut`: whether a last line that is no JSON is cut off. */
  *wholeLines(lines: Iterable<string>, isCut = (): boolean => true): Generator<string, void> {
    let number = 0;
    let last: string | undefined;
    for (const line of lines) {
      if (last !== undefined) yield last;
      last = line;
      number += 1;
    }
    if (last === undefined) return;
    // A first line that is cut off is an error, not a torn journal.
    if (number > 1 && !parseJson(last).ok && isCut()) this.torn = number;
    else yield last;
  }

  get setup(): SetupDescription {
    return parseJournal(this.lines(), this.path).setup;
  }

  replay(listeners: Pick<ReplayOptions, "onStep" | "onHost">): Replayed {
    return replay(this.lines(), this.restore, { place: this.path, ...listeners });
  }
}

/** Restores the discipline of a journal, whose mistake an unknown name in the first line is. */
const restoring =
  (path: string, registry?: Registry) =>
  (described: DisciplineDescription): Discipline => {
    try {
      return restoreDiscipline(described, registry);
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      throw new InputError("bad-journal", `${path}:1`, error.message);
    }
  };
