import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

const BLOCK_BYTES = 512;
/** The longest name that a header has room for. */
const NAME_BYTES = 100;

/** Writes all files of a directory into a gzipped tar; the same files give the same bytes. */
export function writeTarGz(directory: string, to: string): void {
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(directory.length + 1))
    .sort();
  const files = names.flatMap((name) => file(name, readFileSync(join(directory, name))));
  const end = Buffer.alloc(2 * BLOCK_BYTES);
  writeFileSync(to, gzipSync(Buffer.concat([...files, end])));
}

function file(name: string, content: Buffer): readonly Buffer[] {
  const bytes = Buffer.from(name);
  if (bytes.length <= NAME_BYTES) return entry({ name: bytes, type: "0", content });
  // GNU's way: the name is the content of a file before it.
  const long = { name: Buffer.from("././@LongLink"), type: "L", content: bytes };
  return [...entry(long), ...entry({ name: bytes.subarray(0, NAME_BYTES), type: "0", content })];
}

function entry({
  name,
  type,
  content,
}: {
  readonly name: Buffer;
  readonly type: string;
  readonly content: Buffer;
}): readonly Buffer[] {
  const header = Buffer.alloc(BLOCK_BYTES);
  name.copy(header, 0);
  header.write("0000644\0", 100);
  header.write("0000000\0", 108);
  header.write("0000000\0", 116);
  header.write(`${octal(content.length)} `, 124);
  header.write(`${octal(0)} `, 136);
  // Of the sum itself, blanks are summed.
  header.write(" ".repeat(8), 148);
  header.write(type, 156);
  header.write("ustar\u000000", 257);
  const sum = header.reduce((so, byte) => so + byte, 0);
  header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  const rest = (BLOCK_BYTES - (content.length % BLOCK_BYTES)) % BLOCK_BYTES;
  return [header, content, Buffer.alloc(rest)];
}

const octal = (number: number): string => number.toString(8).padStart(11, "0");
