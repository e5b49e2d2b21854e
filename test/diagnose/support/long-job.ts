import { ColumnsBuilder } from "../../../src/history/columns-builder.ts";
import type { SlotSpan, TraceJob, TracePhase } from "../../../src/history/model.ts";
import { addAttempt } from "./attempt.ts";
import { Dice } from "./dice.ts";

/** A job of few slots and many waves: two phases, some attempts with bad luck, a slow node. */
export function longJob(seed: number, waves: number): TraceJob {
  const dice = new Dice(seed);
  const nodes = dice.whole(3, 5);
  const slow = dice.chance(0.5) ? dice.between(1.5, 3) : 1;
  const freeAt = Array.from({ length: 2 * nodes }, () => 0);
  let now = 0;
  const phases = [0, 1].map((index): TracePhase => {
    const baseMs = dice.between(2_000, 9_000);
    const tasks = waves * freeAt.length + dice.whole(0, 3);
    const builder = new ColumnsBuilder();
    let endedAt = now;
    for (let task = 0; task < tasks; task++) {
      const slot = freeAt.indexOf(Math.min(...freeAt));
      const node = slot % nodes;
      const startedAt = Math.max(now, freeAt[slot] ?? 0);
      const luck = Math.exp(0.06 * dice.normal()) * (dice.chance(0.02) ? dice.between(2, 6) : 1);
      const end = startedAt + Math.round(baseMs * luck * (node === 0 ? slow : 1));
      freeAt[slot] = end;
      endedAt = Math.max(endedAt, end);
      const made = { task, ordinal: 0, as: "original", node, ended: "succeeded" } as const;
      addAttempt(builder, { ...made, startedAt, endedAt: end, inputBytes: 64e6 });
    }
    now = endedAt + 20;
    return {
      name: `stage ${index}`,
      kind: "stage",
      span: -1,
      tasks,
      reads: index === 0 ? [] : [{ phase: 0, start: { when: "done" } }],
      attempts: builder.build(),
    };
  });
  return {
    id: `long-${seed}`,
    name: "long",
    submittedAt: 0,
    endedAt: now,
    outcome: "succeeded",
    phases,
    spans: [],
    nodes: Array.from({ length: nodes }, (_, n) => `n${n}`),
    executors: Array.from({ length: nodes }, (_, n) => `${n}`),
    slots: freeAt.map((_, n): SlotSpan => {
      return { kind: "stage", node: n % nodes, executor: n % nodes, from: 0 };
    }),
    settings: { speculation: false, values: {} },
    lacks: new Set(),
  };
}
