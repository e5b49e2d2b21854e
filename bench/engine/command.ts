import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { againstTree, type Contest, hold } from "./contest.ts";
import { dataset } from "./data/datasets.ts";
import { HEADINGS, rowOf, rowText } from "./row.ts";
import type { Work } from "./works/work.ts";
import { WORKS } from "./works.ts";

export const ENGINE_USAGE: string = `npm run bench -- engine [--work NAME,...] [--runs N] \
[--scale 0.1] [--long] [--node PATH,...] [--against TREE] [-o table|json]
       works: ${WORKS.map(({ name }) => name).join(", ")}`;

const ROUNDS = 5;

interface Flags {
  readonly works: readonly Work[];
  /** Undefined means the contest's own number. */
  readonly rounds: number | undefined;
  readonly scale: number;
  readonly nodes: readonly string[];
  /** Another built checkout, to run in turn with this one instead of with the peers. */
  readonly against: string | undefined;
  readonly format: "table" | "json";
}

/**
 * Compares the engine with its peers: data from seeds, all answers compared, a row per comparison.
 * Undefined if the arguments are no command; else whether all contestants ran and gave the same
 * answer.
 */
export async function engineBench(args: readonly string[]): Promise<boolean | undefined> {
  const flags = flagsFrom(args);
  if (flags === undefined) return undefined;
  const tell = (line: string): void => console.error(line);
  const print = (row: object, text: string): void =>
    console.log(flags.format === "json" ? JSON.stringify(row) : text);
  const making = (name: string): void => tell(`making ${name}, which is kept`);
  if (flags.format === "table") console.log(HEADINGS);
  let right = true;
  for (const work of flags.works) {
    const file = (name: string): string => dataset(name, { scale: flags.scale, making });
    const all: Contest = { name: work.name, ...work.contenders({ file, nodes: flags.nodes }) };
    const contest = flags.against === undefined ? all : againstTree(all, flags.against);
    const rounds = flags.rounds ?? contest.rounds ?? ROUNDS;
    const { runs, trouble } = await hold(contest, { rounds, tell });
    for (const comparison of contest.comparisons) {
      const row = rowOf(comparison, runs);
      if (row !== undefined) print(row, rowText(row));
    }
    for (const line of trouble) tell(line);
    right &&= trouble.length === 0;
  }
  return right;
}

function flagsFrom(args: readonly string[]): Flags | undefined {
  const { values } = parseArgs({
    args: [...args],
    options: {
      work: { type: "string" },
      runs: { type: "string" },
      scale: { type: "string", default: "1" },
      long: { type: "boolean", default: false },
      node: { type: "string" },
      against: { type: "string" },
      format: { type: "string", short: "o", default: "table" },
    },
  });
  const names = values.work?.split(",");
  const works =
    names === undefined
      ? WORKS.filter(({ isLong }) => values.long || isLong !== true)
      : WORKS.filter(({ name }) => names.includes(name));
  const rounds = values.runs === undefined ? undefined : Number(values.runs);
  const scale = Number(values.scale);
  const { format } = values;
  const isKnown = names === undefined || names.length === works.length;
  if (rounds !== undefined && !(Number.isInteger(rounds) && rounds > 0)) return undefined;
  if (!isKnown || !(scale > 0)) return undefined;
  if (format !== "table" && format !== "json") return undefined;
  const nodes = values.node?.split(",") ?? [];
  const against = values.against === undefined ? undefined : resolve(values.against);
  return { works, rounds, scale, nodes, against, format };
}
