import { type ParamsOf, params } from "../../params.ts";
import { levelsFault } from "./configured-levels.ts";

export const PARAMS = params({
  /** §IV-A: levels may be configured. If empty, levels are found from performance. */
  levels: {
    default: "",
    fault: levelsFault,
    about: 'levels by node name, "slow-*:1, fast-*:2", 1 the slowest; empty: found by performance',
  },
  /** §VI has 4. */
  k: { default: 4, min: 1, max: 100, whole: true, about: "most levels to find (4)" },
  /** The paper uses one random start and keeps its result. */
  starts: {
    default: 16,
    min: 1,
    max: 1_000,
    whole: true,
    about: "random starts of the clustering (1)",
  },
  /**
   * §IV-A speaks of the time when every node has finished tasks; how many nodes suffice is left
   * open.
   */
  coverage: {
    default: 0.75,
    max: 1,
    about: "fraction of the nodes that must have finished a type of task for it to count",
  },
  /** Left open. */
  scaled: {
    default: true,
    about: "whether each type's times are divided by their mean before distances are taken",
  },
  /** Left open. */
  clusterEveryMs: { default: 60_000, about: "time from one clustering to the next" },
  /** Left open. */
  newNodesAreLowest: {
    default: true,
    about: "whether a node without a level counts as one of level 1, or is left alone",
  },
  /** "The past epoch" (§IV-B). Left open. */
  epochMs: { default: 15_000, min: 1, about: "time over which progress is compared" },
  /** τ (§IV-B). Left open. */
  tau: { default: 3, about: "straggler value above which a node is a straggler" },
  /** §IV-B: 1, may be changed. */
  timeCoefficient: {
    default: 1,
    about: "weight of estimated times in the straggler value (1)",
  },
  /** §IV-B: 1, may be changed. */
  rateCoefficient: { default: 1, about: "weight of progress rates in the straggler value (1)" },
  /** §IV-B has the sum, which grows with the node's containers. */
  averaged: {
    default: true,
    about: "whether a straggler value is the mean over a node's tasks (false: their sum)",
  },
  /**
   * §IV: "compared to other nodes in the same group". If false, with all nodes of the group, the
   * node itself included.
   */
  othersOnly: {
    default: true,
    about: "whether progress is compared only with the level's other nodes",
  },
  /** As printed in §IV-B. */
  accumulates: {
    default: false,
    about: "whether straggler values add up from epoch to epoch (true)",
  },
  /** §IV-B speaks of running tasks alone. */
  judgesFinished: {
    default: true,
    about: "whether a node without a task through the epoch is judged by its finished tasks",
  },
  /**
   * The paper leaves this open: the deviation of few or of equal times would be 0. With 1 the
   * deviation hardly ever counts, since times deviate from their mean by less than the mean itself.
   */
  deviationMin: {
    default: 0.3,
    min: 0.001,
    max: 100,
    about: "least standard deviation, as a fraction of the mean",
  },
  /** §IV-D: "a certain time". */
  requestPatienceMs: {
    default: 15_000,
    about: "time after which a waiting request is looked at again",
  },
  /** §V: "assigns the most appropriate container to each pending speculative task". */
  bestContainer: {
    default: true,
    about: "whether a copy takes, of the free containers, one where its type is fastest (true)",
  },
  /** YARN 2.7.1 makes no copies then. */
  whileTasksWait: {
    default: false,
    about: "whether a type is looked at while attempts of it wait for a container",
  },
  /** YARN 2.7.1: 1 s. */
  retryAfterNoCopyMs: {
    default: 1_000,
    min: 1,
    about: "time to a job's next look after one without a request (1,000 ms)",
  },
  /** YARN 2.7.1: 15 s. */
  retryAfterCopyMs: {
    default: 15_000,
    min: 1,
    about: "time to a job's next look after a request (15,000 ms)",
  },
});

export type EsplashParams = ParamsOf<typeof PARAMS>;
