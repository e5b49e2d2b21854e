import { expect, test } from "vitest";
import { hurtNodes } from "../../src/fleet/hurt-nodes.ts";
import { type MonthOfNodes, monthOf, nameOf } from "./support/fleets.ts";

const USUAL = { nodes: 200, jobs: 1_000, nodesOfJob: 8, tasksPerNode: 4, slow: 0, factor: 1 };
/** Of each kind of month; docs/papers/attribution.md has the table. */
const DRAWS = Number(process.env.FLEETS ?? 6);

/** How many slow nodes are named in all draws, and in how many draws others are. */
function tally(month: Omit<MonthOfNodes, "seed">, seed: number) {
  let [named, falsely] = [0, 0];
  const slow = new Set(Array.from({ length: month.slow }, (_, n) => nameOf(n)));
  for (let draw = 0; draw < DRAWS; draw++) {
    const found = hurtNodes(monthOf({ ...month, seed: seed + draw }), { factorMin: 1.2 });
    const nodes = found.filter(({ isSlow }) => isSlow).map(({ node }) => node);
    named += nodes.filter((node) => slow.has(node)).length;
    if (nodes.some((node) => !slow.has(node))) falsely += 1;
  }
  const share = month.slow === 0 ? 1 : named / (month.slow * DRAWS);
  const shown = { ...month, draws: DRAWS, named: share.toFixed(3), falsely };
  if (process.env.FLEETS !== undefined) console.log(JSON.stringify(shown));
  return { share, falsely: falsely / DRAWS };
}

/** On a slow node, half of the tasks become attempts. */
const KINDS = [
  { tasksPerNode: 6, factor: 2, bursts: 0, namedMin: 0.95 },
  { tasksPerNode: 4, factor: 2.5, bursts: 0, namedMin: 0.9 },
  { tasksPerNode: 4, factor: 2, bursts: 0, namedMin: 0.75 },
  { tasksPerNode: 3, factor: 2.5, bursts: 0, namedMin: 0.3 },
];

test.each(KINDS)("five of 200 nodes, slow in three jobs of forty, are named: %j", (kind) => {
  const { namedMin, ...own } = kind;
  const { share, falsely } = tally({ ...USUAL, ...own, slow: 5 }, 1_000);
  expect(share).toBeGreaterThanOrEqual(namedMin);
  expect(falsely).toBeLessThanOrEqual(0.5);
});

test.each([0, 0.02])("where bad moments come in %j of all turns, none is named", (bursts) => {
  expect(tally({ ...USUAL, bursts }, 2_000).falsely).toBeLessThan(0.1);
});
