import { expect, test } from "vitest";
import { percentile } from "../base/stats.ts";
import { type Instant, instant, nodeId } from "../model/ids.ts";
import { NO_AMOUNTS, type ProgressSource, type ReportedProgress } from "../model/progress.ts";
import { NodeScores, type NodeWork, nodeScore } from "./node-scores.ts";
import type { Observed } from "./progress.ts";

type Draw = (count: number) => number;

/** Park and Miller: a whole number from 0 on, below the count. */
function draws(seed: number): Draw {
  let state = seed;
  return (count) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % count;
  };
}

function sourceOf(draw: Draw, startedAt: Instant): ProgressSource {
  const reportEvery = draw(2) * (300 + draw(1_000) / 7);
  const scorePerMs = 1 / (1_000 + draw(20_000));
  if (draw(3) === 0) return { kind: "line", startedAt, scorePerMs, bytesReadPerMs: 0, reportEvery };
  const turn = draw(4_000);
  const perMs = { ...NO_AMOUNTS, score: scorePerMs };
  const later = { ...NO_AMOUNTS, score: Math.min(1, turn * scorePerMs + draw(2) / 10) };
  const segments = [
    { from: startedAt, stage: 0, at: NO_AMOUNTS, perMs },
    { from: instant(startedAt + turn), stage: 1, at: later, perMs: { ...perMs, score: 1 / 9_000 } },
  ];
  return { kind: "curve", startedAt, segments, reportEvery };
}

const reported = (at: Instant, score: number): ReportedProgress => ({
  ...{ kind: "reported", at, changedAt: at, stage: 0, bytesRead: 0, bytesWritten: 0, records: 0 },
  score,
});

interface Changing {
  work: { joined: boolean; succeeded: number; attempts: readonly Observed[] };
  silentSince: Instant | undefined;
}

function attemptOn(draw: Draw, host: Changing, now: Instant): Observed {
  const startedAt = instant(now + draw(2) * draw(300));
  const progress = draw(4) === 0 ? reported(now, draw(10) / 10) : sourceOf(draw, startedAt);
  const reports = progress.kind === "reported" ? [progress] : undefined;
  return {
    ...{ launchedAt: now, startedAt, endedAt: undefined, state: "running", holdsSlot: true },
    ...{ host, record: { task: { stages: [] } }, progress, reports, stages: undefined },
  };
}

/** One change of a node, as a scheduler would make it. */
function change(draw: Draw, node: Changing, now: Instant): void {
  const { work } = node;
  const what = draw(8);
  if (what < 4) work.attempts = [...work.attempts, attemptOn(draw, node, now)];
  else if (what < 6 && work.attempts.length > 0) {
    work.attempts = work.attempts.slice(1);
    work.succeeded += draw(2);
  } else if (what === 6) node.silentSince = node.silentSince === undefined ? now : undefined;
  else work.joined = !work.joined;
}

test("a percentile is that of the sums over all attempts, to the last bit", () => {
  for (let seed = 1; seed <= 40; seed++) {
    const draw = draws(seed);
    const nodes: (Changing | undefined)[] = [];
    const scores = new NodeScores((id) => nodes[id]?.work);
    let now = instant(0);
    for (let step = 0; step < 150; step++) {
      now = instant(now + draw(3) * draw(500));
      const id = draw(Math.min(30, 5 + step));
      while (nodes.length <= id) nodes.push(undefined);
      nodes[id] ??= { work: { joined: true, succeeded: 0, attempts: [] }, silentSince: undefined };
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
