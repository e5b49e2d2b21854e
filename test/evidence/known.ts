import { isBroken, type Tally } from "./tally.ts";

/** Failures of a property that are known, by the net that finds them. */
interface Known {
  /** In `evidence.test.ts`. */
  readonly few?: number;
  /** In `evidence.long.test.ts`. */
  readonly damaged?: number;
  readonly generated?: number;
  readonly simulated?: number;
}

/**
 * What fails today, each with how often at most. The list may only shrink: who mends a kind lowers
 * its number, and takes it out at 0.
 */
const KNOWN: ReadonlyMap<string, Known> = new Map<string, Known>([]);

/** A line for each property that fails more often than is known, and for each that fails less. */
export function compared(tally: Tally, net: keyof Known) {
  const rows = tally.rows().map((row) => ({ ...row, known: KNOWN.get(row.property)?.[net] ?? 0 }));
  const text = ({ property, failed, known, first }: (typeof rows)[number]): string =>
    [
      `${property}: ${failed} failed, ${known} known`,
      ...first.map(({ input, fault }) => `${input}: ${fault}`),
    ].join("\n");
  return {
    worse: rows.filter((row) => isBroken(row) && row.failed > row.known).map(text),
    better: rows
      .filter(({ failed, known }) => failed < known)
      .map(({ property, failed, known }) => `${property}: ${failed} of ${known} known are left`),
  };
}
