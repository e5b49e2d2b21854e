import { Chance } from "./chance.ts";
import { DataFile } from "./data-file.ts";

const VALUES = 1_000;
export const GROUPS = 1_000;

/** Rows `k,v`: a key, all keys equally likely, and a value below 1000. */
export function writeFacts(
  path: string,
  { rows, keys, seed }: { readonly rows: number; readonly keys: number; readonly seed: number },
): void {
  const chance = new Chance(seed);
  const file = new DataFile(path);
  text(file, "k,v\n");
  for (let row = 0; row < rows; row++) {
    pair(file, chance.below(keys), chance.below(VALUES));
  }
  file.close();
}

/** Rows `k,g`: each key once, in random order, and its group. */
export function writeGroups(
  path: string,
  { keys, seed }: { readonly keys: number; readonly seed: number },
): void {
  const chance = new Chance(seed);
  const order = Int32Array.from({ length: keys }, (_, key) => key);
  for (let last = keys - 1; last > 0; last--) {
    const other = chance.below(last + 1);
    const moved = order[last]!;
    order[last] = order[other]!;
    order[other] = moved;
  }
  const file = new DataFile(path);
  text(file, "k,g\n");
  for (const key of order) pair(file, key, chance.below(GROUPS));
  file.close();
}

function pair(file: DataFile, left: number, right: number): void {
  file.number(left);
  file.byte(0x2c);
  file.number(right);
  file.byte(0x0a);
}

function text(file: DataFile, text: string): void {
  const bytes = Buffer.from(text);
  file.slice(bytes, 0, bytes.length);
}
