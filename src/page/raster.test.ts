import fc from "fast-check";
import { expect, test } from "vitest";
import { CLASSES, LATE, LOOKS } from "./classes.ts";
import { type Bars, linesOf, paint, raster, type Window } from "./raster.ts";

const WIDTH = 60;
const HEIGHT = 24;

/** Paints rectangle by rectangle, and each pixel on its own. */
function twin(bars: Bars, window: Window): Uint8Array {
  const shown = new Uint8Array(WIDTH * HEIGHT);
  const perMs = WIDTH / (window.to - window.from);
  for (let row = 0; row < bars.first.length - 1; row++) {
    if (row >= Math.ceil(window.bottom) || row < Math.floor(window.top)) continue;
    const [y0, y1] = linesOf(row, window, HEIGHT);
    for (let i = bars.first[row]!; i < bars.first[row + 1]!; i++) {
      const to = bars.endedAt[i]!;
      const shows = bars.shows[i]!;
      const late = LATE + Number(LOOKS[shows]!.isHatched);
      const parts = [[bars.startedAt[i]!, shows] as const, [bars.lateFrom![i]!, late] as const];
      for (const [n, [from, shows]] of parts.entries()) {
        if (to < window.from || from > window.to || (n > 0 && from >= to)) continue;
        const left = Math.max(0, Math.floor((from - window.from) * perMs));
        const right = Math.max(left + 1, Math.ceil((to - window.from) * perMs));
        for (let y = y0; y < y1; y++) {
          for (let x = left; x < Math.min(right, WIDTH); x++) {
            const at = y * WIDTH + x;
            shown[at] = Math.max(shown[at]!, shows);
          }
        }
      }
    }
  }
  return shown;
}

const scene = fc
  .record({
    rows: fc.array(
      fc.array(
        fc.record({
          gap: fc.integer({ min: 0, max: 40 }),
          length: fc.integer({ min: 0, max: 90 }),
          shows: fc.integer({ min: 1, max: CLASSES - 1 }),
          late: fc.option(fc.integer({ min: 0, max: 90 })),
        }),
        { maxLength: 9 },
      ),
      { minLength: 1, maxLength: 30 },
    ),
    from: fc.integer({ min: 0, max: 200 }),
    span: fc.integer({ min: 1, max: 600 }),
    top: fc.double({ min: 0, max: 5, noNaN: true }),
    rowsSeen: fc.double({ min: 0.5, max: 40, noNaN: true }),
  })
  .map(({ rows, from, span, top, rowsSeen }) => {
    const first = [0];
    const [startedAt, endedAt, shows]: [number[], number[], number[]] = [[], [], []];
    const lateFrom: number[] = [];
    for (const row of rows) {
      let at = 0;
      for (const bar of row) {
        startedAt.push(at + bar.gap);
        at += bar.gap + bar.length;
        endedAt.push(at);
        shows.push(bar.shows);
        lateFrom.push(bar.late === null ? Infinity : at - bar.length + bar.late);
      }
      first.push(startedAt.length);
    }
    const bars: Bars = {
      first: Int32Array.from(first),
      startedAt: Float64Array.from(startedAt),
      endedAt: Float64Array.from(endedAt),
      shows: Uint8Array.from(shows),
      lateFrom: Float64Array.from(lateFrom),
    };
    return { bars, window: { from, to: from + span, top, bottom: top + rowsSeen } };
  });

test("1,000 random scenes: as if painted rectangle by rectangle", () => {
  fc.assert(
    fc.property(scene, ({ bars, window }) => {
      const shown = new Uint8Array(WIDTH * HEIGHT);
      raster(bars, window, { width: WIDTH, height: HEIGHT }, shown);
      expect(Buffer.from(shown).equals(twin(bars, window))).toBe(true);
    }),
    { numRuns: 1_000 },
  );
});

test("1,000 random scenes: lines that repeat have the colours that each has for itself", () => {
  fc.assert(
    fc.property(scene, ({ bars, window }) => {
      const shown = new Uint8Array(WIDTH * HEIGHT);
      const repeats = raster(bars, window, { width: WIDTH, height: HEIGHT }, shown);
      const [painted, each] = [new Uint32Array(shown.length), new Uint32Array(shown.length)];
      paint(shown, repeats, 0xffffff, painted);
      paint(shown, new Uint8Array(HEIGHT), 0xffffff, each);
      expect(Buffer.from(painted.buffer).equals(Buffer.from(each.buffer))).toBe(true);
    }),
    { numRuns: 1_000 },
  );
});

test("the gravest of the bars that share a pixel is seen", () => {
  const bars: Bars = {
    first: Int32Array.of(0, 3),
    startedAt: Float64Array.of(0, 500, 501),
    endedAt: Float64Array.of(500, 501, 1_000),
    shows: Uint8Array.of(1, CLASSES - 1, 1),
  };
  const shown = new Uint8Array(10);
  raster(bars, { from: 0, to: 1_000, top: 0, bottom: 1 }, { width: 10, height: 1 }, shown);
  expect([...shown]).toEqual([1, 1, 1, 1, 1, CLASSES - 1, 1, 1, 1, 1]);
});

test("of 1,000 rows in ten lines, the late time of one attempt is seen", () => {
  const rows = 1_000;
  const all = <T>(value: (row: number) => T): T[] =>
    Array.from({ length: rows }, (_, n) => value(n));
  const isLate = (row: number): boolean => row === 777;
  const bars: Bars = {
    first: Int32Array.from({ length: rows + 1 }, (_, n) => n),
    startedAt: new Float64Array(rows),
    endedAt: Float64Array.from(all((row) => (isLate(row) ? 900 : 300))),
    shows: new Uint8Array(rows).fill(1),
    lateFrom: Float64Array.from(all((row) => (isLate(row) ? 250 : Infinity))),
  };
  const shown = new Uint8Array(100);
  raster(bars, { from: 0, to: 1_000, top: 0, bottom: rows }, { width: 10, height: 10 }, shown);
  expect([...shown.subarray(70, 80)]).toEqual([1, 1, ...Array(7).fill(LATE), 0]);
  expect([...shown.subarray(60, 70)]).toEqual([1, 1, 1, 0, 0, 0, 0, 0, 0, 0]);
});
