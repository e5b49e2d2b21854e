import type { Ask } from "../../model/action.ts";
import type { Where } from "../../model/attempt.ts";
import {
  after,
  type Instant,
  type JobId,
  type NodeId,
  type SlotKind,
  type TaskId,
} from "../../model/ids.ts";
import { rule } from "../../model/why.ts";
import type { Context, Discipline, SpeculationPolicy } from "../../policy/policy.ts";
import type { Setup } from "../state/setup.ts";

export interface PullOptions {
  /** Milliseconds between two looks. */
  readonly tickMs: number;
  /** Whether a request can name the node that is to run a copy. */
  readonly placement: boolean;
}

const JOB_FORBIDS = rule("job-forbids-copies");
const PHASE_FORBIDS = rule("phase-forbids-copies");

type PullContext = Context<object, unknown>;

/**
 * The set-up's discipline. Its speculation policy is wrapped in `pull` if the policy needs offers
 * and the host takes requests instead; it then looks as often as held slots would be asked about.
 */
export function fitted({ discipline, capabilities, askAgainMs }: Setup): Discipline {
  const { speculation } = discipline;
  const isPulled =
    speculation.policy.needs.includes("slot-offers") &&
    capabilities.includes("requests") &&
    !capabilities.includes("slot-offers");
  if (!isPulled) return discipline;
  const options = { tickMs: askAgainMs, placement: capabilities.includes("placement") };
  return {
    ...discipline,
    speculation: { ...speculation, policy: pull(speculation.policy, options) },
  };
}

/**
 * Adapts a policy that answers slot offers to a host that has none. At each tick the policy is
 * asked about a slot on every heard node as if it were free, and each launch that it returns
 * becomes a request. At most one request waits per phase, since a policy counts the copies that
 * run, not those that wait.
 */
export function pull(policy: SpeculationPolicy, options: PullOptions): SpeculationPolicy {
  const { scan, onContendedSlot, onIdleSlot, ...rest } = policy;
  const needs = policy.needs.filter((need) => need !== "slot-offers");
  return {
    ...rest,
    needs: [...needs, "requests"],
    scan(ctx) {
      const wakeAt = after(ctx.view.now, options.tickMs);
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
      if (job.speculate === false) {
        if (ctx.explains) asks.push({ kind: "pass", why: JOB_FORBIDS });
        continue;
      }
      const phases = view.phases(job.id, kind);
      if (phases.length > 0 && phases.every(({ speculate }) => speculate === false)) {
        if (ctx.explains) asks.push({ kind: "pass", why: PHASE_FORBIDS });
        continue;
      }
      if (phases.some(({ id }) => view.counts(id).requested > 0)) continue;
      asks.push(...firstAnswer(ctx, policy, options, { job: job.id, kind }));
    }
  }
  return asks;
}

/**
 * The policy's answer for the first node on which it would act. If the host lets a request name
 * nodes, the request names every node for which the policy gives the same launch: the first node
 * alone may be full, which the core cannot see.
 */
function firstAnswer(
  ctx: PullContext,
  policy: SpeculationPolicy,
  { placement }: PullOptions,
  { job, kind }: { readonly job: JobId; readonly kind: SlotKind },
): readonly Ask[] {
  const { view } = ctx;
  const hook = view.waitingOf(job, kind) > 0 ? policy.onContendedSlot : policy.onIdleSlot;
  let passes: readonly Ask[] = [];
  let first: readonly Ask[] | undefined;
  const alike: NodeId[] = [];
  for (const { id: node } of view.nodes()) {
    if (view.silentSince(node) !== undefined) continue;
    const answer = hook?.call(policy, ctx, job, { node, kind }) ?? [];
    if (answer.every((ask) => ask.kind === "pass")) passes = answer;
    else if (first === undefined || launched(answer) === launched(first)) {
      first ??= answer;
      alike.push(node);
      if (!placement || launched(answer) === undefined) break;
    }
  }
  return first?.map((ask) => requested(ask, placement ? alike : [])) ?? passes;
}

function launched(answer: readonly Ask[]): TaskId | undefined {
  for (const ask of answer) if (ask.kind === "launch") return ask.task;
  return undefined;
}

/** `nodes`: empty if a request cannot name its node. */
function requested(ask: Ask, nodes: readonly NodeId[]): Ask {
  if (ask.kind !== "launch") return ask;
  const { task, as, why } = ask;
  const where: Where = nodes.length === 0 ? { on: "any" } : { on: "only", nodes };
  return { kind: "request", task, as, where, why };
}

function earlier(asks: readonly Ask[], at: Instant): Instant {
  return asks.reduce((first, ask) => (ask.kind === "wake" && ask.at < first ? ask.at : first), at);
}
