import type { HadoopLook } from "./hadoop-player.ts";
import type { Look } from "./our-speculator.ts";

/** The first look in which the two differ, in words; undefined: there is none. */
export function firstDifference(
  ours: readonly Look[],
  hadoops: readonly HadoopLook[],
): string | undefined {
  if (ours.length !== hadoops.length) return `${ours.length} looks here, ${hadoops.length} there`;
  for (const [index, look] of ours.entries()) {
    const other = hadoops[index];
    // Our next look is known when it happens; after the last look it is unknown.
    const nextAt = ours[index + 1]?.at ?? other?.nextAt;
    const here = { at: look.at, copied: look.copied, nextAt };
    const there = { at: other?.at, copied: other?.copied, nextAt: other?.nextAt };
    if (JSON.stringify(here) === JSON.stringify(there)) continue;
    return `${JSON.stringify(here)} (${look.rules.join(", ")}), Hadoop ${JSON.stringify(there)}`;
  }
  return undefined;
}
