import { cell } from "../base/rows.ts";
import { CLASSES, LATE, LOOKS, NOTHING } from "./classes.ts";

/** Bars by row, in the order of their starts. */
export interface Bars {
  /** The first bar of each row; the last value is the number of bars. */
  readonly first: Int32Array;
  readonly startedAt: Float64Array;
  readonly endedAt: Float64Array;
  /** What each bar shows. */
  readonly shows: Uint8Array;
  /** When each bar's expected time was over, if it was late; else infinite. Absent during a run. */
  readonly lateFrom?: Float64Array;
}

/** What is seen: a time span, and rows from `top`, which may lie between two rows. */
export interface Window {
  readonly from: number;
  readonly to: number;
  readonly top: number;
  readonly bottom: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** The least height of a row that has a gap below it. */
const GAP_FROM = 4;

/** The pixel lines of a row: the first, and the one after the last. */
export function linesOf(row: number, { top, bottom }: Window, height: number): [number, number] {
  const each = height / (bottom - top);
  const y0 = Math.floor((row - top) * each);
  const y1 = Math.max(y0 + 1, Math.floor((row + 1 - top) * each) - (each >= GAP_FROM ? 1 : 0));
  return [Math.max(y0, 0), Math.min(y1, height)];
}

/**
 * The pixel line shows the same as the line above it, and has no hatches: the colours are equal.
 */
const ALIKE = 2;

/** By class: 1 if it is hatched. */
const HATCHED = Uint8Array.from(LOOKS, ({ isHatched }) => Number(isHatched));

/**
 * Writes what each pixel shows: the gravest bar that touches the pixel. Returns which lines of
 * pixels repeat the line above them: 0, 1, or `ALIKE`. COST: O(bars in the window + pixels).
 */
export function raster(
  bars: Bars,
  window: Window,
  { width, height }: Size,
  into: Uint8Array,
): Uint8Array {
  into.fill(NOTHING);
  const repeats = new Uint8Array(height);
  const perMs = width / (window.to - window.from);
  const line = new Uint8Array(width);
  const rows = bars.first.length - 1;
  const last = Math.min(rows, Math.ceil(window.bottom));
  const show = (from: number, to: number, shows: number): void => {
    const x0 = Math.max(0, Math.floor((from - window.from) * perMs));
    const x1 = Math.min(width, Math.max(x0 + 1, Math.ceil((to - window.from) * perMs)));
    for (let x = x0; x < x1; x++) if (shows > line[x]!) line[x] = shows;
  };
  for (let row = Math.max(0, Math.floor(window.top)); row < last; row++) {
    const [y0, y1] = linesOf(row, window, height);
    if (y1 <= y0) continue;
    line.fill(NOTHING);
    let isEmpty = true;
    let repeat = ALIKE;
    const next = bars.first[row + 1]!;
    for (let i = firstIn(bars, row, window.from); i < next; i++) {
      const from = bars.startedAt[i]!;
      if (from > window.to) break;
      const shows = bars.shows[i]!;
      const [hatched, end] = [HATCHED[shows]!, bars.endedAt[i]!];
      show(from, end, shows);
      const late = bars.lateFrom?.[i] ?? Infinity;
      if (late < end && late <= window.to) show(late, end, LATE + hatched);
      if (hatched === 1) repeat = 1;
      isEmpty = false;
    }
    if (isEmpty) continue;
    const at = y0 * width;
    for (let x = 0; x < width; x++) {
      const shows = line[x]!;
      if (shows > into[at + x]!) into[at + x] = shows;
    }
    // Rows share a line only where none has more than one.
    for (let y = y0 + 1; y < y1; y++) into.copyWithin(y * width, at, at + width);
    repeats.fill(repeat, y0 + 1, y1);
  }
  return repeats;
}

/** The first bar of the row that ends after `from`: bars of a row do not overlap. */
export function firstIn({ first, endedAt }: Bars, row: number, from: number): number {
  let low = first[row]!;
  let high = first[row + 1]!;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (endedAt[middle]! < from) low = middle + 1;
    else high = middle;
  }
  return low;
}

const HATCH = 0.15;

/** The stripes of hatched bars repeat after this number of lines, and of columns. */
const PERIOD = 8;

/** The colours of each class over a period: ABGR, in little endian. Nothing is transparent. */
function colorsOf(paper: number): Uint32Array {
  const colors = new Uint32Array(PERIOD * CLASSES);
  for (const [shows, { color, isHatched }] of LOOKS.entries()) {
    const [r, g, b] = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
    const mixed = (share: number): number =>
      [b, g, r].reduce<number>((abgr, channel, n) => {
        const ground = (paper >> (8 * (2 - n))) & 0xff;
        return abgr * 256 + Math.round((channel ?? 0) * (1 - share) + ground * share);
      }, 255);
    const own = colors.subarray(PERIOD * shows, PERIOD * (shows + 1));
    if (shows === NOTHING) continue;
    own.fill(mixed(isHatched ? HATCH : 0));
    own.fill(mixed(isHatched ? 0.72 : 0), 0, 3);
  }
  return colors;
}

/**
 * What pixels show, as colours. Nothing stays transparent. `paper`: the ground, 0xRRGGBB;
 * `repeats`: lines that repeat the line above them, as `raster` returns them.
 */
export function paint(
  shown: Uint8Array,
  repeats: Uint8Array,
  paper: number,
  into: Uint32Array,
): void {
  const colors = colorsOf(paper);
  const width = shown.length / repeats.length;
  let first = 0;
  for (const [y, repeat] of repeats.entries()) {
    const at = y * width;
    if (repeat === 0) first = y;
    const period = repeat === ALIKE ? 1 : PERIOD;
    if (y >= first + period) {
      into.copyWithin(at, at - period * width, at - (period - 1) * width);
      continue;
    }
    for (let x = 0; x < width; x++) {
      into[at + x] = cell(colors[PERIOD * shown[at + x]! + ((x + y) % PERIOD)]);
    }
  }
}
