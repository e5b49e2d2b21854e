import { type ParamsOf, params } from "../../params.ts";

export const LATE_PARAMS = params({
  /** §4: 0.1; §5.4.1 finds 0.2 better where 15 % of the nodes are slow. */
  speculativeCap: {
    default: 0.1,
    max: 1,
    about: "most speculative attempts, as a fraction of the slots of the kind (0.1)",
  },
  /** §4: 25. */
  slowNodeThreshold: {
    default: 25,
    max: 100,
    about: "percentile of node progress below which a node gets no copy (25)",
  },
  /** §4: 25, over the rates of the phase. */
  slowTaskThreshold: {
    default: 25,
    max: 100,
    about: "percentile of progress rates below which a task may be copied (25)",
  },
  /** Milliseconds. §4: one minute. */
  runtimeMsMin: { default: 60_000, about: "time that an attempt must have run (60,000 ms)" },
  /** §4, "another option": 1. */
  copiesMax: {
    default: 1,
    min: 1,
    whole: true,
    about: "most copies of a task at once (1)",
  },
  /** §4, "a potential extension": 0, which ignores locality. */
  nearerWithin: {
    default: 0,
    max: 1,
    about: "fraction of the longest time left below it within which the nearest task is copied (0)",
  },
});

export type LateParams = ParamsOf<typeof LATE_PARAMS>;
