import { cell } from "../../base/rows.ts";
import { firstIn, type Size, type Window } from "../raster.ts";
import type { Run } from "../run.ts";
import type { PageState } from "../state.ts";

/** Clicks select, drags choose an area or, with Shift, move; Ctrl and the wheel zoom. */
export function timelineHands(state: PageState, size: PlaneSize) {
  let began: (Place & { moved: boolean; shift: boolean }) | undefined;
  const pinch = new Pinch(state, size);
  const under = ({ x, y, plane }: Place): number =>
    barAt(state.run, state.window.value, plane, x, y);
  const pointTo = (place: Place): void => {
    state.pointer.value = place.isInside ? place.at : undefined;
    state.hover.value = place.isInside ? under(place) : -1;
  };
  return {
    onPointerDown: (event: PointerEvent) => {
      pinch.down(event);
      began = { ...placeOf(event, state, size), moved: false, shift: event.shiftKey };
    },
    onPointerMove: (event: PointerEvent) => {
      if (pinch.move(event)) {
        began = undefined;
        return;
      }
      const place = placeOf(event, state, size);
      pointTo(place);
      if (began === undefined || event.pointerType === "touch") return;
      const far = Math.abs(place.x - began.x) + Math.abs(place.y - began.y);
      if (far < MOVED && !began.moved) return;
      if (began.shift) {
        state.move((began.x - place.x) / place.plane.width);
        state.scaleRows(1, (began.y - place.y) / place.plane.height);
        began = { ...began, x: place.x, y: place.y, moved: true };
        return;
      }
      began.moved = true;
      state.area.value = areaBetween(began, place);
    },
    onPointerUp: (event: PointerEvent) => {
      pinch.up(event);
      const start = began;
      began = undefined;
      const place = placeOf(event, state, size);
      if (start === undefined || start.moved || !place.isInside) return;
      const bar = under(place);
      if (bar >= 0) state.select(bar);
      else state.pin(place.at);
    },
    onPointerLeave: (event: PointerEvent) => {
      pinch.up(event);
      began = undefined;
      state.pointer.value = undefined;
      state.hover.value = -1;
    },
    onWheel: (event: WheelEvent) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      state.zoom(event.deltaY > 0 ? 1.25 : 0.8, placeOf(event, state, size).at);
    },
  };
}

const areaBetween = (a: Place, b: Place) => ({
  from: Math.min(a.at, b.at),
  to: Math.max(a.at, b.at),
  top: Math.floor(Math.min(a.row, b.row)),
  bottom: Math.ceil(Math.max(a.row, b.row)),
});

/** The bar at a place; within two pixels the graver wins. -1 if there is none. */
function barAt(run: Run, window: Window, size: Size, x: number, y: number): number {
  const row = Math.floor(window.top + (y / size.height) * (window.bottom - window.top));
  if (row < 0 || row >= run.rows.count) return -1;
  const perMs = size.width / (window.to - window.from);
  const at = window.from + x / perMs;
  const near = 2 / perMs;
  let found = -1;
  const { bars, attemptAt } = run.rows;
  const end = cell(bars.first[row + 1]);
  for (let n = firstIn(bars, row, at - near); n < end; n++) {
    if (cell(bars.startedAt[n]) > at + near) break;
    if (found < 0 || cell(bars.shows[n]) > cell(bars.shows[found])) found = n;
  }
  return attemptAt[found] ?? -1;
}

interface Finger {
  readonly x: number;
  readonly at: number;
}

/** Two fingers zoom and move; one finger scrolls the page, as everywhere. */
class Pinch {
  readonly #state: PageState;
  readonly #size: PlaneSize;
  /** Where each finger is, and the moment that it grabbed. */
  readonly #fingers = new Map<number, Finger>();

  constructor(state: PageState, size: PlaneSize) {
    this.#state = state;
    this.#size = size;
  }

  down(event: PointerEvent): void {
    if (event.pointerType !== "touch") return;
    const { x, at } = placeOf(event, this.#state, this.#size);
    this.#fingers.set(event.pointerId, { x, at });
  }

  /** Whether two fingers hold the plane; the moments that they grabbed stay under them. */
  move(event: PointerEvent): boolean {
    const held = this.#fingers.get(event.pointerId);
    if (held === undefined || this.#fingers.size !== 2) return false;
    const { x, plane } = placeOf(event, this.#state, this.#size);
    this.#fingers.set(event.pointerId, { ...held, x });
    const [a, b] = [...this.#fingers.values()].sort((one, other) => one.at - other.at);
    if (a === undefined || b === undefined || b.x - a.x < NEAR) return true;
    const perPixel = (b.at - a.at) / (b.x - a.x);
    const from = a.at - a.x * perPixel;
    this.#state.show(from, from + plane.width * perPixel);
    return true;
  }

  up(event: PointerEvent): void {
    this.#fingers.delete(event.pointerId);
  }
}

/** Fingers that are nearer to each other, in pixels, give no distance. */
const NEAR = 12;

/** Where the plane of bars lies within its canvas, in pixels. */
interface PlaneSize {
  /** The width of the names at the left, in a canvas of this width. */
  readonly gutterOf: (width: number) => number;
  readonly height: () => number;
}

/** A pointer's place on the plane: pixels, moment and row. */
interface Place {
  readonly x: number;
  readonly y: number;
  readonly at: number;
  readonly row: number;
  readonly isInside: boolean;
  readonly plane: { readonly width: number; readonly height: number };
}

/** A pointer that moves less is a click, in pixels. */
const MOVED = 5;

function placeOf(event: MouseEvent, state: PageState, size: PlaneSize): Place {
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
