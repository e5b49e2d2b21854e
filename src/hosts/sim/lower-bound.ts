import { defined } from "../../base/assert.ts";
import { mean } from "../../base/stats.ts";
import type { Fault } from "../../model/fault.ts";
import { instant, type PhaseId } from "../../model/ids.ts";
import { makeNodes, makeRacks } from "./cluster.ts";
import type { FlowOwner } from "./flow-owner.ts";
import { Fluid } from "./fluid/fluid.ts";
import { Ids } from "./ids.ts";
import { makespanLowerBound, type OracleSlot } from "./oracles.ts";
import type { PhaseSpec, Scenario } from "./scenario.ts";
import { ScenarioWorkload } from "./scenario-workload.ts";
import type { SimNode, SimPhase } from "./state.ts";
import type { SimJob } from "./workload.ts";

/**
 * A lower bound, in ms, of the mean response time of a run's jobs under any schedule: each job has
 * the whole cluster to itself. Undefined where the least time of an attempt is unknown before the
 * run: where tasks share disks and links, where each attempt draws its time or may fail, where a
 * fault may make a node faster. COST: O(tasks), all of them in memory at once.
 */
export function responseLowerBoundMs(scenario: Scenario, seed: number): number | undefined {
  const { cluster, faults, jobs } = scenario;
  if (!jobs.every(({ phases }) => phases.every(isKnown)) || faults.some(mayQuicken)) {
    return undefined;
  }
  const fluid = new Fluid<FlowOwner>({ onRate: (owner) => owner.rateChanged() });
  const nodes = makeNodes(cluster, seed, { fluid, racks: makeRacks(cluster, fluid) });
  const workload = new ScenarioWorkload(
    scenario,
    seed,
    nodes.map(({ node }) => node),
  );
  const ids = new Ids();
  const bounds: number[] = [];
  for (let next = workload.next(); next !== undefined; next = workload.next()) {
    bounds.push(jobLowerBoundMs(next.build(ids, instant(next.atMs)), nodes));
  }
  return bounds.length === 0 ? undefined : mean(bounds);
}

const isKnown = ({ failureProbability, work }: PhaseSpec): boolean =>
  work.kind === "fixed" && !work.drawnPerAttempt && failureProbability === 0;

const mayQuicken = (fault: Fault): boolean =>
  (fault.kind === "slow" || fault.kind === "stress") &&
  !(typeof fault.factor === "number" && fault.factor >= 1);

/**
 * A phase cannot begin before the phases that it waits for have ended, nor before a phase that it
 * overlaps has begun.
 */
function jobLowerBoundMs({ phases }: SimJob, nodes: readonly SimNode[]): number {
  const spans = new Map<PhaseId, { readonly from: number; readonly to: number }>();
  let endMs = 0;
  for (const one of phases) {
    let from = 0;
    for (const { phase, start } of one.phase.after) {
      const before = defined(spans.get(phase), "an earlier phase");
      from = Math.max(from, start.when === "done" ? before.to : before.from);
    }
    const to = from + phaseLowerBoundMs(one, nodes);
    spans.set(one.phase.id, { from, to });
    endMs = Math.max(endMs, to);
  }
  return endMs;
}

function phaseLowerBoundMs({ phase, work }: SimPhase, nodes: readonly SimNode[]): number {
  if (work.kind !== "fixed" || phase.tasks.length === 0) return 0;
  const profiles = Array.from(phase.tasks, ({ index }) =>
    work.profile({ index, ordinal: 0, as: "original", copies: 0 }),
  );
  const isSlowed = profiles.every(({ slowedByNode }) => slowedByNode);
  const slots = nodes.flatMap(({ factor, node }) =>
    node.slots
      .filter(({ kind }) => phase.slots.includes(kind))
      .flatMap(({ count }) => new Array<OracleSlot>(count).fill({ factor: isSlowed ? factor : 1 })),
  );
  if (slots.length === 0) return 0;
  return makespanLowerBound([{ taskMs: profiles.map(({ totalMs }) => totalMs) }], slots);
}
