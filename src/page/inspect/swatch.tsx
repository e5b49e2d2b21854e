import { lookOf } from "../classes.ts";

/** The colour of an attempt, as on the timeline. */
export function Swatch({ shows }: { readonly shows: number }) {
  const look = lookOf(shows);
  return (
    <i class={look.isHatched ? "mark hatched" : "mark"} style={{ backgroundColor: look.color }} />
  );
}
