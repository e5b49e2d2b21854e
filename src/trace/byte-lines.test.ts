import { describe, expect, test } from "vitest";
import { ByteLines } from "./byte-lines.ts";
import { textOf } from "./byte-text.ts";

const TEXT = `one\r\n\n${"long ".repeat(300)}\nskip ${"x".repeat(900)}\nlast`;

function linesOf(piece: number, { lineMax = 1e9, skips = "?", cutAt = 1e9 } = {}) {
  const found: (readonly [number, string])[] = [];
  const lines = new ByteLines(
    (bytes, from, to, line) => found.push([line, textOf(bytes, from, to)]),
    (head) => (textOf(head).startsWith(skips) ? 0 : cutAt),
    lineMax,
  );
  const bytes = new TextEncoder().encode(TEXT);
  for (let from = 0; from < bytes.length; from += piece) {
    // The bytes are valid only during the call.
    const passing = bytes.slice(from, from + piece);
    lines.push(passing);
    passing.fill(0);
  }
  lines.end();
  return { found, notes: lines.notes.map(({ text }) => text) };
}

const ALL = TEXT.split(/\r?\n/).map((line, n) => [n + 1, line]);

describe.each([1, 7, 255, 256, 1_000, 10_000])("in pieces of %i bytes", (piece) => {
  test("lines are as the text has them", () => {
    expect(linesOf(piece)).toEqual({ found: ALL, notes: [] });
  });

  test("a line across pieces that is not wanted is left out, and lines keep their numbers", () => {
    const { found, notes } = linesOf(piece, { skips: "skip" });
    const isInPieces = piece <= 1_000;
    expect(found).toEqual(isInPieces ? ALL.filter(([n]) => n !== 4) : ALL);
    expect(notes).toEqual([]);
  });
});

test("a line of which some bytes are wanted is cut after them, at the end of a piece", () => {
  const { found, notes } = linesOf(100, { cutAt: 400 });
  expect(found.map(([n, text]) => [n, text.length])).toEqual([
    ...ALL.slice(0, 2).map(([n, text]) => [n, String(text).length]),
    [3, 494],
    [4, 493],
    [5, 4],
  ]);
  expect(notes).toEqual([]);
});

test("a line that is too long is left out and counted", () => {
  const { found, notes } = linesOf(100, { lineMax: 500 });
  expect(found).toEqual(ALL.filter(([n]) => n !== 3 && n !== 4));
  expect(notes).toEqual(["2 lines are longer than 0 MB and left out, first line 3"]);
});

test("a long line takes time in proportion to its length: each byte is copied twice", () => {
  const piece = new Uint8Array(1 << 20).fill(65);
  let size = 0;
  const lines = new ByteLines((_, from, to) => {
    size = to - from;
  });
  for (let n = 0; n < 200; n++) lines.push(piece);
  lines.end();
  expect(size).toBe(200 * piece.length);
});
