import type { CopiesRow } from "../document.ts";
import { plain, span } from "../figures.ts";

/** The effect of all copies together, in a sentence. */
export function savingText({ savedMs, lowMs, highMs, netSlotMs }: CopiesRow): string {
  const range = `${plain(lowMs)} to ${plain(highMs)}`;
  const net = netSlotMs >= 0 ? `cost ${plain(netSlotMs)}` : `freed ${plain(-netSlotMs)}`;
  return (
    `All copies together saved ${span(savedMs)} of response (90 %: ${range}), an estimate from ` +
    `what their originals would have taken, and ${net} slot-seconds net.`
  );
}
