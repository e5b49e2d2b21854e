import { LOOKS } from "../classes.ts";

/** The colour of an attempt, as on the timeline. */
export function Swatch({ shows }: { readonly shows: number }) {
  const look = LOOKS[shows];
  return (
    <i
      class={look?.isHatched === true ? "mark hatched" : "mark"}
      style={{ backgroundColor: look?.color ?? "" }}
    />
  );
}
