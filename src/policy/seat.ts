import { hint } from "../base/hint.ts";
import { InputError } from "../base/input-error.ts";

export const SEATS = ["sharing", "order", "speculation", "data", "estimator", "detection"] as const;
export type Seat = (typeof SEATS)[number];

/** InputError if there is no seat of this name. */
export function seatNamed(name: string, place: string): Seat {
  const seat = SEATS.find((one) => one === name);
  if (seat !== undefined) return seat;
  const known = `known: ${SEATS.join(", ")}${hint(name, SEATS)}`;
  throw new InputError("unknown-policy", place, `no seat ${name || '""'}; ${known}`);
}
