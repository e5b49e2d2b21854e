import { defined, never } from "../../base/assert.ts";
import { draw } from "../../base/chance.ts";
import { ascending } from "../../base/order.ts";
import { type RandomState, randomState, split } from "../../base/random.ts";
import { AlikeTasks } from "../../model/alike-tasks.ts";
import { type Instant, type NodeId, slotKind, taskId } from "../../model/ids.ts";
import {
  type Job,
  MAP_STAGES,
  type Phase,
  REDUCE_STAGES,
  type Stage,
  type TaskList,
} from "../../model/job.ts";
import type { Ids } from "./ids.ts";
import { ORDINALS } from "./own-draws.ts";
import type { Profile } from "./profile.ts";
import { placeReplicas, type RackedNode } from "./replicas.ts";
import type { FixedWork, PhaseSpec, Scenario, ScenarioJob } from "./scenario.ts";
import { type PhaseWork, SimPhase } from "./state.ts";
import type { Arrival, SimJob, Workload } from "./workload.ts";

/** The jobs of a scenario, drawn from a seed: the same under every discipline. */
export class ScenarioWorkload implements Workload {
  readonly #arrivals: Arrival[] = [];
  #taken = 0;

  constructor(scenario: Scenario, seed: number, nodes: readonly RackedNode[]) {
    const kinds = scenario.cluster.slotKinds;
    for (const spec of scenario.jobs) {
      const stream = randomState(seed, `job/${spec.name}`);
      let atMs = spec.arrival.atMs;
      for (let i = 0; i < spec.count; i += 1) {
        const name = spec.count === 1 ? spec.name : `${spec.name}-${i}`;
        const maker = new JobMaker({ spec, name, kinds, nodes, stream: split(stream, i + 1) });
        this.#arrivals.push({ atMs, build: (ids, at) => maker.build(ids, at) });
        atMs += draw(stream, spec.arrival.gapMs);
      }
    }
    // The sort is stable: jobs that arrive together keep the order of the scenario.
    this.#arrivals.sort(ascending(({ atMs }) => atMs));
  }

  next(): Arrival | undefined {
    return this.#arrivals[this.#taken++];
  }
}

class JobMaker {
  readonly #spec: ScenarioJob;
  readonly #name: string;
  readonly #kinds: readonly string[];
  readonly #nodes: readonly RackedNode[];
  readonly #stream: RandomState;

  constructor(from: {
    readonly spec: ScenarioJob;
    readonly name: string;
    readonly kinds: readonly string[];
    readonly nodes: readonly RackedNode[];
    readonly stream: RandomState;
  }) {
    this.#spec = from.spec;
    this.#name = from.name;
    this.#kinds = from.kinds;
    this.#nodes = from.nodes;
    this.#stream = from.stream;
  }

  build(ids: Ids, at: Instant): SimJob {
    const { user, pool, priority, speculate, phases: specs } = this.#spec;
    const id = ids.job();
    const phases: SimPhase[] = [];
    for (const [i, spec] of specs.entries()) {
      phases.push(
        this.#phase({ spec, job: id, ids, earlier: phases, stream: split(this.#stream, i) }),
      );
    }
    const job: Job = {
      id,
      name: this.#name,
      user,
      pool,
      priority,
      submittedAt: at,
      ...(speculate ? {} : { speculate }),
      phases: phases.map(({ phase }) => phase),
    };
    return { job, phases };
  }

  #phase(from: {
    readonly spec: PhaseSpec;
    readonly job: Job["id"];
    readonly ids: Ids;
    readonly earlier: readonly SimPhase[];
    readonly stream: RandomState;
  }): SimPhase {
    const { spec, ids, earlier, stream } = from;
    const id = ids.phase();
    const byName = (name: string) =>
      defined(
        earlier.find(({ phase }) => phase.name === name),
        `phase ${name}`,
      );
    const stages = stagesOf(spec);
    const inputs = this.#inputs(spec, split(stream, 1));
    const first = ids.tasks(inputs.length);
    const isEven = inputs.every(({ bytes, replicas }) => bytes === 0 && replicas.length === 0);
    const tasks: TaskList = isEven
      ? new AlikeTasks(first, inputs.length, { phase: id, replicas: [], stages })
      : inputs.map(({ bytes, replicas }, index) => {
          const task = { id: taskId(first + index), phase: id, index, replicas, stages };
          return bytes === 0 ? task : { ...task, inputBytes: bytes };
        });
    const phase: Phase = {
      id,
      name: spec.name,
      job: from.job,
      slots: spec.slots.map((name) => slotKind(this.#kinds.indexOf(name))),
      after: spec.after.map(({ phase: name, start }) => ({ phase: byName(name).phase.id, start })),
      ...(spec.speculate ? {} : { speculate: false }),
      tasks,
    };
    return new SimPhase({
      phase,
      work: workOf(spec, split(stream, 2), inputs),
      upstream: spec.after.map(({ phase: name }) => byName(name)),
      failureProbability: spec.failureProbability,
      stream: split(stream, 3),
    });
  }

  #inputs({ work, tasks }: PhaseSpec, stream: RandomState): Input[] {
    const inputs: Input[] = [];
    for (let i = 0; i < tasks; i += 1) {
      if (work.kind === "reduce") inputs.push({ bytes: 0, replicas: [] });
      else {
        const bytes = Math.ceil(draw(stream, work.inputBytes));
        inputs.push({ bytes, replicas: placeReplicas(stream, this.#nodes, work.replicas) });
      }
    }
    return inputs;
  }
}

interface Input {
  readonly bytes: number;
  readonly replicas: readonly NodeId[];
}

function stagesOf({ work }: PhaseSpec): readonly Stage[] {
  switch (work.kind) {
    case "fixed":
      return work.stages.map(({ name, share }) => ({ name, share }));
    case "map":
      return MAP_STAGES;
    case "reduce":
      return REDUCE_STAGES;
    default:
      return never(work);
  }
}

function workOf(
  { work, tasks }: PhaseSpec,
  stream: RandomState,
  inputs: readonly Input[],
): PhaseWork {
  switch (work.kind) {
    case "fixed":
      return { kind: "fixed", profile: (attempt) => fixedProfile(work, stream, inputs, attempt) };
    case "map":
      return {
        kind: "map",
        spec: work,
        inputBytes: inputs.map(({ bytes }) => bytes),
      };
    case "reduce":
      return {
        kind: "reduce",
        spec: work,
        shares: partitionShares(stream, work.partitionWeight, tasks),
      };
    default:
      return never(work);
  }
}

function fixedProfile(
  work: FixedWork,
  stream: RandomState,
  inputs: readonly Input[],
  { index, ordinal }: { readonly index: number; readonly ordinal: number },
): Profile {
  const own = split(stream, index * ORDINALS + (work.drawnPerAttempt ? ordinal : 0));
  // The start-up time has a stream of its own, so that it does not change other draws.
  const startMs = draw(split(stream, -1 - index * ORDINALS - ordinal), work.startMs);
  const drawn = startMs === 0 ? [] : [{ stage: 0, ms: startMs, score: 0 }];
  let totalMs = startMs;
  for (const [stage, { share, steps: count, stepMs }] of work.stages.entries()) {
    for (let i = 0; i < count; i += 1) {
      const ms = draw(own, stepMs);
      drawn.push({ stage, ms, score: share / count });
      totalMs += ms;
    }
  }
  const steps = drawn.map(({ stage, ms, score }) => {
    return { stage, share: totalMs === 0 ? 0 : ms / totalMs, score };
  });
  const bytesRead = inputs[index]?.bytes ?? 0;
  return { totalMs, steps, startMs, bytesRead, slowedByNode: work.slowedByNode };
}

function partitionShares(
  stream: RandomState,
  weight: FixedWork["inputBytes"],
  tasks: number,
): number[] {
  const weights = Array.from({ length: tasks }, () => draw(stream, weight));
  const total = weights.reduce((sum, one) => sum + one, 0);
  return weights.map((one) => one / total);
}
