import { never } from "../../base/assert.ts";
import type { Drawing } from "../../report/chart/drawing.ts";
import { estimate } from "./estimate.ts";
import type { Samples } from "./quantity.ts";
import type { CurvesInput, DrawingInput } from "./shape.ts";

type ValueInput = Omit<CurvesInput["curves"][number]["points"][number], "x">;

interface Values {
  readonly samples: Samples;
  readonly runs: number;
}

/** The drawing with its numbers filled in. */
export function drawn(input: DrawingInput, values: Values): Drawing {
  const numbers = ({ value, statistic }: ValueInput) => estimate(value, statistic, values);
  switch (input.kind) {
    case "bars":
      return {
        ...input,
        groups: input.groups.map(({ label, bars }) => ({
          label,
          bars: bars.map((bar) => ({
            series: bar.series,
            ...numbers(bar),
            ...(bar.published === undefined ? {} : { published: bar.published }),
          })),
        })),
      };
    case "curves":
      return {
        ...input,
        curves: input.curves.map(({ points, ...curve }) => ({
          ...curve,
          points: points.map((point) => {
            const { value, low, high } = numbers(point);
            return { x: point.x, y: value, low, high };
          }),
        })),
      };
    default:
      return never(input);
  }
}
