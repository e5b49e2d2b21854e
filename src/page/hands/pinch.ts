import type { PageState } from "../state.ts";
import { type PlaneSize, placeOf } from "./place.ts";

interface Finger {
  readonly x: number;
  readonly at: number;
}

/** Two fingers zoom and move; one finger scrolls the page, as everywhere. */
export class Pinch {
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
