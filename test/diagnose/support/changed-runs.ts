import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Work } from "../../evidence/worlds/attempt.ts";
import { runPlan } from "../../evidence/worlds/dispatch.ts";
import { eventLog } from "../../evidence/worlds/event-log.ts";
import type { Plan } from "../../evidence/worlds/plan.ts";
import { Dice } from "./dice.ts";

/** What was done to a run; the others of its job are as usual. */
export const CHANGES = [
  "more-tasks",
  "larger-tasks",
  "fewer-nodes",
  "fewer-cores",
  "slow-node",
  "skew",
  "driver",
  "failures",
  "gc",
] as const;
export type Changed = (typeof CHANGES)[number];

const NODES = 8;
const TASKS = 64;
const BYTES = 128e6;
/** Of a task of so many bytes; as much again is independent of them. */
const HALF_MS = 4_000;

/** A job of two stages on eight nodes with two cores each, as an event log of Spark. */
export function writeRun(
  folder: string,
  { seed, changed }: { seed: number; changed?: Changed },
): string {
  const dice = new Dice(seed);
  const nodes = changed === "fewer-nodes" ? 5 : NODES;
  const tasks = changed === "more-tasks" ? 1.5 * TASKS : TASKS;
  const plan: Plan = {
    executors: Array.from({ length: nodes }, (_, n) => ({
      ...{ id: String(n), node: `n${n + 1}`, from: 0 },
      factor: changed === "slow-node" && n === 2 ? 3 : 1,
    })),
    coresEach: changed === "fewer-cores" ? 1 : 2,
    stages: [0, 1].map(() => Array.from({ length: tasks }, () => work(changed, dice))),
    gapMs: changed === "driver" ? 20_000 : dice.between(200, 400),
    injected: new Set(),
  };
  if (changed === "skew") skew(plan);
  const run = runPlan(plan, dice);
  const lines = eventLog(plan, run, {
    ...{ executors: plan.executors, removed: [], resubmitted: [], jobs: [[0, 1]] },
  });
  const file = join(folder, `run-${seed}-${changed ?? "usual"}`);
  writeFileSync(file, `${lines.join("\n")}\n`);
  return file;
}

function work(changed: Changed | undefined, dice: Dice): Work {
  const times = (changed === "larger-tasks" ? 1.8 : 1) * (1 + 0.05 * dice.normal());
  const gcMs = changed === "gc" && dice.chance(0.15) ? dice.between(6_000, 12_000) : 100;
  const none = { node: 0, "fetch-wait": 0, "cold-start": 0, bytes: 0 };
  return {
    ...{ usualMs: HALF_MS * (1 + times), bytes: Math.round(BYTES * times) },
    ...{ gcMs, fetchMs: 0, deserializeMs: 20, coldMs: 0, heldMs: 0 },
    extraMs: { ...none, gc: gcMs - 100, unexplained: 0.08 * HALF_MS * dice.normal() },
    fails: changed === "failures" && dice.chance(0.2) ? [dice.between(0.5, 1)] : [],
  };
}

/** The tasks of the last stage read as much as before; one of them reads ten times as much. */
function skew({ stages }: Plan): void {
  const last = stages.at(-1) ?? [];
  const shares = last.map((_, n) => (n === 20 ? 10 : (TASKS - 10) / (TASKS - 1)));
  for (const [n, task] of last.entries()) {
    const times = shares[n] ?? 1;
    const usualMs = HALF_MS + (task.usualMs - HALF_MS) * times;
    Object.assign(task, { usualMs, bytes: Math.round(task.bytes * times) });
  }
}
