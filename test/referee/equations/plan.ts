import type { Dice } from "../../letter/dice.ts";
import type { JobBook, Life, NodeBook, TaskBook } from "./books.ts";

/** How the host of a world behaves. */
export interface Habits {
  /** Whether attempts read as soon as they start, like the paper's. */
  readonly startsUp: boolean;
  readonly wrapsUp: boolean;
  lagMs(): number;
  nextReportMs(): number;
}

export function habits(dice: Dice): Habits {
  const every = dice.pick([1_000, 3_000, 10_000]);
  const lags = dice.pick([0, 0, 2_000]);
  const goesSilent = dice.chance(0.5);
  return {
    startsUp: dice.chance(0.5),
    wrapsUp: dice.chance(0.6),
    lagMs: () => (lags === 0 ? 0 : dice.whole(0, lags)),
    nextReportMs: () => (goesSilent && dice.chance(0.06) ? dice.whole(12_000, 60_000) : every),
  };
}

export function drawNodes(dice: Dice): NodeBook[] {
  return Array.from({ length: dice.whole(3, 7) }, (_, id) => ({
    ...{ id, rack: id % 2, slots: dice.whole(1, 3) },
    speed: dice.pick([1, 1, 1, 0.6, 0.3]),
  }));
}

/** Jobs of one phase; some tasks read nothing, some have their input anywhere. */
export function drawJobs(dice: Dice, nodes: readonly NodeBook[]): JobBook[] {
  let next = 0;
  let submittedAt = 0;
  return Array.from({ length: dice.whole(1, 3) }, (_, id) => {
    if (id > 0) submittedAt += dice.whole(0, 30) * 1_000;
    const job: JobBook = { id, submittedAt, tasks: [], submitted: false, ended: false };
    const [reads, hasReplicas] = [dice.chance(0.85), dice.chance(0.7)];
    for (let index = dice.whole(6, 30); index > 0; index--) {
      const bytes = reads && dice.chance(0.9) ? dice.whole(8, 128) * 1e6 : 0;
      const places = dice.shuffled(nodes.map((node) => node.id)).slice(0, dice.whole(1, 2));
      const replicas = hasReplicas ? places : [];
      job.tasks.push({ id: next++, index: job.tasks.length, job, bytes, replicas, attempts: [] });
    }
    return job;
  });
}

/** Half a second per megabyte, on a usual machine; the rate may change up to three times. */
export function drawLife(
  dice: Dice,
  of: { readonly task: TaskBook; readonly node: NodeBook; readonly habits: Habits },
): Life {
  const { habits, node, task } = of;
  const slow = dice.chance(0.15) ? dice.pick([3, 6, 15]) : 1;
  const far = task.replicas.length === 0 || task.replicas.includes(node.id) ? 1 : 1.5;
  const wholeMs = (((20e6 + task.bytes) / 2_000) * slow * far) / node.speed;
  const pieces = Array.from({ length: dice.whole(1, 4) }, () => dice.pick([1, 1, 0.5, 3]));
  const share = 1 / pieces.length;
  return {
    startUpMs: habits.startsUp ? dice.whole(0, 6_000) * (dice.chance(0.1) ? 5 : 1) : 0,
    reading: pieces.map((times) => ({ ms: Math.round(wholeMs * share * times), share })),
    wrapUpMs: habits.wrapsUp ? dice.whole(0, 8_000) * (dice.chance(0.1) ? 6 : 1) : 0,
  };
}
