import type { Ask } from "../../../model/action.ts";
import type { Request, Where } from "../../../model/attempt.ts";
import { after, type NodeId } from "../../../model/ids.ts";
import { soleAttempt } from "../../../model/sole-attempt.ts";
import type { Numbers, Why } from "../../../model/why.ts";
import { type ScoredCopy, worthOf } from "./candidates.ts";
import { type Hosts, nodesFrom } from "./hosts.ts";
import type { EsplashContext } from "./memory.ts";

/** The request for a copy, which waits until a node of its level has room. */
export const requestOf = (hosts: Hosts, copy: ScoredCopy, why: Why): Ask => ({
  kind: "request",
  task: copy.task,
  as: "speculative",
  where: { on: "only", nodes: nodesFrom(hosts, copy) },
  why,
});

export const numbersOf = ({ minLevel, expectedMs, timeLeftMs, valueMs }: ScoredCopy): Numbers => ({
  minLevel,
  expectedMs,
  timeLeftMs,
  valueMs,
});

/**
 * §IV-D, §V: reviews requests that have waited for some time. A request that would no longer save
 * time is withdrawn; a request whose copy should run elsewhere is replaced by one with the new
 * least level. A request that could be bound to a node that has become a straggler is replaced at
 * once.
 */
export function reviewQueue(
  ctx: EsplashContext,
  queue: readonly Request[],
  { hosts, stragglers }: { readonly hosts: Hosts; readonly stragglers: ReadonlySet<NodeId> },
): readonly Ask[] {
  const { params, view } = ctx;
  return queue.flatMap((request) => {
    const isPatient = view.now < after(request.madeAt, params.requestPatienceMs);
    if (isPatient && !admitsAny(request.where, stragglers)) return [];
    return review(ctx, hosts, request);
  });
}

function review(ctx: EsplashContext, hosts: Hosts, request: Request): readonly Ask[] {
  const { id, madeAt, task, where } = request;
  const waitedMs = ctx.view.now - madeAt;
  const withdraw = (rule: string, numbers: Numbers): Ask => ({
    kind: "withdraw",
    request: id,
    why: { rule, numbers: { waitedMs, ...numbers } },
  });
  const original = soleAttempt(ctx.view, task);
  // The original was killed and is about to begin again.
  if (original?.state === "assumed") return [];
  if (original?.state !== "running") return [withdraw("nothing-to-copy", {})];
  const verdict = worthOf(ctx, hosts, original);
  if (verdict.kind === "refused") {
    return [withdraw("no-longer-worth-it", { because: verdict.rule, ...verdict.numbers() })];
  }
  const { copy } = verdict;
  if (isOnly(where, nodesFrom(hosts, copy))) return [];
  const rule = "hosts-changed";
  return [withdraw(rule, {}), requestOf(hosts, copy, { rule, numbers: numbersOf(copy) })];
}

const admitsAny = (where: Where, nodes: ReadonlySet<NodeId>): boolean =>
  where.on === "only" && where.nodes.some((node) => nodes.has(node));

/** Whether these are the nodes. A request does not lose its place for another order of them. */
function isOnly(where: Where, nodes: readonly NodeId[]): boolean {
  if (where.on !== "only" || where.nodes.length !== nodes.length) return false;
  const known = new Set(where.nodes);
  return nodes.every((node) => known.has(node));
}
