import type { Chance } from "../../base/chance.ts";
import {
  atLeast0,
  flag,
  isObject,
  kind,
  list,
  number,
  object,
  optional,
  positive,
  required,
  type Shape,
  standard,
  text,
  variants,
  whole,
} from "../../base/shape.ts";
import { chance, positiveChance } from "../../model/chance-shape.ts";
import type { FetchSpec, FixedWork, MapWork, ReduceWork, StageWork, WorkSpec } from "./scenario.ts";

const stage = object<StageWork>("a stage", {
  name: required(text),
  share: required(number({ min: 0, max: 1 })),
  steps: standard(whole({ min: 1, max: 10_000 }), 1),
  stepMs: required(chance),
});

const EVERY_FIXED = {
  kind: kind("fixed"),
  drawnPerAttempt: standard(flag, false),
  slowedByNode: standard(flag, true),
  startMs: standard(chance, 0),
  inputBytes: standard(chance, 0),
  replicas: standard(whole({ min: 0 }), 0),
};

const staged = object<FixedWork>("work of fixed time in stages", {
  ...EVERY_FIXED,
  stages: required(list(stage, { min: 1 })),
});

type Lasting = Omit<FixedWork, "stages"> & { readonly durationMs: Chance };

const lasting = object<Lasting>("work of fixed time", {
  ...EVERY_FIXED,
  durationMs: required(chance),
});

/** Fixed work may be written as one duration instead of its stages. */
const fixed: Shape<FixedWork> = {
  expected: lasting.expected,
  read(json, place) {
    if (isObject(json) && "stages" in json) return staged.read(json, place);
    const { durationMs, ...rest } = lasting.read(json, place);
    return { ...rest, stages: [{ name: "run", share: 1, steps: 1, stepMs: durationMs }] };
  },
  schema: (of) => ({ oneOf: [of(lasting), of(staged)] }),
};

const map = object<MapWork>("work of a map", {
  kind: kind("map"),
  inputBytes: required(positiveChance),
  replicas: standard(whole({ min: 1 }), 3),
  cpuBytesPerMs: standard(positive, Number.POSITIVE_INFINITY),
  threads: standard(positive, 1),
  outputPerInput: standard(atLeast0, 1),
  startMs: standard(atLeast0, 0),
  readsAhead: standard(flag, false),
  sortPasses: standard(atLeast0, 0),
  sortScore: optional(number({ min: 0, max: 1 })),
});

/** Hadoop 1.2.1's dfs.block.size. */
const BLOCK_BYTES = 67_108_864;

/**
 * Hadoop 1.2.1, ReduceTask.ReduceCopier: 10 s, growing by a factor of 1.3; each tenth failure is
 * reported.
 */
const FETCH: FetchSpec = {
  retryMs: 10_000,
  retryGrowth: 1.3,
  reportEveryFailures: 10,
  idleMs: 0,
};

const fetch = object<FetchSpec>("how outputs are fetched", {
  retryMs: standard(positive, FETCH.retryMs),
  retryGrowth: standard(number({ min: 1 }), FETCH.retryGrowth),
  reportEveryFailures: standard(whole({ min: 1 }), FETCH.reportEveryFailures),
  idleMs: standard(atLeast0, FETCH.idleMs),
});

const reduce = object<ReduceWork>("work of a reduce", {
  kind: kind("reduce"),
  lanes: standard(whole({ min: 1 }), 5),
  partitionWeight: standard(positiveChance, 1),
  copiesToDisk: standard(flag, false),
  sortPasses: standard(atLeast0, 1),
  cpuBytesPerMs: standard(positive, Number.POSITIVE_INFINITY),
  threads: standard(positive, 1),
  outputPerInput: standard(atLeast0, 1),
  outputReplicas: standard(whole({ min: 1 }), 1),
  outputBlockBytes: standard(positive, BLOCK_BYTES),
  startMs: standard(atLeast0, 0),
  commitMs: standard(atLeast0, 0),
  fetch: standard(fetch, FETCH),
});

export const work: Shape<WorkSpec> = variants<WorkSpec>("what a task does", { fixed, map, reduce });
