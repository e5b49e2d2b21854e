import type { Ask } from "../../model/action.ts";
import { type Instant, instant } from "../../model/ids.ts";
import type { Job } from "../../model/job.ts";
import type { Numbers } from "../../model/why.ts";
import type { SpeculationPolicy } from "../policy.ts";
import { refuse } from "../refuse.ts";
import { type Candidates, type EsplashContext, findCandidates } from "./esplash/candidates.ts";
import { configuredLevel, levelsFault } from "./esplash/configured-levels.ts";
import { endEpoch } from "./esplash/epoch.ts";
import { findHosts, type Hosts } from "./esplash/hosts.ts";
import {
  addNode,
  addTime,
  type EsplashMemory,
  forgetJob,
  leaveNode,
  makeRoom,
  remember,
} from "./esplash/memory.ts";
import { numbersOf, requestOf, reviewQueue } from "./esplash/queue.ts";

export interface EsplashParams {
  /**
   * Levels that the administrator gives (§IV-A): "slow-*:1, fast-*:2", 1 the slowest. Empty: they
   * are found by performance.
   */
  readonly levels: string;
  /** k, the most levels to find. §VI has 4. */
  readonly k: number;
  /** Random starts of Algorithm 2; the paper has one, and leaves open what it may end in. */
  readonly starts: number;
  /**
   * A type of task is a dimension of the performance vectors once this fraction of the nodes has
   * finished one. Left open by §IV-A, which says what is done when every node has.
   */
  readonly coverage: number;
  /** Whether each dimension is divided by its mean before distances are taken. Left open. */
  readonly scaled: boolean;
  /** Milliseconds from one clustering to the next. Left open. */
  readonly clusterEveryMs: number;
  /** Whether a node without a level counts as one of level 1, or is left alone. Left open. */
  readonly newNodesAreLowest: boolean;
  /** Milliseconds over which progress is compared: "the past epoch" (§IV-B). Left open. */
  readonly epochMs: number;
  /** τ: a node above this straggler value is a straggler node (§IV-B). Left open. */
  readonly tau: number;
  /** Weight of the term of estimated times in the straggler value. §IV-B: 1, may be changed. */
  readonly timeCoefficient: number;
  /** Weight of the term of progress rates. §IV-B: 1, may be changed. */
  readonly rateCoefficient: number;
  /**
   * Whether a straggler value is the mean over a node's running tasks. §IV-B has the sum, which
   * grows with the node's containers.
   */
  readonly averaged: boolean;
  /**
   * Whether the progress of a node's tasks is compared with that on the other nodes of its level
   * (§IV: "compared to other nodes in the same group"), or with that of all, itself among them.
   */
  readonly othersOnly: boolean;
  /** Whether straggler values add up from epoch to epoch, as printed in §IV-B. */
  readonly accumulates: boolean;
  /**
   * Least standard deviation, as a fraction of the mean. Left open: that of few or of equal times
   * would be 0, and times change with the load far more than those of one wave tell.
   */
  readonly deviationMin: number;
  /** Milliseconds after which a request that waits is looked at again. §IV-D: "a certain time". */
  readonly requestPatienceMs: number;
  /** Whether a type is looked at while attempts of it wait for a container. YARN 2.7.1 does not. */
  readonly whileTasksWait: boolean;
  /** Milliseconds to a job's next look after one that asked for nothing. YARN 2.7.1: 1 s. */
  readonly retryAfterNoCopyMs: number;
  /** Milliseconds to a job's next look after a request. YARN 2.7.1: 15 s. */
  readonly retryAfterCopyMs: number;
}

/** Copies of what runs on straggler nodes, on nodes of a level that is fast enough. */
export const esplash: SpeculationPolicy<EsplashParams, EsplashMemory> = {
  name: "esplash",
  source:
    "Wang, Wang, Yang, Mi, Sheng: eSplash: Efficient Speculation in Large Scale Heterogeneous " +
    "Computing Systems, IPCCC 2016, §IV",
  defaults: {
    levels: "",
    k: 4,
    starts: 16,
    coverage: 0.75,
    scaled: true,
    clusterEveryMs: 60_000,
    newNodesAreLowest: true,
    epochMs: 15_000,
    tau: 2.5,
    timeCoefficient: 1,
    rateCoefficient: 1,
    averaged: true,
    othersOnly: false,
    accumulates: false,
    deviationMin: 1,
    requestPatienceMs: 15_000,
    whileTasksWait: false,
    retryAfterNoCopyMs: 1_000,
    retryAfterCopyMs: 15_000,
  },
  about: {
    levels: 'levels by node name, "slow-*:1, fast-*:2", 1 the slowest; empty: found by performance',
    k: "most levels to find (4)",
    starts: "random starts of the clustering (1)",
    coverage: "fraction of the nodes that must have finished a type of task to be told apart by it",
    scaled: "whether each type's times are divided by their mean before distances are taken",
    clusterEveryMs: "time from one clustering to the next",
    newNodesAreLowest: "whether a node without a level counts as one of level 1, or is left alone",
    epochMs: "time over which progress is compared",
    tau: "straggler value above which a node is a straggler",
    timeCoefficient: "weight of estimated times in the straggler value (1)",
    rateCoefficient: "weight of progress rates in the straggler value (1)",
    averaged: "whether a straggler value is the mean over a node's tasks (false: their sum)",
    othersOnly: "whether progress is compared with the other nodes of the level alone",
    accumulates: "whether straggler values add up from epoch to epoch (true)",
    deviationMin: "least standard deviation, as a fraction of the mean",
    requestPatienceMs: "time after which a waiting request is looked at again",
    whileTasksWait: "whether a type is looked at while attempts of it wait for a container",
    retryAfterNoCopyMs: "time to a job's next look after one that asked for nothing (1,000 ms)",
    retryAfterCopyMs: "time to a job's next look after a request (15,000 ms)",
  },
  bounds: {
    k: [1, 100],
    starts: [1, 1_000],
    coverage: [0, 1],
    epochMs: [1, Number.POSITIVE_INFINITY],
    deviationMin: [0.001, 100],
    retryAfterNoCopyMs: [1, Number.POSITIVE_INFINITY],
    retryAfterCopyMs: [1, Number.POSITIVE_INFINITY],
  },
  whole: ["k", "starts"],
  faults: { levels: levelsFault },
  needs: ["requests", "placement"],
  remember,

  learn({ memory, params, view }, what) {
    switch (what.kind) {
      case "node-joined": {
        const { id, name } = what.node;
        addNode(memory, id, configuredLevel(params.levels, name));
        break;
      }
      case "node-lost":
        leaveNode(memory, what.node);
        break;
      case "job-submitted":
        makeRoom(memory, what.job);
        break;
      case "job-ended":
        forgetJob(memory, view.job(what.job));
        break;
      // §IV-A, B: a finished task enters the vector of its node and the table of its level.
      case "attempt-succeeded": {
        const { startedAt, state, task, node } = view.attempt(what.attempt);
        if (state !== "succeeded" || startedAt === undefined) break;
        const { phase: type } = view.task(task);
        addTime(memory, { type, node, ms: what.at - startedAt });
        break;
      }
      default:
    }
  },

  scan(ctx) {
    const { memory, params, view } = ctx;
    const { epochFrom } = memory;
    if (epochFrom === undefined) memory.epochFrom = view.now;
    else if (view.now - epochFrom >= params.epochMs) {
      endEpoch(ctx, epochFrom);
      memory.epochFrom = view.now;
    }
    return [...look(ctx), { kind: "wake", at: nextLook(ctx) }];
  },
};

/** What is printed in §IV-B to the letter: sums that add up, and σ as it comes. */
export const esplashPrinted: SpeculationPolicy<EsplashParams, EsplashMemory> = {
  ...esplash,
  name: "esplash-printed",
  source: `${esplash.source}, to the letter`,
  defaults: {
    ...esplash.defaults,
    starts: 1,
    averaged: false,
    othersOnly: false,
    accumulates: true,
    deviationMin: 0.001,
  },
};

/** Requests that wait, then the jobs whose turn it is to look. */
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

/** §IV-C: of a job's candidates the one with the highest value; one request at a time. */
function speculate(
  ctx: EsplashContext,
  hosts: Hosts,
  { job, best, refused }: { readonly job: Job } & Partial<Candidates>,
): readonly Ask[] {
  const { memory, params, view } = ctx;
  const named = (numbers: Numbers): Numbers => ({ job: job.name, ...numbers });
  if (best === undefined) {
    if (refused === undefined) return refuse(ctx, "not-on-stragglers", () => named({}));
    const { rule, numbers } = refused.verdict;
    return refuse(ctx, rule, () => named(numbers()), refused.task);
  }
  memory.pausedUntil.set(job.id, instant(view.now + params.retryAfterCopyMs));
  return [requestOf(hosts, best, { rule: "straggler-node", numbers: numbersOf(best) })];
}

/** When the epoch ends, or a job looks again. */
function nextLook({ memory, params, view }: EsplashContext): Instant {
  let at = (memory.epochFrom ?? view.now) + params.epochMs;
  for (const { id } of view.jobs()) {
    const paused = memory.pausedUntil.get(id) ?? 0;
    at = Math.min(at, paused > view.now ? paused : view.now + params.retryAfterNoCopyMs);
  }
  return instant(at);
}
