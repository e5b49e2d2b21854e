import { defined } from "../../base/assert.ts";
import { draw } from "../../base/chance.ts";
import { nextFloat, randomState, split } from "../../base/random.ts";
import { cell } from "../../base/rows.ts";
import { type Infer, list, number, positive, record, required, whole } from "../../base/shape.ts";
import { mean } from "../../base/stats.ts";
import { nodeId } from "../../model/ids.ts";
import { defaultsOf } from "../../policy/policy.ts";
import { findLevels, type TypeTimes } from "../../policy/speculation/esplash/levels.ts";
import { esplash } from "../../policy/speculation/esplash.ts";
import { studyKind } from "../study/kind.ts";
import { numberOf } from "../study/work.ts";

type Case = Infer<typeof caseShape>;
const caseShape = record("times and their number", {
  /** The standard deviation of the logarithm of task times on a node. */
  sigma: required(number({ min: 0 })),
  /** The number of tasks of each type that each node has finished. */
  tasks: required(whole({ min: 1 })),
});

type TypesSetup = Infer<typeof setup>;
const setup = record("a study of levels by types of tasks", {
  /** The time of a task on each kind of node, slowest first. */
  times: required(list(positive, { min: 1 })),
  nodesOfEach: required(whole({ min: 1 })),
  /** Numbers of types to try. */
  types: required(list(whole({ min: 1 }), { min: 1 })),
  cases: required(list(caseShape, { min: 1 })),
  /** Random sets of times per run. */
  draws: required(whole({ min: 1 })),
});

/** The levels that Algorithm 1 finds for nodes of known speeds, by the number of types of tasks. */
export const types = studyKind<TypesSetup>({
  kind: "esplash-types",
  setup,
  open: (of) => {
    const lines = of.cases.flatMap((one, index) =>
      of.types.map((count) => ({ ...one, index, count })),
    );
    return {
      units: ({ runs }) =>
        lines.map(({ index, count }, line) => ({
          key: `${index} ${count} ${runs}`,
          cost: 0.01 * count,
          work: { line, runs },
        })),
      run: (work) => {
        const line = numberOf(work, "line");
        return {
          levels: Array.from({ length: numberOf(work, "runs") }, (_, run) => {
            const draws = Array.from({ length: of.draws }, (_, at) =>
              levelled(of, cell(lines[line]), { run, at }),
            );
            const [found, right] = [draws.map((one) => one.found), draws.map((one) => one.right)];
            return { line, run, found: mean(found), right: mean(right) };
          }),
        };
      },
    };
  },
});

/** Levels found, and the share of the nodes that got the level of their kind. */
function levelled(
  of: TypesSetup,
  { sigma, tasks, count }: Case & { readonly count: number },
  { run, at }: { readonly run: number; readonly at: number },
): { readonly found: number; readonly right: number } {
  const chance = split(randomState(run + 1, "types"), at);
  const kinds = of.times.flatMap((usual, kind) =>
    Array.from({ length: of.nodesOfEach }, () => ({ usual, level: kind + 1 })),
  );
  const table = Array.from(
    { length: count },
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
  const params = { ...defaultsOf(esplash), k: of.times.length };
  const random = { random: () => nextFloat(chance) };
  const levels = defined(findLevels(table, nodes, params, random), "levels");
  const right = kinds.filter(({ level }, node) => levels.get(nodeId(node)) === level);
  return { found: new Set(levels.values()).size, right: right.length / kinds.length };
}
