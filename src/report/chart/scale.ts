import { assert } from "../../base/assert.ts";
import { exp, log } from "../../base/math.ts";
import { number } from "../quantity.ts";

/** From values to pixels, with the values that are marked on the axis. */
export interface AxisScale {
  at(value: number): number;
  readonly ticks: readonly Tick[];
}

export interface Tick {
  readonly value: number;
  readonly text: string;
}

export interface AxisRange {
  readonly from: number;
  readonly to: number;
}

const TICKS_WANTED = 5;

/** Even steps of 1, 2 or 5 times a power of ten; the ends are marked. */
export function linearScale(values: AxisRange, pixels: AxisRange): AxisScale {
  const span = values.to > values.from ? values.to - values.from : 1;
  const step = stepOf(span / TICKS_WANTED);
  const first = Math.floor(values.from / step + 1e-9);
  const last = Math.max(first + 1, Math.ceil((values.from + span) / step - 1e-9));
  const from = first * step;
  const to = last * step;
  const ticks: Tick[] = [];
  for (let i = first; i <= last; i += 1) {
    // Not i * step alone: 3 * 0.1 is not 0.3.
    const value = Number((i * step).toPrecision(12));
    ticks.push({ value, text: number(value) });
  }
  const scale = (pixels.to - pixels.from) / (to - from);
  return { at: (value) => pixels.from + (value - from) * scale, ticks };
}

function stepOf(rough: number): number {
  const power = powerOfTen(rough);
  const lead = rough / power;
  const nice = [1, 2, 5, 10].find((each) => lead <= each * (1 + 1e-9)) ?? 10;
  return nice * power;
}

/** The largest power of ten that is not above the value. */
function powerOfTen(value: number): number {
  let power = 1;
  while (power * 10 <= value) power *= 10;
  while (power > value) power /= 10;
  return power;
}

/** Equal factors are equally far apart. Values must be above 0. */
export function logScale(values: AxisRange, pixels: AxisRange): AxisScale {
  assert(values.from > 0 && values.to > 0, "a logarithm is of what is above 0");
  const from = log(values.from);
  const span = values.to > values.from ? log(values.to) - from : 1;
  const scale = (pixels.to - pixels.from) / span;
  return {
    at: (value) => pixels.from + (log(Math.max(value, values.from)) - from) * scale,
    ticks: logTicks(values.from, exp(from + span)),
  };
}

/** 1, 2 and 5 of each power of ten; of many powers the powers alone. */
function logTicks(from: number, to: number): readonly Tick[] {
  const leads = to / from > 1000 ? [1] : [1, 2, 5];
  const ticks: Tick[] = [];
  for (let power = powerOfTen(from); power <= to * (1 + 1e-9); power *= 10) {
    for (const lead of leads) {
      const value = Number((lead * power).toPrecision(12));
      if (value >= from * (1 - 1e-9) && value <= to * (1 + 1e-9)) {
        ticks.push({ value, text: number(value) });
      }
    }
  }
  return ticks;
}
