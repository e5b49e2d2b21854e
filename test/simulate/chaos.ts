import type { Ask } from "../../src/model/action.ts";
import type { Where } from "../../src/model/attempt.ts";
import { instant, type NodeId } from "../../src/model/ids.ts";
import type { Task } from "../../src/model/job.ts";
import { type ParamsOf, params } from "../../src/policy/params.ts";
import type { Context, DataPolicy, SpeculationPolicy } from "../../src/policy/policy.ts";

const CHAOS = params({
  chance: { default: 0.1, max: 1, about: "how often each may act" },
  until: { default: 0, about: "and until when" },
});

export type Chaos = ParamsOf<typeof CHAOS>;

type Ctx = Context<Chaos, { asked: number }>;
const why = { rule: "chaos", numbers: {} };

const common = {
  source: "the random worlds",
  params: CHAOS,
  needs: [],
  remember: () => ({ asked: 0 }),
};

/** Does everything that the interface allows, at random. */
export const chaosSpeculation: SpeculationPolicy<Chaos, { asked: number }> = {
  ...common,
  name: "chaos",
  hears: {
    acted({ memory }) {
      memory.asked += 1;
    },
  },

  onContendedSlot(ctx, job, { node, kind }) {
    const phase = ctx.view.phases(job, kind)[0];
    if (!luck(ctx) || phase === undefined) return [];
    const task = randomOf(ctx, [...ctx.view.runningTasks(phase.id)]);
    if (task === undefined || ctx.view.isDone(task.id)) return [];
    const [attempt] = ctx.view.runningOf(task.id);
    const launch = { kind: "launch", task: task.id, as: "speculative", node, why } as const;
    const kill = attempt && ({ kind: "kill", attempt: attempt.id, then: "restart", why } as const);
    return luck(ctx, 0.5) || kill === undefined ? [launch] : [kill];
  },

  onIdleSlot(ctx, job, { node, kind }) {
    if (!luck(ctx)) return [];
    for (const phase of ctx.view.phases(job, kind)) {
      for (const task of ctx.view.runningTasks(phase.id)) {
        if (ctx.view.isDone(task.id) || ctx.view.hasRunOn(task.id, node)) continue;
        return [{ kind: "launch", task: task.id, as: "speculative", node, why }];
      }
    }
    return [];
  },

  scan(ctx) {
    const asks: Ask[] = [];
    for (const job of ctx.view.jobs()) {
      for (const phase of ctx.view.phases(job.id)) {
        for (const task of [...ctx.view.runningTasks(phase.id)]) {
          if (luck(ctx)) asks.push(...somethingAbout(ctx, task));
        }
      }
    }
    for (const request of ctx.view.requests()) {
      if (luck(ctx, 0.05)) asks.push({ kind: "withdraw", request: request.id, why });
    }
    return [...asks, { kind: "wake", at: instant(ctx.view.now + 5_000) }];
  },
};

/**
 * Prefers, replicates and protects at random; a lost output is recomputed at once, or when missed.
 */
export const chaosData: DataPolicy<Chaos, { asked: number }> = {
  ...common,
  name: "chaos-data",
  slowstart: ({ params }) => params.chance,
  onPhaseReady(ctx, phase) {
    return [...ctx.view.phase(phase).tasks]
      .filter(() => luck(ctx))
      .map((task) => preference(ctx, task));
  },
  onOutput(ctx, task) {
    if (!luck(ctx) || ctx.view.readers(task).length === 0) return [];
    const to = randomOf(ctx, ctx.view.racks);
    return to === undefined ? [] : [{ kind: "replicate", task, to, why }];
  },
  onOutputLost: (ctx, task, how) =>
    how === "lost" && luck(ctx, 0.5) ? [{ kind: "recompute", task, why }] : [],
  scan(ctx) {
    const wake = { kind: "wake", at: instant(ctx.view.now + 7_000) } as const;
    const asks: Ask[] = [];
    for (const job of ctx.view.jobs()) {
      for (const { tasks } of job.phases) {
        for (const task of tasks) {
          const isWhole = ctx.view.isDone(task.id) && ctx.view.readers(task.id).length > 0;
          if (luck(ctx, 0.02) && isWhole) asks.push({ kind: "recompute", task: task.id, why });
          if (luck(ctx, 0.05) && ctx.view.isWaiting(task.id)) asks.push(preference(ctx, task));
        }
      }
    }
    return [...asks, wake];
  },
};

function somethingAbout(ctx: Ctx, task: Task): readonly Ask[] {
  const [attempt] = ctx.view.runningOf(task.id);
  if (attempt === undefined || ctx.view.isDone(task.id)) return [];
  const then = randomOf(ctx, ["restart", "requeue", "nothing"] as const) ?? "nothing";
  const request: Ask = {
    kind: "request",
    task: task.id,
    as: "speculative",
    where: where(ctx),
    why,
  };
  return luck(ctx, 0.5) ? [request] : [{ kind: "kill", attempt: attempt.id, then, why }];
}

function where(ctx: Ctx): Where {
  const nodes = someNodes(ctx);
  if (nodes.length === 0) return { on: "any" };
  return { on: luck(ctx, 0.5) ? "only" : "all-but", nodes };
}

function preference(ctx: Ctx, task: Task): Ask {
  const racks = ctx.view.racks.filter(() => luck(ctx, 0.3));
  return { kind: "prefer", task: task.id, nodes: someNodes(ctx), racks, why };
}

const someNodes = (ctx: Ctx): readonly NodeId[] =>
  [...ctx.view.nodes()].filter(() => luck(ctx, 0.3)).map(({ id }) => id);

/** Whether the time of chaos lasts. */
const luck = (ctx: Ctx, chance = ctx.params.chance): boolean =>
  ctx.view.now < ctx.params.until && ctx.random() < chance;

function randomOf<T>(ctx: Ctx, items: readonly T[]): T | undefined {
  return items[Math.floor(ctx.random() * items.length)];
}
