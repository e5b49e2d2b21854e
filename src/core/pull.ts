import type { Ask } from "../model/action.ts";
import { type Instant, instant, type JobId, type NodeId, type SlotKind } from "../model/ids.ts";
import type { Context, SpeculationPolicy } from "../policy/policy.ts";

export interface PullOptions {
  /** Milliseconds between two looks. */
  readonly tickMs: number;
  /** Whether the host can be told where a copy is to run. */
  readonly placement: boolean;
}

type PullContext = Context<object, unknown>;

/**
 * A policy that answers slot offers, on a host that has none: at each tick it is asked about a slot
 * as if every node that is heard had one, and what it would launch becomes a request. At most one
 * request waits per phase, since a policy counts the copies that run, not those that wait.
 */
export function pull(policy: SpeculationPolicy, options: PullOptions): SpeculationPolicy {
  const { scan, onContendedSlot, onIdleSlot, ...rest } = policy;
  const needs = policy.needs.filter((need) => need !== "slot-offers");
  return {
    ...rest,
    needs: [...needs, "requests"],
    scan(ctx) {
      const wakeAt = instant(ctx.view.now + options.tickMs);
      const own = scan?.call(policy, ctx) ?? [];
      return [
        ...own,
        ...requestsOf(ctx, policy, options),
        { kind: "wake", at: earlier(own, wakeAt) },
      ];
    },
  };
}

function requestsOf(ctx: PullContext, policy: SpeculationPolicy, options: PullOptions): Ask[] {
  const { view } = ctx;
  const asks: Ask[] = [];
  for (const job of view.jobs()) {
    for (const kind of view.kinds) {
      if (view.phases(job.id, kind).some(({ id }) => view.counts(id).requested > 0)) continue;
      asks.push(...firstAnswer(ctx, policy, options, { job: job.id, kind }));
    }
  }
  return asks;
}

/** What the policy does with the first node on which it would do anything. */
function firstAnswer(
  ctx: PullContext,
  policy: SpeculationPolicy,
  { placement }: PullOptions,
  { job, kind }: { readonly job: JobId; readonly kind: SlotKind },
): readonly Ask[] {
  const { view } = ctx;
  const contended = view.waitingOf(job, kind) > 0;
  let passes: readonly Ask[] = [];
  for (const { id: node } of view.nodes()) {
    if (view.silentSince(node) !== undefined) continue;
    const slot = { node, kind };
    const answer =
      (contended
        ? policy.onContendedSlot?.(ctx, job, slot)
        : policy.onIdleSlot?.(ctx, job, slot)) ?? [];
    if (answer.every((ask) => ask.kind === "pass")) {
      passes = answer;
      continue;
    }
    return answer.map((ask) => requested(ask, placement));
  }
  return passes;
}

function requested(ask: Ask, placement: boolean): Ask {
  if (ask.kind !== "launch") return ask;
  const { task, as, node, why } = ask;
  return { kind: "request", task, as, where: placement ? only(node) : { on: "any" }, why };
}

const only = (node: NodeId): { readonly on: "only"; readonly nodes: readonly NodeId[] } => ({
  on: "only",
  nodes: [node],
});

function earlier(asks: readonly Ask[], at: Instant): Instant {
  return asks.reduce((first, ask) => (ask.kind === "wake" && ask.at < first ? ask.at : first), at);
}
