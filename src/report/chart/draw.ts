import { never } from "../../base/assert.ts";
import { drawBars } from "./bars.ts";
import { drawCurves, drawPoints } from "./curves.ts";
import type { Drawing } from "./drawing.ts";

/** The drawing as SVG, with its legend as HTML below. */
export function draw(drawing: Drawing): string {
  switch (drawing.kind) {
    case "bars":
      return drawBars(drawing);
    case "curves":
      return drawCurves(drawing);
    case "points":
      return drawPoints(drawing);
    default:
      return never(drawing);
  }
}
