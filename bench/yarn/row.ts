import { type Median, medianOf } from "../engine/ratio.ts";
import type { Figures } from "./history.ts";

/** The runs of one policy: medians, and their intervals. */
export interface Row {
  readonly policy: string;
  readonly runs: number;
  readonly response_s: Median;
  readonly copies: Median;
  readonly won: Median;
  readonly wasted_s: Median;
}

export function rowOf(policy: string, runs: readonly Figures[]): Row {
  const of = (figure: (run: Figures) => number): Median => medianOf(runs.map(figure));
  return {
    policy,
    runs: runs.length,
    response_s: of(({ responseMs }) => responseMs / 1_000),
    copies: of(({ copies }) => copies),
    won: of(({ won }) => won),
    wasted_s: of(({ wastedMs }) => wastedMs / 1_000),
  };
}

const WIDTH = 24;

export const HEADINGS: string =
  "policy".padEnd(10) +
  ["response, s", "copies", "won", "wasted container-s"]
    .map((heading) => heading.padStart(WIDTH))
    .join("");

export function rowText({ policy, response_s, copies, won, wasted_s }: Row): string {
  const cells = [textOf(response_s, 1), textOf(copies, 1), textOf(won, 1), textOf(wasted_s, 1)];
  return policy.padEnd(10) + cells.map((cell) => cell.padStart(WIDTH)).join("");
}

const textOf = ({ median, low, high }: Median, digits: number): string =>
  `${median.toFixed(digits)} (${low.toFixed(digits)} to ${high.toFixed(digits)})`;
