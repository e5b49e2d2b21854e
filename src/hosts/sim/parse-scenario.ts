import { isObject, Place } from "../../base/shape.ts";
import { checkFault } from "./check-fault.ts";
import { some } from "./node-names.ts";
import type { ClusterSpec, PhaseSpec, Scenario, ScenarioJob } from "./scenario.ts";
import { scenario as shape } from "./scenario-shape.ts";

/** How far the sum of a phase's stage shares may be from 1. */
const SHARE_TOLERANCE = 1e-9;

/** The scenarios that were parsed, whose shape is not that of a file. */
const parsed = new WeakMap<object, Scenario>();

/**
 * Reads a scenario; throws an InputError with the JSON path and what was expected there. A scenario
 * that was parsed already is returned as it is.
 */
export function parseScenario(json: unknown, file: string): Scenario {
  const before = isObject(json) ? parsed.get(json) : undefined;
  if (before !== undefined) return before;
  const place = new Place("bad-scenario", file);
  const scenario = shape.read(json, place);
  checkCluster(scenario, place.key("cluster"));
  checkUnique(scenario.jobs, place.key("jobs"));
  for (const [i, job] of scenario.jobs.entries()) {
    checkJob(job, scenario, place.key("jobs").index(i));
  }
  for (const [i, { noCopies = [] }] of scenario.study.disciplines.entries()) {
    const at = place.key("study").key("disciplines").index(i).key("noCopies");
    for (const [j, kind] of noCopies.entries()) {
      known(scenario.cluster.slotKinds, kind, at.index(j));
    }
  }
  for (const [i, fault] of scenario.faults.entries()) {
    checkFault(fault, scenario.cluster, place.key("faults").index(i));
  }
  parsed.set(scenario, scenario);
  return scenario;
}

function checkUnique(named: readonly { readonly name: string }[], place: Place): void {
  const seen = new Set<string>();
  for (const [i, { name }] of named.entries()) {
    if (seen.has(name)) place.index(i).key("name").refuse("a name that is not taken", name);
    seen.add(name);
  }
}

function checkCluster({ cluster }: Scenario, place: Place): void {
  checkUnique(cluster.nodes, place.key("nodes"));
  checkLinks(cluster, place);
  for (const [i, group] of cluster.nodes.entries()) {
    const at = place.key("nodes").index(i);
    for (const kind of Object.keys(group.slots)) known(cluster.slotKinds, kind, at.key("slots"));
    if (group.rack !== undefined) known(cluster.racks, group.rack, at.key("rack"));
    if (group.host !== undefined) known(Object.keys(cluster.hosts), group.host, at.key("host"));
  }
}

/**
 * Oversubscription relates the racks' links to the machines' links, so the machines' links must
 * have a limit and the racks' must not be given.
 */
function checkLinks(cluster: ClusterSpec, place: Place): void {
  if (cluster.oversubscription === undefined) return;
  const at = place.key("oversubscription");
  if (cluster.rackUpBytesPerMs < Infinity || cluster.rackDownBytesPerMs < Infinity) {
    at.fail("expected either this or rackUpBytesPerMs and rackDownBytesPerMs, found both");
  }
  for (const { name, host } of cluster.nodes) {
    const spec = host === undefined ? undefined : cluster.hosts[host];
    if (spec !== undefined && spec.upBytesPerMs + spec.downBytesPerMs < Infinity) continue;
    at.fail(`expected a host with upBytesPerMs and downBytesPerMs for ${name}`);
  }
}

function known(names: readonly string[], name: string, place: Place): void {
  if (names.includes(name)) return;
  place.refuse(names.length === 0 ? "nothing: none is defined" : `one of ${some(names)}`, name);
}

function checkJob(job: ScenarioJob, scenario: Scenario, place: Place): void {
  checkUnique(job.phases, place.key("phases"));
  for (const [i, phase] of job.phases.entries()) {
    const at = place.key("phases").index(i);
    for (const [j, kind] of phase.slots.entries()) {
      known(scenario.cluster.slotKinds, kind, at.key("slots").index(j));
    }
    const earlier = job.phases.slice(0, i).map(({ name }) => name);
    for (const [j, edge] of phase.after.entries()) {
      known(earlier, edge.phase, at.key("after").index(j).key("phase"));
    }
    checkWork(phase, scenario, at.key("work"));
  }
}

function checkWork({ work, after }: PhaseSpec, { cluster }: Scenario, place: Place): void {
  if (work.kind === "fixed") {
    const shares = work.stages.reduce((sum, { share }) => sum + share, 0);
    if (Math.abs(shares - 1) > SHARE_TOLERANCE) {
      place.key("stages").refuse("stages whose shares sum to 1", shares);
    }
  }
  if (work.kind === "reduce" && after.length === 0) {
    place.key("kind").refuse("a phase that comes after the one that it reads", work.kind);
  }
  if (work.kind === "map" && after.length > 0) {
    place.key("kind").refuse("a reduce, in a phase that comes after others", work.kind);
  }
  const nodes = cluster.nodes.reduce((sum, { count }) => sum + count, 0);
  if (work.kind === "reduce" && work.outputReplicas > nodes) {
    place.key("outputReplicas").refuse(`at most ${nodes}, one on each node`, work.outputReplicas);
  }
  if (work.kind !== "reduce" && work.replicas > nodes) {
    place.key("replicas").refuse(`at most ${nodes}, one on each node`, work.replicas);
  }
  if (work.kind === "fixed") return;
  const hostless = cluster.nodes.find(({ host }) => host === undefined);
  if (hostless === undefined) return;
  place.refuse(
    `a host for every group of nodes: ${hostless.name} has none, but this work needs`,
    work.kind,
  );
}
