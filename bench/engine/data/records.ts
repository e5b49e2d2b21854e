import { Chance } from "./chance.ts";
import { DataFile } from "./data-file.ts";

const KEY_BYTES = 10;
const ROW_DIGITS = 20;
const LINE_BYTES = 100;

/** Lines of 100 bytes, as in TeraSort: a random key of 10 bytes, the row's number, filling. */
export function writeRecords(
  path: string,
  { lines, seed }: { readonly lines: number; readonly seed: number },
): void {
  const chance = new Chance(seed);
  const file = new DataFile(path);
  const line = Buffer.alloc(LINE_BYTES, 0x20);
  line[LINE_BYTES - 1] = 0x0a;
  for (let row = 0; row < lines; row++) {
    for (let i = 0; i < KEY_BYTES; i++) line[i] = 0x21 + chance.below(0x7f - 0x21);
    let rest = row;
    for (let i = KEY_BYTES + ROW_DIGITS; i > KEY_BYTES; i--) {
      line[i] = 0x30 + (rest % 10);
      rest = Math.floor(rest / 10);
    }
    line.fill(0x41 + (row % 26), KEY_BYTES + ROW_DIGITS + 2, LINE_BYTES - 1);
    file.slice(line, 0, LINE_BYTES);
  }
  file.close();
}
