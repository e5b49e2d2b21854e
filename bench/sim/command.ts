import { parseArgs } from "node:util";
import { cluster } from "./cluster.ts";
import { decide, SPECULATION } from "./decide.ts";
import { fluid } from "./fluid.ts";
import { HEADINGS, type Row, rowText } from "./row.ts";
import { SIZES, w1 } from "./w1.ts";
import { worlds } from "./worlds.ts";

const WORKS = ["w1", "fluid", "decide", "cluster", "worlds"] as const;
type Work = (typeof WORKS)[number];

export const SIM_USAGE: string = `npm run bench -- sim [--work ${WORKS.join(",")}] \
[--size S,M,L,XL] [--runs N] [--nodes 100,1000,10000] [--policy NAME,...] [-o table|json]`;

/**
 * How fast the simulator is, beside other programs. Undefined if the arguments are no command; else
 * whether all answers are right.
 */
export function simBench(args: readonly string[]): boolean | undefined {
  const flags = flagsFrom(args);
  if (flags === undefined) return undefined;
  const { works, sizes, rounds, nodes, policies, isJson } = flags;
  const tell = (line: string): void => console.error(line);
  const print = (row: object, text: string): void =>
    console.log(isJson ? JSON.stringify(row) : text);
  // The rows of the other works name their units themselves.
  if (!isJson && works.includes("w1")) console.log(HEADINGS);
  const printRow = (row: Row): void => print(row, rowText(row));
  let right = true;
  if (works.includes("w1")) right = w1({ sizes, rounds, print: printRow, tell });
  if (works.includes("fluid")) right = fluid(print) && right;
  if (works.includes("decide")) decide(policies, nodes, print);
  if (works.includes("cluster")) cluster(policies, print);
  if (works.includes("worlds")) right = worlds(print) && right;
  return right;
}

function flagsFrom(args: readonly string[]) {
  const { values } = parseArgs({
    args: [...args],
    options: {
      work: { type: "string", default: WORKS.join(",") },
      size: { type: "string", default: "S,M,L" },
      runs: { type: "string", default: "3" },
      nodes: { type: "string", default: "100,1000,10000" },
      policy: { type: "string", default: SPECULATION.join(",") },
      format: { type: "string", short: "o", default: "table" },
    },
  });
  const works = values.work.split(",");
  const sizes = values.size.split(",");
  const nodes = values.nodes.split(",").map(Number);
  const policies = values.policy.split(",");
  const rounds = Number(values.runs);
  const isKnown =
    works.every((work) => WORKS.includes(work as Work)) &&
    sizes.every((size) => SIZES.has(size)) &&
    policies.every((policy) => SPECULATION.includes(policy)) &&
    ["table", "json"].includes(values.format);
  const isCounted = [rounds, ...nodes].every((count) => Number.isInteger(count) && count > 0);
  if (!isKnown || !isCounted) return undefined;
  return { works, sizes, rounds, nodes, policies, isJson: values.format === "json" };
}
