import { defined } from "../../base/assert.ts";
import { ascending, descending } from "../../base/order.ts";
import { nextFloat, randomState } from "../../base/random.ts";
import { cell } from "../../base/rows.ts";
import { type Infer, isObject, record, required, type Shape, whole } from "../../base/shape.ts";
import { mean } from "../../base/stats.ts";
import { parseScenario, type Scenario, simulateOnce } from "../../hosts/sim/index.ts";
import { type NodeId, nodeId } from "../../model/ids.ts";
import { parseDiscipline } from "../../policy/discipline.ts";
import { defaultsOf } from "../../policy/policy.ts";
import type { PerformanceVector, TaskGroup } from "../../policy/speculation/esplash/grouping.ts";
import { clusterGroups, type TaskCluster } from "../../policy/speculation/esplash/k-means.ts";
import { findLevels } from "../../policy/speculation/esplash/levels.ts";
import { esplash } from "../../policy/speculation/esplash.ts";
import { AttemptLog } from "../scenarios/attempt-log.ts";
import { studyKind } from "../study/kind.ts";
import type { Rows } from "../study/table.ts";
import { numberOf } from "../study/work.ts";

const scenario: Shape<Scenario> = {
  expected: "a scenario: cluster and jobs",
  read(json, place) {
    if (!isObject(json)) return place.refuse(this.expected, json);
    const study = { disciplines: [{ discipline: "none" }] };
    return parseScenario({ name: "clustering", ...json, study }, place.file);
  },
};

type ClusteringSetup = Infer<typeof setup>;
const setup = record("the set-up of Figure 2", {
  /** The scenario's groups of nodes are the types, slowest first; its jobs are the dimensions. */
  scenario: required(scenario),
  /** Random sets of centres per run, one start each, as in Algorithm 2. */
  draws: required(whole({ min: 1 })),
  /** The most runs, since runs take long. */
  runsMax: required(whole({ min: 1 })),
});

/**
 * Figure 2: nodes of known types, distinguished by the map times of the jobs that they have run.
 */
export const clustering = studyKind<ClusteringSetup>({
  kind: "esplash-clustering",
  setup,
  open: (of) => ({
    units: ({ runs }) =>
      Array.from({ length: Math.min(runs, of.runsMax) }, (_, run) => ({
        key: `seed ${run + 1}`,
        cost: 3,
        work: { run },
      })),
    run: (work) => clusteredRows(of, numberOf(work, "run")),
  }),
});

/** The shares of both ways over all draws; and the nodes, as the first draw of run 0 has them. */
function clusteredRows({ scenario: of, draws: count }: ClusteringSetup, run: number): Rows {
  const seed = run + 1;
  const nodes = typesOfNodes(of);
  const times = timesOf(of, seed, nodes);
  const vectors = [...nodes.keys()].flatMap((node) => vectorOf(node, times) ?? []);
  const chance = chanceOf(seed);
  const params = { ...defaultsOf(esplash), k: of.cluster.nodes.length, starts: 1 };
  const draws = Array.from({ length: count }, () => {
    const grouped = defined(findLevels(times, [...nodes.keys()], params, chance), "levels");
    const plain = levelsOf(clusterGroups(vectors.map(alone), params, chance));
    return vectors.map(({ node, times: [x, y] }) => ({
      ...{ x, y, type: defined(nodes.get(node), "the type of a node") },
      ...{ grouped: levelOf(grouped, node), plain: levelOf(plain, node) },
    }));
  });
  const share = (way: "grouped" | "plain"): number =>
    mean(draws.map((own) => own.filter((node) => node[way] === node.type).length / own.length));
  return {
    shares: [{ grouped: share("grouped"), plain: share("plain") }],
    nodes: run === 0 ? cell(draws[0]) : [],
  };
}

const levelOf = (levels: ReadonlyMap<NodeId, number>, node: NodeId): number =>
  defined(levels.get(node), "the level of a node");

/** The type of each node, 1 the slowest; nodes are numbered in the order of the cluster. */
function typesOfNodes({ cluster }: Scenario): ReadonlyMap<NodeId, number> {
  const types = cluster.nodes.flatMap(({ count }, index) =>
    Array.from({ length: count }, () => index + 1),
  );
  return new Map(types.map((type, index) => [nodeId(index), type]));
}

/** Mean map times of each job by node, in seconds. */
function timesOf(
  scenario: Scenario,
  seed: number,
  nodes: ReadonlyMap<NodeId, number>,
): ReadonlyMap<NodeId, number>[] {
  const log = new AttemptLog();
  simulateOnce(scenario, {
    seed,
    discipline: parseDiscipline("none,sharing=fifo-plain"),
    onFact: (fact) => log.apply(fact),
  });
  log.close();
  const { cluster, jobs } = scenario;
  const names = cluster.nodes.flatMap(({ name, count }) =>
    Array.from({ length: count }, (_, i) => (count === 1 ? name : `${name}-${i}`)),
  );
  return jobs.map(({ name: job }) => {
    const byNode = new Map<string, number[]>();
    for (const attempt of log.attempts) {
      if (attempt.job !== job || attempt.phase !== "map" || attempt.ended !== "succeeded") continue;
      const times = byNode.get(attempt.node) ?? [];
      times.push((attempt.endedAt - attempt.launchedAt) / 1000);
      byNode.set(attempt.node, times);
    }
    return new Map(
      [...nodes.keys()].flatMap((node) => {
        const times = byNode.get(defined(names[node], "a node's name"));
        return times === undefined ? [] : [[node, mean(times)] as const];
      }),
    );
  });
}

function chanceOf(seed: number): { random(): number } {
  const state = randomState(seed, "centres");
  return { random: () => nextFloat(state) };
}

function vectorOf(
  node: NodeId,
  types: readonly ReadonlyMap<NodeId, number>[],
): PerformanceVector | undefined {
  const times = types.flatMap((type) => type.get(node) ?? []);
  return times.length === types.length ? { node, times } : undefined;
}

/** A group of one, as in ordinary k-means: each vector decides for itself. */
const alone = (one: PerformanceVector): TaskGroup => ({
  members: [one],
  min: one.times,
  max: one.times,
});

function levelsOf(clusters: readonly TaskCluster[]): ReadonlyMap<NodeId, number> {
  const slowestFirst = descending(
    ({ center }: TaskCluster) => mean(center),
    ascending(({ members }) => members[0]?.node ?? 0),
  );
  return new Map(
    [...clusters]
      .sort(slowestFirst)
      .flatMap(({ members }, index) => members.map(({ node }) => [node, index + 1] as const)),
  );
}
