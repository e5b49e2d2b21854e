import { AssertionError, never } from "../base/assert.ts";
import { type Flow, isFlow } from "./flow.ts";
import type { Job } from "./job.ts";
import { isAsyncMap } from "./map-async.ts";
import { isOperator } from "./operator.ts";
import type { Combiner, Group, PhaseProgram, Program } from "./program.ts";
import type { Step } from "./step.ts";

/** The program of a job or flow; equal in each thread. */
export function programOf(what: Job | Flow): Program {
  return isFlow(what) ? what.program : programOfJob(what);
}

function programOfJob(job: Job): Program {
  const { name, counters, params, speculate, output } = job;
  const phases = job.reducer.kind === "none" ? [onlyMap(job)] : mapAndReduce(job);
  return {
    name,
    counters,
    params,
    speculate,
    phases,
    datasets: 0,
    outputs: [{ name: "output", output }],
    sections: [{ kind: "job", phases: phases.map((_, index) => index) }],
  };
}

const COMMON = { broadcasts: [], pipeline: true } as const;

function onlyMap(job: Job): PhaseProgram {
  return {
    ...COMMON,
    name: "map",
    reads: { kind: "input", name: "input", input: job.input },
    steps: mapSteps(job),
    writes: { kind: "output", output: 0 },
  };
}

function mapAndReduce(job: Job): readonly PhaseProgram[] {
  const { partition } = job;
  return [
    {
      ...onlyMap(job),
      steps: mapSteps(job),
      writes: {
        kind: "shuffle",
        combine: combinerOf(job),
        partition:
          partition === undefined
            ? { kind: "hash" }
            : { kind: "own", partition: (key, partitions) => partition(key, partitions) },
      },
    },
    {
      ...COMMON,
      name: "reduce",
      reads: { kind: "shuffle", sides: [[0]], group: groupOf(job), partitions: job.reduces },
      steps: [],
      writes: { kind: "output", output: 0 },
    },
  ];
}

/** An operator's records are the keys of a reduce, each with the value 1. */
function mapSteps(job: Job): readonly Step[] {
  const { map, reducer } = job;
  if (isAsyncMap(map)) return [map.step];
  if (!isOperator(map)) {
    return [{ kind: "flat-map", by: "map", pairs: true, flatMap: map }];
  }
  if (reducer.kind === "none") return map.steps;
  const one: Step = {
    kind: "pair",
    key: { kind: "record" },
    value: { kind: "constant", value: 1 },
  };
  return [...map.steps, one];
}

function combinerOf({ reducer }: Job): Combiner {
  if (reducer.kind === "fold") {
    return { kind: "fold", fold: reducer.fold, combines: reducer.combines };
  }
  if (reducer.kind === "none" || reducer.combine === undefined) return { kind: "none" };
  return { kind: "function", combine: reducer.combine.bind(reducer) };
}

function groupOf({ reducer }: Job): Group {
  switch (reducer.kind) {
    case "fold":
      return { kind: "fold", fold: reducer.fold, total: false };
    case "function":
      return { kind: "reduce", reduce: reducer.reduce.bind(reducer) };
    case "none":
      throw new AssertionError("a job that only maps has no groups");
    default:
      return never(reducer);
  }
}
