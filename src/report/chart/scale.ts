import { scaleLinear, scaleLog } from "d3-scale";
import { assert } from "../../base/assert.ts";
import { number } from "../quantity.ts";

/** Maps values to pixels, and lists the values to mark on the axis. */
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
  const to = values.to > values.from ? values.to : values.from + 1;
  const scale = scaleLinear([values.from, to], [pixels.from, pixels.to]).nice(TICKS_WANTED);
  return { at: (value) => scale(value), ticks: scale.ticks(TICKS_WANTED).map(tick) };
}

/** Equal factors are equally far apart. Values must be above 0. */
export function logScale(values: AxisRange, pixels: AxisRange): AxisScale {
  assert(values.from > 0 && values.to > 0, "a logarithm is of what is above 0");
  const to = values.to > values.from ? values.to : values.from * Math.E;
  const scale = scaleLog([values.from, to], [pixels.from, pixels.to]);
  // Ticks at 1, 2 and 5 of each power of ten; over many powers, at the powers alone.
  const leads = to / values.from > 1000 ? "1" : "125";
  const round = scale.ticks().filter((value) => leads.includes(value.toExponential().charAt(0)));
  // A short range such as 3 to 4 contains none of these.
  const ticks = round.length > 1 ? round : scale.ticks(TICKS_WANTED);
  return { at: (value) => scale(Math.max(value, values.from)), ticks: ticks.map(tick) };
}

const tick = (value: number): Tick => ({ value, text: number(value) });
