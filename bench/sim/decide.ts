import { REGISTRY } from "broomwagon/policies";
import { measure } from "../measure.ts";

const FIGURES = ["steps", "decisions", "spentMs"] as const;

interface Row {
  readonly policy: string;
  readonly nodes: number;
  readonly microsPerStep: number;
  /** Questions that the policy answered per second of the core's time. */
  readonly decisionsPerSecond: number;
  /** The time of a step over that on the previous cluster in the list. */
  readonly ratio?: number;
}

export const SPECULATION: readonly string[] = REGISTRY.speculation.map(({ policy }) => policy.name);

/** Prints a row for each policy and size of cluster. */
export function decide(
  policies: readonly string[],
  sizes: readonly number[],
  print: (row: Row, text: string) => void,
): void {
  for (const policy of policies) {
    let before: Row | undefined;
    for (const nodes of sizes) {
      const row = rowOf(policy, nodes, before);
      print(row, rowText(row));
      before = row;
    }
  }
}

function rowOf(policy: string, nodes: number, before: Row | undefined): Row {
  const { steps, decisions, spentMs } = measure(
    "./decide-run.js",
    [`${disciplineOf(policy)},sharing=fifo-plain`, `${nodes}`],
    FIGURES,
  );
  const microsPerStep = (spentMs * 1000) / steps;
  const row = { policy, nodes, microsPerStep, decisionsPerSecond: (decisions * 1000) / spentMs };
  return before === undefined ? row : { ...row, ratio: microsPerStep / before.microsPerStep };
}

/** The named discipline that the policy belongs to, for its estimator and order of tasks. */
export function disciplineOf(policy: string): string {
  const own = REGISTRY.disciplines.find(({ speculation }) => speculation === policy);
  return own?.name ?? `speculation=${policy}`;
}

function rowText({ policy, nodes, microsPerStep, decisionsPerSecond, ratio }: Row): string {
  const size = `${nodes.toLocaleString("en")} nodes`.padStart(14);
  const step = `${microsPerStep.toFixed(1)} µs a step`.padStart(18);
  const speed = `${Math.round(decisionsPerSecond).toLocaleString("en")} decisions/s`.padStart(24);
  const growth = ratio === undefined ? "" : `  ${ratio.toFixed(2)} x`;
  return `${policy.padEnd(16)}${size}${step}${speed}${growth}`;
}
