import type { CauseRow } from "./document.ts";

/** A cause stands out if its lower bound is above this share of the response. */
const STANDS_OUT = 0.01;

export const standsOut = ({ ms, lowMs }: CauseRow, responseMs: number): boolean =>
  (lowMs ?? ms) > STANDS_OUT * responseMs;
