import { never } from "../../base/assert.ts";
import type { Drawing } from "../drawing.ts";
import { drawBars } from "./bars.ts";
import { drawCurves, drawPoints } from "./curves.ts";

/** The drawing as SVG, with its legend as HTML under it. */
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
