import type { Answer, Change } from "../../src/whatif/change.ts";
import type { WhatIf } from "../../src/whatif/document.ts";

/** Less than this share of the response is no promise. */
const SMALL = 0.01;

/** What an answer promises to save, beyond chance and beyond 1 % of the response, in words. */
export function promisesOf({ advice, responseMs, rows }: WhatIf): readonly string[] {
  const ends = ({ byAttempt, byTask, atRho }: Answer): readonly Change[] =>
    [byAttempt, byTask, atRho].filter((change) => change !== undefined);
  const told = (who: string, answer: Answer): readonly string[] =>
    ends(answer)
      .filter(({ ms, highMs }) => highMs < 0 && -ms > SMALL * responseMs)
      .map(({ rho, ms }) => `${who} saves ${-ms} of ${responseMs} ms at rho ${rho}`);
  return [
    // A policy that is marked starts tasks in another order, which helps a large one.
    ...rows
      .filter(({ isMarked }) => !isMarked)
      .flatMap((row) => [
        ...told(row.policy, row),
        ...(row.thatRun === undefined ? [] : told(`${row.policy} in that very run`, row.thatRun)),
      ]),
    ...(advice?.kind === "set" ? told(advice.settings.join(", "), advice) : []),
  ];
}
