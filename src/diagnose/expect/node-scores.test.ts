import { expect, test } from "vitest";
import { nextFloat, randomState } from "../../base/random.ts";
import { NodeScores } from "./node-scores.ts";

const NODES = 6;

/** Attempts of three phases of unlike spread; `slower`: what the first node's take more. */
function drawn(seed: number, slower: number) {
  const random = randomState(seed, "node-scores-test");
  const residuals = Array.from({ length: 90 }, (_, i) => {
    const [node, phase] = [Math.floor(nextFloat(random) * NODES), i % 3];
    const noise = (nextFloat(random) + nextFloat(random) - 1) * (phase + 1) * 0.1;
    return { node, phase, r: noise + (node === 0 ? slower : 0) };
  });
  const byNode = new Map(
    Array.from({ length: NODES }, (_, node) => [
      node,
      [...residuals.keys()].filter((i) => residuals[i]?.node === node),
    ]),
  );
  return { residuals, byNode };
}

test("where no node is slow, scores have mean 0 and deviation 1, and few exceed the limit", () => {
  const scores: number[] = [];
  let exceeded = 0;
  for (let seed = 1; seed <= 400; seed++) {
    const { residuals, byNode } = drawn(seed, 0);
    const nodes = new NodeScores(residuals, byNode, 3);
    const recorded = [...nodes.recorded().values()];
    const most = Math.max(...recorded);
    scores.push(...recorded);
    if (most > nodes.limit({ seed, most })) exceeded += 1;
  }
  const mean = scores.reduce((sum, each) => sum + each, 0) / scores.length;
  const squares = scores.reduce((sum, each) => sum + each * each, 0) / scores.length;
  expect(Math.abs(mean)).toBeLessThan(0.05);
  expect(squares).toBeGreaterThan(0.9);
  expect(squares).toBeLessThan(1.1);
  // 1 in 40, give or take.
  expect(exceeded).toBeGreaterThan(2);
  expect(exceeded).toBeLessThan(20);
});

test("a node of half the speed scores beyond the limit", () => {
  for (let seed = 1; seed <= 20; seed++) {
    const { residuals, byNode } = drawn(seed, Math.log(2));
    const nodes = new NodeScores(residuals, byNode, 3);
    const recorded = nodes.recorded();
    const most = Math.max(...recorded.values());
    expect(recorded.get(0)).toBe(most);
    expect(most).toBeGreaterThan(nodes.limit({ seed, most }));
  }
});

test("a node without peers, or with too few attempts, scores 0", () => {
  const { residuals, byNode } = drawn(1, 5);
  const alone = residuals.map((one) => ({ ...one, phase: one.node === 0 ? 9 : one.phase }));
  expect(new NodeScores(alone, byNode, 3).recorded().get(0)).toBe(0);
  expect(new NodeScores(residuals, byNode, 91).recorded().get(0)).toBe(0);
});
