import {
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import type { Json } from "../../base/json.ts";
import type { Unit } from "../../reproduce/experiment.ts";
import { makeFolder, writing } from "../files.ts";
import { digestOf } from "./data.ts";

/** A line of the file: an outcome, and the unit that it belongs to. */
interface Line {
  readonly key: string;
  /** A hash of the program, the data and the unit's work. */
  readonly of: string;
  readonly outcome: Json;
  /** The time that the unit took, in milliseconds. */
  readonly ms: number;
}

/** The outcome of a unit, and the time that it took. */
export type Kept = Pick<Line, "outcome" | "ms">;

/**
 * The outcomes of one experiment's units, appended to DIR/units/NAME.ndjson as they arrive, so that
 * a stopped reproduction can continue. Outcomes of another program or of other data are dropped
 * when the file is opened.
 */
export class UnitStore {
  readonly #path: string;
  readonly #version: string;
  readonly #kept = new Map<string, Line>();
  readonly #file: number;

  constructor(folder: string, name: string, version: string) {
    const units = join(folder, "units");
    this.#path = join(units, `${name}.ndjson`);
    this.#version = version;
    makeFolder(units);
    this.#load();
    this.#file = writing(this.#path, () => openSync(this.#path, "a"));
  }

  #load(): void {
    if (!existsSync(this.#path)) return;
    const lines = readFileSync(this.#path, "utf8").split("\n");
    for (const text of lines) {
      const line = lineFrom(text);
      if (line?.of.startsWith(this.#version)) this.#kept.set(line.key, line);
    }
    // The last line may be half written, so the file is rewritten and renamed.
    const text = [...this.#kept.values()].map((line) => `${JSON.stringify(line)}\n`).join("");
    writeFileSync(`${this.#path}.new`, text);
    renameSync(`${this.#path}.new`, this.#path);
  }

  /** The unit's outcome, if an earlier run has computed it. */
  find(unit: Unit): Kept | undefined {
    const line = this.#kept.get(unit.key);
    return line?.of === this.#fingerprint(unit) ? line : undefined;
  }

  keep(unit: Unit, { outcome, ms }: Kept): void {
    const line: Line = { key: unit.key, of: this.#fingerprint(unit), ms, outcome };
    this.#kept.set(unit.key, line);
    writeSync(this.#file, `${JSON.stringify(line)}\n`);
  }

  #fingerprint({ work }: Unit): string {
    return `${this.#version}${digestOf(JSON.stringify(work))}`;
  }

  close(): void {
    closeSync(this.#file);
  }
}

function lineFrom(text: string): Line | undefined {
  if (!text.endsWith("}")) return undefined;
  try {
    const line: unknown = JSON.parse(text);
    return isLine(line) ? line : undefined;
  } catch {
    return undefined;
  }
}

const isLine = (line: unknown): line is Line =>
  typeof line === "object" &&
  line !== null &&
  "key" in line &&
  typeof line.key === "string" &&
  "of" in line &&
  typeof line.of === "string" &&
  "ms" in line &&
  typeof line.ms === "number" &&
  "outcome" in line;
