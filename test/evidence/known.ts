import { isBroken, type Tally } from "./tally.ts";

/** Failures of a property that are known, by the net that finds them. */
interface Known {
  /** In `evidence.test.ts`. */
  readonly few?: number;
  /** In `evidence.long.test.ts`. */
  readonly damaged?: number;
  readonly generated?: number;
}

/**
 * What fails today, each with how often at most. The list may only shrink: who mends a kind lowers
 * its number, and takes it out at 0.
 */
const KNOWN: ReadonlyMap<string, Known> = new Map<string, Known>([
  ["the same answer, or the first lines say what is missing", { damaged: 21 }],
  ["the first lines say why: stage-retried", { generated: 2 }],
  ["the seconds of a fault are told: stage-retried", { generated: 2 }],
  ["the first lines say why: executor-lost", { generated: 2 }],
  ["the seconds of a fault are told: executor-lost", { generated: 2 }],
  ["the first lines say why: output-lost", { generated: 1 }],
  ["the first lines say why: preempted", { generated: 1 }],
  ["the first lines say why: exceptions", { generated: 1 }],
]);

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
