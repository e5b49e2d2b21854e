import type { Ask } from "../../model/action.ts";
import { after, type Instant, instant } from "../../model/ids.ts";
import type { Job } from "../../model/job.ts";
import type { Numbers } from "../../model/why.ts";
import { withDefaults } from "../params.ts";
import type { SpeculationPolicy } from "../policy.ts";
import { refuse } from "../refuse.ts";
import { findCandidates, type ScoredCandidates } from "./esplash/candidates.ts";
import { configuredLevel } from "./esplash/configured-levels.ts";
import { endEpoch } from "./esplash/epoch.ts";
import { findHosts, type Hosts } from "./esplash/hosts.ts";
import {
  addNode,
  addTime,
  type EsplashContext,
  type EsplashMemory,
  forgetJob,
  leaveNode,
  makeRoom,
  remember,
} from "./esplash/memory.ts";
import { type EsplashParams, PARAMS } from "./esplash/params.ts";
import { numbersOf, requestOf, reviewQueue } from "./esplash/queue.ts";

/** Copies tasks that run on straggler nodes, onto nodes of a level that is fast enough. */
export const esplash: SpeculationPolicy<EsplashParams, EsplashMemory> = {
  name: "esplash",
  source:
    "Wang, Wang, Yang, Mi, Sheng: eSplash: Efficient Speculation in Large Scale Heterogeneous " +
    "Computing Systems, IPCCC 2016, §IV",
  params: PARAMS,
  needs: ["requests", "placement"],
  remember,

  hears: {
    "node-joined": ({ memory, params }, { node: { id, name } }) =>
      addNode(memory, id, configuredLevel(params.levels, name)),
    "node-lost": ({ memory }, { node }) => leaveNode(memory, node),
    "job-submitted": ({ memory }, { job }) => makeRoom(memory, job),
    "job-ended": ({ memory, view }, { job }) => forgetJob(memory, view.job(job)),
    // §IV-A, B: a finished task enters the vector of its node and the table of its level.
    "attempt-succeeded"({ memory, view }, { at, attempt }) {
      const { startedAt, state, task, node } = view.attempt(attempt);
      if (state !== "succeeded" || startedAt === undefined) return;
      const { phase: type } = view.task(task);
      addTime(memory, { type, node, ms: at - startedAt });
    },
  },

  scan(ctx) {
    const { memory, params, view } = ctx;
    const { epochFrom } = memory;
    let epochAsks: readonly Ask[] = [];
    if (epochFrom === undefined) memory.epochFrom = view.now;
    else if (view.now >= after(epochFrom, params.epochMs)) {
      epochAsks = endEpoch(ctx, epochFrom);
      memory.epochFrom = view.now;
    }
    return [...epochAsks, ...look(ctx), { kind: "wake", at: nextLook(ctx) }];
  },
};

/** For sums: a healthy node with 32 containers (§VI) adds 32 in each epoch, and passes any tau. */
const PRINTED_TAU = 100;

/**
 * §IV to the letter: plain distances, accumulating sums, σ uncorrected, running tasks alone. YARN's
 * gate on waiting tasks stays, and so does the rule that a task must have run for an epoch.
 */
export const esplashPrinted: SpeculationPolicy<EsplashParams, EsplashMemory> = {
  ...esplash,
  name: "esplash-printed",
  source: `${esplash.source}, to the letter`,
  params: withDefaults(PARAMS, {
    starts: 1,
    scaled: false,
    tau: PRINTED_TAU,
    averaged: false,
    othersOnly: false,
    accumulates: true,
    judgesFinished: false,
    deviationMin: 0.001,
  }),
};

/** Reviews waiting requests, then looks at the jobs that are due. */
function look(ctx: EsplashContext): readonly Ask[] {
  const { memory, params, view } = ctx;
  const { stragglers } = memory;
  const looking = [...view.jobs()].filter(({ id }) => !isPaused(ctx, id));
  const willing = looking.filter(({ speculate }) => speculate !== false);
  const asks: Ask[] = [];
  if (willing.length < looking.length) asks.push(...refuse(ctx, "job-forbids-copies", () => ({})));
  const queue = [...view.requests()];
  if (stragglers.size === 0 && willing.length > 0) asks.push(...refuseAll(ctx));
  if (stragglers.size === 0 && queue.length === 0) return asks;
  const hosts = findHosts(view, memory, params, stragglers);
  asks.push(...reviewQueue(ctx, queue, { hosts, stragglers }));
  const candidates = findCandidates(ctx, hosts, stragglers);
  for (const job of stragglers.size === 0 ? [] : willing) {
    asks.push(...speculate(ctx, hosts, { job, ...candidates.get(job.id) }));
  }
  return asks;
}

const isPaused = ({ memory, view }: EsplashContext, job: Job["id"]): boolean =>
  (memory.pausedUntil.get(job) ?? 0) > view.now;

function refuseAll(ctx: EsplashContext): readonly Ask[] {
  const { hasLevels, nodes } = ctx.memory;
  if (!hasLevels) return refuse(ctx, "no-levels", () => ({}));
  return refuse(ctx, "no-straggler-node", () => ({
    highest: Math.max(0, ...[...nodes.values()].map(({ stragglerValue }) => stragglerValue)),
    tau: ctx.params.tau,
  }));
}

/** §IV-C: copies the job's candidate with the highest value; one request at a time. */
function speculate(
  ctx: EsplashContext,
  hosts: Hosts,
  { job, best, refused }: { readonly job: Job } & Partial<ScoredCandidates>,
): readonly Ask[] {
  const { memory, params, view } = ctx;
  const named = (numbers: Numbers): Numbers => ({ job: job.name, ...numbers });
  if (best === undefined) {
    if (refused === undefined) return refuse(ctx, "not-on-stragglers", () => named({}));
    const { rule, numbers } = refused.verdict;
    return refuse(ctx, rule, () => named(numbers()), refused.task);
  }
  memory.pausedUntil.set(job.id, after(view.now, params.retryAfterCopyMs));
  return [requestOf(hosts, best, { rule: "straggler-node", numbers: numbersOf(best) })];
}

/** The end of the epoch, or the time when a job looks again, if that is sooner. */
function nextLook({ memory, params, view }: EsplashContext): Instant {
  let at: number = after(memory.epochFrom ?? view.now, params.epochMs);
  for (const { id } of view.jobs()) {
    const paused = memory.pausedUntil.get(id) ?? 0;
    at = Math.min(at, paused > view.now ? paused : view.now + params.retryAfterNoCopyMs);
  }
  return instant(at);
}
