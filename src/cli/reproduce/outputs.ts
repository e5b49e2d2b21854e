import { existsSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { InputError } from "../../base/input-error.ts";
import { csvFields } from "../../data/formats/csv-line.ts";
import type { ResultRow } from "../../reproduce/published.ts";
import { makeFolder, writing } from "../files.ts";

/** The files that a reproduction leaves in its folder, beside the units. */
const NAMES = ["results.json", "results.csv", "tables.txt", "index.html"] as const;

/** Checks before minutes of work that the folder can be made and its files can be written. */
export function checkOutputs(folder: string): void {
  makeFolder(folder);
  for (const name of NAMES) {
    const path = join(folder, name);
    if (existsSync(path) && statSync(path).isDirectory()) {
      throw new InputError("bad-flag", path, "expected a file to write: this is a directory");
    }
  }
}

export function writeOutputs(
  folder: string,
  texts: Readonly<Record<(typeof NAMES)[number], string>>,
): void {
  for (const name of NAMES) {
    const path = join(folder, name);
    writing(path, () => writeFileSync(path, texts[name]));
  }
}

const FIELDS = [
  "paper",
  "figure",
  "setting",
  "metric",
  "tag",
  "published",
  "measured",
  "low",
  "high",
  "verdict",
] as const satisfies readonly (keyof ResultRow)[];

/** RFC 4180: a header, and a line for each row. */
export function csvText(rows: readonly ResultRow[]): string {
  const lines = rows.map((row) => FIELDS.map((name) => String(row[name] ?? "")));
  return [...[FIELDS, ...lines].map((line) => csvFields(line, ",")), ""].join("\r\n");
}
