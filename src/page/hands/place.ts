import type { PageState } from "../state.ts";

/** Where the plane of bars lies within its canvas, in pixels. */
export interface PlaneSize {
  /** The width of the names at the left, in a canvas of this width. */
  readonly gutterOf: (width: number) => number;
  readonly height: () => number;
}

/** A pointer's place on the plane: pixels, moment and row. */
export interface Place {
  readonly x: number;
  readonly y: number;
  readonly at: number;
  readonly row: number;
  readonly isInside: boolean;
  readonly plane: { readonly width: number; readonly height: number };
}

/** A pointer that moves less is a click, in pixels. */
export const MOVED = 5;

export function placeOf(event: MouseEvent, state: PageState, size: PlaneSize): Place {
  const target = event.currentTarget;
  const canvasWidth = target instanceof HTMLElement ? target.clientWidth : 1;
  const gutter = size.gutterOf(canvasWidth);
  const plane = { width: canvasWidth - gutter, height: size.height() };
  const { from, to, top, bottom } = state.window.value;
  const x = event.offsetX - gutter;
  return {
    x,
    y: event.offsetY,
    at: from + (x / plane.width) * (to - from),
    row: top + (event.offsetY / plane.height) * (bottom - top),
    isInside: x >= 0 && event.offsetY < plane.height,
    plane,
  };
}
