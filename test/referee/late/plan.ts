import { MAP, REDUCE } from "../../letter/books.ts";
import type { Dice } from "../../letter/dice.ts";
import type { NodeBook, PhaseBook } from "../driven/books.ts";
import { addPhase, addTask, drawJobs, drawNodes, drawReplicas, type Plan } from "../driven/plan.ts";
import type { Thresholds } from "./section-4.ts";

export interface LatePlan extends Plan {
  readonly expiryMs: number;
  readonly thresholds: Thresholds;
}

export function drawPlan(dice: Dice): LatePlan {
  const racks = 2;
  const speeds = [1, 1, 1, 0.7, 0.4, 0.15];
  const nodes = drawNodes(dice, { count: dice.whole(3, 10), racks, speeds });
  return {
    reportEvery: dice.pick([0, 0, 3_000]),
    expiryMs: dice.pick([20_000, 60_000, 600_000]),
    ...{ racks, nodes, jobs: drawAllJobs(dice, nodes) },
    thresholds: {
      speculativeCap: dice.pick([0.1, 0.1, 0.2, 0.35, 1]),
      slowNodeThreshold: dice.pick([25, 25, 10, 40]),
      slowTaskThreshold: dice.pick([25, 25, 10, 40]),
      runtimeMsMin: dice.pick([60_000, 60_000, 20_000, 10_000, 0]),
    },
    tick: dice.pick([
      [200, 4_000],
      [3_000, 3_000],
      [1_000, 1_000],
      [2_000, 8_000],
    ]),
    chances: {
      failure: dice.pick([0.005, 0.02, 0.05]),
      speedChange: dice.pick([0, 0.01, 0.05]),
      nodeLeft: dice.pick([0.002, 0.006]),
      nodeBack: dice.pick([0.02, 0.1]),
      nodeSilent: dice.pick([0.005, 0.02]),
      outputLost: dice.pick([0.02, 0.08]),
      straggler: dice.pick([0.15, 0.25, 0.4]),
      offer: dice.pick([1, 0.6, 0.3]),
    },
  };
}

const drawAllJobs = (dice: Dice, nodes: readonly NodeBook[]) =>
  drawJobs(dice, {
    usualS: [40, 160],
    speculate: () => !dice.chance(0.1),
    drawPhases(job, next) {
      const draw = (
        what: Pick<PhaseBook, "kind" | "reads">,
        { tasks, replicas }: Record<"tasks" | "replicas", number>,
      ) => {
        const phase = addPhase(job, next, { ...what, slowstart: dice.pick([1, 1, 0.05, 0.5]) });
        const isEven = dice.chance(0.5);
        for (let left = tasks; left > 0; left--) {
          const bytes = (isEven ? 64 : dice.whole(1, 128)) * 1_000_000;
          addTask(phase, next, { bytes, parts: [], replicas: drawReplicas(dice, nodes, replicas) });
        }
        return phase;
      };
      const maps = { kind: MAP, reads: [] };
      const replicas = dice.whole(0, 3);
      const reads = [draw(maps, { tasks: dice.whole(2, 24), replicas })];
      if (dice.chance(0.25)) reads.push(draw(maps, { tasks: dice.whole(2, 10), replicas }));
      if (dice.chance(0.8)) {
        draw({ kind: REDUCE, reads }, { tasks: dice.whole(1, 8), replicas: 0 });
      }
    },
  });
