import { createScheduler, type Scheduler, type WantedFacts } from "../../core/index.ts";
import { SETUP_DEFAULTS, type Setup } from "../../core/state/setup.ts";
import { JOB_FACTS, JobFold } from "../../history/job-fold.ts";
import { runMeasures } from "../../measures/run-measures.ts";
import { CAPABILITIES } from "../../model/cluster.ts";
import type { Fault } from "../../model/fault.ts";
import { makeNodes, makeRacks, type NodeOptions } from "./cluster.ts";
import { SimFaults } from "./faults.ts";
import type { FlowOwner } from "./flow-owner.ts";
import { Fluid } from "./fluid/fluid.ts";
import { fluidRun } from "./fluid-run.ts";
import { storeOutput } from "./outputs.ts";
import { resultOf, type SimulationResult } from "./result.ts";
import type { ClusterSpec, Scenario } from "./scenario.ts";
import { ScenarioWorkload } from "./scenario-workload.ts";
import { Simulation } from "./simulation.ts";
import type { SimNode } from "./state.ts";
import type { Workload } from "./workload.ts";
import { type MakeFlowingRun, type OnFact, type OnStep, World } from "./world.ts";

export interface SimulationOptions {
  readonly seed: number;
  readonly discipline: Setup["discipline"];
  /** Whether refusals are among the actions. */
  readonly explain?: boolean;
  /** Whether the core checks each event; off by default, since the simulator's types ensure it. */
  readonly checks?: boolean;
  /** Called before the first step with the scheduler, whose set-up begins a journal. */
  readonly onStart?: (scheduler: Scheduler) => void;
  /** Called after each step, for the journal's next line. */
  readonly onStep?: OnStep;
  /** Called with each fact, before the actions of its step are carried out. */
  readonly onFact?: OnFact;
  /** Whether `onFact` needs none but the facts that make up jobs. Default: all facts. */
  readonly jobFacts?: boolean;
  /** Called now and then with the share of the tasks that are done, from 0 to 1. */
  readonly onShare?: (done: number) => void;
}

export interface ScenarioOptions extends SimulationOptions {
  /** Whether the result has the measures; 150 bytes an attempt. */
  readonly measures?: boolean;
}

/** The facts that make up the result and its measures, and that place outputs. */
const WANTED: WantedFacts = new Set(JOB_FACTS);

/** Runs a scenario once: the same seed and discipline give the same run, to the last event. */
export function simulateOnce(
  scenario: Scenario,
  { measures = false, ...options }: ScenarioOptions,
): SimulationResult {
  const workload = (nodes: readonly SimNode[]) =>
    new ScenarioWorkload(
      scenario,
      options.seed,
      nodes.map(({ node }) => node),
    );
  const { cluster, faults } = scenario;
  const tasks = scenario.jobs
    .map(({ count, phases }) => count * phases.reduce((sum, { tasks }) => sum + tasks, 0))
    .reduce((sum, tasks) => sum + tasks, 0);
  const { slotKinds, racks } = cluster;
  const fold = measures ? new JobFold({ slotKinds, racks, settings: { values: {} } }) : undefined;
  const what = { cluster, workload, faults, tasks, makeRun: fluidRun };
  const result = simulateWorkload({ ...what, ...(fold !== undefined && { fold }) }, options);
  return fold === undefined ? result : { ...result, measured: runMeasures(fold.take()) };
}

/** Runs a workload that no scenario can describe. */
export function simulateWorkload(
  what: {
    readonly cluster: ClusterSpec;
    readonly workload: (nodes: readonly SimNode[]) => Workload;
    readonly faults: readonly Fault[];
    /** The tasks of all jobs; without them there are no calls of `onShare`. */
    readonly tasks?: number;
    /** Absent where all work is fixed. */
    readonly makeRun?: MakeFlowingRun;
    /** Receives the run's facts, and the time before each step. */
    readonly fold?: JobFold;
  } & NodeOptions,
  options: SimulationOptions,
): SimulationResult {
  const { cluster, lives, nodeOrder, fold } = what;
  const { seed, discipline, explain = false, checks = false, jobFacts = false } = options;
  const scheduler = createScheduler(
    {
      ...SETUP_DEFAULTS,
      seed,
      slotKinds: cluster.slotKinds,
      racks: cluster.racks,
      discipline,
      capabilities: CAPABILITIES,
      statisticsEvery: cluster.statisticsEveryMs,
      askAgainMs: cluster.askAgainMs,
      attemptsMax: cluster.attemptsMax,
    },
    { explain, checks, facts: (options.onFact !== undefined && !jobFacts) || WANTED },
  );
  options.onStart?.(scheduler);
  const fluid = new Fluid<FlowOwner>({
    onRate: (owner) => owner.rateChanged(),
    shareEveryMs: cluster.shareEveryMs,
  });
  const racks = makeRacks(cluster, fluid);
  const nodes = makeNodes(cluster, seed, { fluid, racks, lives, nodeOrder });
  const world: World = new World({
    timing: cluster,
    scheduler,
    fluid,
    makeRun: what.makeRun,
    nodes,
    racks,
    act: (action) => simulation.act(action),
    onStep: (event, actions) => {
      fold?.attempts.until(event.at);
      options.onStep?.(event, actions);
    },
    onFact: (fact) => {
      options.onFact?.(fact);
      fold?.apply(fact);
      if (fact.kind === "output-made") storeOutput(world, fact);
    },
  });
  const faults = new SimFaults(world, what.faults, { seed, racks: cluster.racks });
  const simulation: Simulation = new Simulation(world, what.workload(nodes), faults);
  const unfinished = simulation.run(lookAt(world, what.tasks, options.onShare));
  return resultOf(world, { unfinished, faultsMissed: faults.missed });
}

/** Tasks that run again succeed again, so the share is an estimate. */
function lookAt(
  { tally }: World,
  tasks: number | undefined,
  onShare: SimulationOptions["onShare"],
): (() => void) | undefined {
  if (tasks === undefined || onShare === undefined) return undefined;
  return () => onShare(Math.min(1, tally.successes / tasks));
}
