import { assert, defined } from "../../base/assert.ts";
import type { Json } from "../../base/json.ts";
import { ascending, descending } from "../../base/order.ts";
import { nextFloat, randomState } from "../../base/random.ts";
import {
  type Infer,
  isObject,
  list,
  number,
  type Place,
  record,
  required,
  type Shape,
  whole,
} from "../../base/shape.ts";
import { interval95, mean } from "../../base/stats.ts";
import { parseScenario, type Scenario, simulateOnce } from "../../hosts/sim/index.ts";
import { type NodeId, nodeId } from "../../model/ids.ts";
import { parseDiscipline } from "../../policy/discipline.ts";
import { defaultsOf } from "../../policy/policy.ts";
import type { PerformanceVector, TaskGroup } from "../../policy/speculation/esplash/grouping.ts";
import { clusterGroups, type TaskCluster } from "../../policy/speculation/esplash/k-means.ts";
import { findLevels } from "../../policy/speculation/esplash/levels.ts";
import { esplash } from "../../policy/speculation/esplash.ts";
import type { Points } from "../../report/chart/drawing.ts";
import type {
  Done,
  Experiment,
  ExperimentFile,
  ExperimentKind,
  ExperimentReport,
  Extent,
  Measured,
  Unit,
} from "../experiment.ts";
import { HEADING } from "../heading.ts";
import { AttemptLog } from "../scenarios/attempt-log.ts";

const scenario: Shape<Scenario> = {
  expected: "a scenario: cluster and jobs",
  read(json, place) {
    if (!isObject(json)) return place.refuse(this.expected, json);
    const study = { disciplines: [{ discipline: "none" }] };
    return parseScenario({ name: "clustering", ...json, study }, place.file);
  },
};

/**
 * Figure 2: nodes of known types, distinguished by the map times of the jobs that they have run.
 */
type ClusteringFile = Infer<typeof file>;
const file = record("the experiment of Figure 2", {
  ...HEADING,
  /** The scenario's groups of nodes are the types, slowest first; its jobs are the dimensions. */
  scenario: required(scenario),
  /** Random sets of centres per run, one start each, as in Algorithm 2. */
  draws: required(whole({ min: 1 })),
  /** The most runs, since runs take long. */
  runsMax: required(whole({ min: 1 })),
});

export const clustering: ExperimentKind = {
  kind: "esplash-clustering",
  make: (from) => new Clustering(from),
};

const METRIC = "nodes of the right type, share";
const OURS = "groups, then k-means";
const DIFFERENCE = "groups less plain k-means";

/** The row of a node: its times, its type, and its levels by the two ways of clustering. */
type Row = readonly number[];

const TYPE = -3;
const GROUPED = -2;
const PLAIN = -1;

const outcomeShape = record("an outcome of this experiment", {
  grouped: required(number()),
  plain: required(number()),
  first: required(list(list(number()))),
});

class Clustering implements Experiment {
  readonly name: string;
  readonly #file: ClusteringFile;
  readonly #place: Place;

  constructor({ name, json, place }: ExperimentFile) {
    this.name = name;
    this.#place = place;
    this.#file = file.read(json, place);
  }

  get title() {
    return this.#file.title;
  }

  get paper() {
    return this.#file.paper;
  }

  get figures() {
    return this.#file.figures;
  }

  units({ runs }: Extent): readonly Unit[] {
    const count = Math.min(runs, this.#file.runsMax);
    return Array.from({ length: count }, (_, i) => ({
      key: `seed ${i + 1}`,
      cost: 3,
      work: { seed: i + 1 },
    }));
  }

  /** The shares of both ways over all draws; then the nodes, as the first draw has them. */
  run({ work }: Unit): Json {
    assert(isObject(work) && "seed" in work, "a unit of this experiment");
    const seed = Number(work.seed);
    const nodes = this.#nodes();
    const types = this.#times(seed, nodes);
    const vectors = [...nodes.keys()].flatMap((node) => vectorOf(node, types) ?? []);
    const chance = chanceOf(seed);
    const k = this.#file.scenario.cluster.nodes.length;
    const params = { ...defaultsOf(esplash), k, starts: 1 };
    const draws = Array.from({ length: this.#file.draws }, () => {
      const grouped = defined(findLevels(types, [...nodes.keys()], params, chance), "levels");
      const plain = levelsOf(clusterGroups(vectors.map(alone), params, chance));
      return vectors.map(({ node, times }) => [
        ...times,
        nodes.get(node) ?? 0,
        grouped.get(node) ?? 0,
        plain.get(node) ?? 0,
      ]);
    });
    const share = (at: number): number => mean(draws.map((rows) => rightShare(rows, at)));
    return { grouped: share(GROUPED), plain: share(PLAIN), first: draws[0] ?? [] };
  }

  /** The type of each node, 1 the slowest; nodes are numbered in the order of the cluster. */
  #nodes(): ReadonlyMap<NodeId, number> {
    const types = this.#file.scenario.cluster.nodes.flatMap(({ count }, index) =>
      Array.from({ length: count }, () => index + 1),
    );
    return new Map(types.map((type, index) => [nodeId(index), type]));
  }

  /** Mean map times of each job by node, in seconds. */
  #times(seed: number, nodes: ReadonlyMap<NodeId, number>): ReadonlyMap<NodeId, number>[] {
    const log = new AttemptLog();
    simulateOnce(this.#file.scenario, {
      seed,
      discipline: parseDiscipline("none,sharing=fifo-plain"),
      onFact: (fact) => log.apply(fact),
    });
    log.close();
    const { cluster, jobs } = this.#file.scenario;
    const names = cluster.nodes.flatMap(({ name, count }) =>
      Array.from({ length: count }, (_, i) => (count === 1 ? name : `${name}-${i}`)),
    );
    return jobs.map(({ name: job }) => {
      const byNode = new Map<string, number[]>();
      for (const attempt of log.attempts) {
        if (attempt.job !== job || attempt.phase !== "map" || attempt.ended !== "succeeded")
          continue;
        const times = byNode.get(attempt.node) ?? [];
        times.push((attempt.endedAtMs - attempt.launchedAtMs) / 1000);
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

  report(done: readonly Done[]): ExperimentReport {
    const outcomes = done.map(({ outcome }) => outcomeShape.read(outcome, this.#place));
    const ours = outcomes.map(({ grouped }) => grouped);
    const differences = outcomes.map(({ grouped, plain }) => grouped - plain);
    const first = outcomes[0]?.first ?? [];
    return {
      measured: [measured(OURS, ours), measured(DIFFERENCE, differences)],
      drawings: [
        drawn("Groups, then k-means by vote", first, GROUPED),
        drawn("Plain k-means", first, PLAIN),
      ],
      notes: this.#file.about === undefined ? [] : [this.#file.about],
    };
  }
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

/** The share of nodes that got the level of their type; `at` is the index of the level in a row. */
const rightShare = (rows: readonly Row[], at: number): number =>
  rows.filter((row) => row.at(at) === row.at(TYPE)).length / rows.length;

function measured(setting: string, values: readonly number[]): Measured {
  const { mean: value, halfWidth } = interval95(values);
  const interval = { low: value - halfWidth, high: value + halfWidth };
  return { figure: "fig2", setting, metric: METRIC, value, ...interval, runs: values.length };
}

function drawn(title: string, rows: readonly Row[], at: number): Points {
  const levels = [...new Set(rows.map((row) => row.at(at) ?? 0))].sort(ascending((level) => level));
  return {
    kind: "points",
    figure: "fig2",
    title,
    x: { title: "map of the first job, s" },
    y: { title: "map of the second job, s" },
    groups: levels.map((level) => ({
      label: `level ${level}`,
      points: rows.filter((row) => row.at(at) === level).map(([x = 0, y = 0]) => ({ x, y })),
    })),
  };
}
