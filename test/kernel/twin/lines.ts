/** A line: its text, and its length in bytes with its end. */
export interface Line {
  readonly text: string;
  readonly bytes: number;
}

/** The result for some lines, and the number of bytes read for them. */
export interface SomeLines {
  readonly lines: readonly string[];
  readonly read: number;
}

const bytesOf = (lines: readonly Line[]): number =>
  lines.reduce((sum, line) => sum + line.bytes, 0);

/** Lines end in `\n` or `\r\n`; the last needs no end, and keeps a `\r` that is not one. */
export const linesOf = (text: string): Line[] =>
  (text.match(/[^\n]*\n|[^\n]+$/g) ?? []).map((line) => ({
    text: line.replace(/\r?\n$/, ""),
    bytes: line.length,
  }));

/** The first lines of a text. */
export function firstLines(text: string, room: number): SomeLines {
  const lines = linesOf(text).slice(0, room);
  return { lines: lines.map((line) => line.text), read: bytesOf(lines) };
}

/** The first lines that hold the literal. All is read if there are no more of them. */
export function firstMatching(text: string, literal: string, room: number): SomeLines {
  const all = linesOf(text);
  const matching = all.filter((line) => line.text.includes(literal));
  const lines = matching.slice(0, room);
  const last = lines.at(-1);
  const isAll = last === undefined || matching.length <= room;
  const taken = isAll ? all : all.slice(0, all.indexOf(last) + 1);
  return { lines: lines.map((line) => line.text), read: bytesOf(taken) };
}

export interface BinRoom {
  /** Of each bin. */
  readonly linesMax: number;
  /** The bytes of all bins' chunks together, and of one chunk. */
  readonly bytes: number;
  readonly chunkBytes: number;
}

const CHUNK_HEADER_BYTES = 8;
/** Copying writes up to this many bytes beyond a line. */
const BEYOND_BYTES = 16;

const chunkFor = (line: Line): number =>
  Math.ceil((CHUNK_HEADER_BYTES + line.bytes + BEYOND_BYTES) / 64) * 64;

/**
 * The lines that go into bins until one does not fit. A line belongs to the bin of the last
 * splitter whose first 8 bytes are not above the line's; splitters rise.
 */
export function binned(
  text: string,
  splitters: readonly string[],
  { count, room }: { readonly count: number; readonly room: BinRoom },
): { readonly bins: readonly (readonly string[])[]; readonly read: number } {
  const first = (one: string): string => one.slice(0, 8).padEnd(8, "\0");
  const bins = Array.from({ length: count }, () => ({ lines: Array.of<string>(), free: 0 }));
  let left = room.bytes;
  let read = 0;
  for (const line of linesOf(text)) {
    const index = splitters.filter((splitter) => first(splitter) <= first(line.text)).length;
    const bin = bins[index];
    if (bin === undefined || bin.lines.length === room.linesMax) break;
    if (bin.free < line.bytes + BEYOND_BYTES) {
      const chunk = Math.max(room.chunkBytes, chunkFor(line));
      if (chunk > left) break;
      left -= chunk;
      bin.free = chunk - CHUNK_HEADER_BYTES;
    }
    bin.free -= line.bytes;
    bin.lines.push(line.text);
    read += line.bytes;
  }
  return { bins: bins.map(({ lines }) => lines), read };
}
