import { defined } from "../../base/assert.ts";
import { draw } from "../../base/chance.ts";
import type { Json } from "../../base/json.ts";
import { nextFloat, randomState, split } from "../../base/random.ts";
import { type Infer, list, number, positive, record, required, whole } from "../../base/shape.ts";
import { mean } from "../../base/stats.ts";
import { nodeId } from "../../model/ids.ts";
import { defaultsOf } from "../../policy/policy.ts";
import { findLevels, type TypeTimes } from "../../policy/speculation/esplash/levels.ts";
import { esplash } from "../../policy/speculation/esplash.ts";
import type { Experiment, ExperimentKind } from "../experiment.ts";
import { HEADING } from "../heading.ts";
import { over } from "../mantri/estimate.ts";
import { column, numberOf, rowsOf, withAbout } from "../mantri/study.ts";

type Case = Infer<typeof caseShape>;
const caseShape = record("times and their number", {
  /** The standard deviation of the logarithm of task times on a node. */
  sigma: required(number({ min: 0 })),
  /** The number of tasks of each type that each node has finished. */
  tasks: required(whole({ min: 1 })),
});

/** The levels that Algorithm 1 finds for nodes of known speeds, by the number of types of tasks. */
type TypesFile = Infer<typeof file>;
const file = record("a study of levels by types of tasks", {
  ...HEADING,
  /** The time of a task on each kind of node, slowest first. */
  times: required(list(positive, { min: 1 })),
  nodesOfEach: required(whole({ min: 1 })),
  /** Numbers of types to try. */
  types: required(list(whole({ min: 1 }), { min: 1 })),
  cases: required(list(caseShape, { min: 1 })),
  /** Random sets of times per run. */
  draws: required(whole({ min: 1 })),
});

export const types: ExperimentKind = {
  kind: "esplash-types",
  make: ({ name, json, place }): Experiment => {
    const read = file.read(json, place);
    return {
      name,
      title: read.title,
      paper: read.paper,
      figures: read.figures,
      units: ({ runs }) =>
        read.cases.flatMap((_, index) =>
          read.types.map((count) => ({
            key: `${index} ${count} ${runs}`,
            cost: 0.01 * count,
            work: { index, count, runs },
          })),
        ),
      run: ({ work }) => runsOf(read, work),
      report: (done) =>
        withAbout(read, {
          measured: done.flatMap((one) => {
            const { sigma, tasks } = caseOf(read, one.unit.work);
            const count = numberOf(one.unit.work, "count");
            const spread = `times spread by ${sigma}, ${tasks} tasks a node`;
            const setting = `${count} types, ${spread}`;
            const row = { figure: "types", setting };
            return [
              over(column(rowsOf(one), 0), { ...row, metric: "levels found" }),
              over(column(rowsOf(one), 1), { ...row, metric: "nodes of the right level, share" }),
            ];
          }),
          drawings: [],
          notes: [],
        }),
    };
  },
};

const caseOf = ({ cases }: TypesFile, work: Json): Case =>
  defined(cases[numberOf(work, "index")], "a case");

/** For each run: levels found, and the share of the nodes that got the level of their kind. */
function runsOf(read: TypesFile, work: Json): Json {
  return Array.from({ length: numberOf(work, "runs") }, (_, run) => {
    const draws = Array.from({ length: read.draws }, (_, at) => levelled(read, work, { run, at }));
    return [mean(draws.map(({ found }) => found)), mean(draws.map(({ right }) => right))];
  });
}

function levelled(
  read: TypesFile,
  work: Json,
  { run, at }: { readonly run: number; readonly at: number },
): { readonly found: number; readonly right: number } {
  const { sigma, tasks } = caseOf(read, work);
  const chance = split(randomState(run + 1, "types"), at);
  const kinds = read.times.flatMap((usual, kind) =>
    Array.from({ length: read.nodesOfEach }, () => ({ usual, level: kind + 1 })),
  );
  const table = Array.from(
    { length: numberOf(work, "count") },
    (): TypeTimes =>
      new Map(
        kinds.map(({ usual }, node) => {
          const times = Array.from({ length: tasks }, () =>
            draw(chance, { kind: "lognormal", median: usual, sigma }),
          );
          return [nodeId(node), mean(times)];
        }),
      ),
  );
  const nodes = kinds.map((_, node) => nodeId(node));
  const params = { ...defaultsOf(esplash), k: read.times.length };
  const random = { random: () => nextFloat(chance) };
  const levels = defined(findLevels(table, nodes, params, random), "levels");
  const right = kinds.filter(({ level }, node) => levels.get(nodeId(node)) === level);
  return { found: new Set(levels.values()).size, right: right.length / kinds.length };
}
