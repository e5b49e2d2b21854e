import { expect, test } from "vitest";
import { anyAttempt, type Draw, draws } from "../../../test/support/any-attempt.ts";
import { percentile } from "../../base/stats.ts";
import { type Instant, instant, nodeId } from "../../model/ids.ts";
import { NodeScores, type NodeWork, nodeScore } from "./node-scores.ts";
import type { Observed } from "./progress.ts";

interface Changing {
  work: { joined: boolean; succeeded: number; attempts: readonly Observed[] };
  silentSince: Instant | undefined;
}

/** One change of a node, as a scheduler would make it. */
function change(draw: Draw, node: Changing, now: Instant): void {
  const { work } = node;
  const what = draw(8);
  if (what < 4) work.attempts = [...work.attempts, anyAttempt(draw, node, now)];
  else if (what < 6 && work.attempts.length > 0) {
    work.attempts = work.attempts.slice(1);
    work.succeeded += draw(2);
  } else if (what === 6) node.silentSince = node.silentSince === undefined ? now : undefined;
  else work.joined = !work.joined;
}

test("a percentile equals the percentile of the sums over all attempts, to the last bit", () => {
  for (let seed = 1; seed <= 40; seed++) {
    const draw = draws(seed);
    const nodes: (Changing | undefined)[] = [];
    // A sum over 2^50 successes is rounded by as much as attempts add to it.
    const before = seed % 4 === 0 ? 2 ** 50 : 0;
    const scores = new NodeScores((id) => nodes[id]?.work);
    let now = instant(0);
    for (let step = 0; step < 150; step++) {
      now = instant(now + draw(3) * draw(500));
      const id = draw(Math.min(30, 5 + step));
      while (nodes.length <= id) nodes.push(undefined);
      nodes[id] ??= {
        work: { joined: true, succeeded: before, attempts: [] },
        silentSince: undefined,
      };
      change(draw, nodes[id], now);
      scores.changed(nodeId(id));
      if (draw(3) === 0) continue;
      const works = nodes.flatMap((node): NodeWork[] => (node?.work.joined ? [node.work] : []));
      if (works.length === 0) continue;
      const sums = Float64Array.from(works, (work) => nodeScore(work, now)).sort();
      const q = draw(101);
      expect(scores.percentile(q, nodes.length, now), `seed ${seed}`).toBe(percentile(sums, q));
    }
  }
});
