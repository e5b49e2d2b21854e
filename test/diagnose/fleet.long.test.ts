import { expect, test } from "vitest";
import { hurtNodes } from "../../src/fleet/hurt-nodes.ts";
import { type MonthOfNodes, monthOf, nameOf } from "./support/fleets.ts";

const USUAL = { nodes: 200, jobs: 1_000, nodesOfJob: 8, tasksPerNode: 4, slow: 0, factor: 1 };
/** Of each kind of month; docs/papers/attribution.md has the table. */
const DRAWS = Number(process.env.FLEETS ?? 6);

/** How many slow nodes are named in all draws, in how many draws others are, and just those. */
function tally(month: Omit<MonthOfNodes, "seed">, seed: number) {
  let [named, falsely, exactly] = [0, 0, 0];
  const slow = new Set(Array.from({ length: month.slow }, (_, n) => nameOf(n)));
  for (let draw = 0; draw < DRAWS; draw++) {
    const found = hurtNodes(monthOf({ ...month, seed: seed + draw }), { factorMin: 1.2 });
    const nodes = found.filter(({ isSlow }) => isSlow).map(({ node }) => node);
    const right = nodes.filter((node) => slow.has(node)).length;
    named += right;
    if (nodes.length > right) falsely += 1;
    else if (right === slow.size) exactly += 1;
  }
  const share = month.slow === 0 ? 1 : named / (month.slow * DRAWS);
  const shown = { ...month, draws: DRAWS, named, falsely, exactly };
  if (process.env.FLEETS !== undefined) console.log(JSON.stringify(shown));
  return { share, falsely: falsely / DRAWS, exactly: exactly / DRAWS };
}

/** On a slow node, half of the tasks become attempts. */
const KINDS = [
  { tasksPerNode: 6, factor: 2, bursts: 0, namedMin: 0.98, exactlyMin: 0.9 },
  { tasksPerNode: 4, factor: 2.5, bursts: 0, namedMin: 0.95, exactlyMin: 0.8 },
  { tasksPerNode: 4, factor: 2, bursts: 0, namedMin: 0.85, exactlyMin: 0.4 },
  { tasksPerNode: 3, factor: 2.5, bursts: 0, namedMin: 0.6, exactlyMin: 0 },
];

test.each(KINDS)("five of 200 nodes, slow in three jobs of forty, are named: %j", (kind) => {
  const { namedMin, exactlyMin, ...own } = kind;
  const { share, falsely, exactly } = tally({ ...USUAL, ...own, slow: 5 }, 1_000);
  expect(share).toBeGreaterThanOrEqual(namedMin);
  expect(exactly).toBeGreaterThanOrEqual(exactlyMin);
  expect(falsely).toBeLessThanOrEqual(0.2);
});

test.each([0, 0.02])("where bad moments come in %j of all turns, none is named", (bursts) => {
  expect(tally({ ...USUAL, bursts }, 2_000).falsely).toBeLessThan(0.1);
});
