import { assert, defined } from "../../../base/assert.ts";
import { randomState, split } from "../../../base/random.ts";
import { isObject, object, positive, required, type Shape, whole } from "../../../base/shape.ts";
import { percentile } from "../../../base/stats.ts";
import type { Oracle } from "../../../hosts/sim/oracle.ts";
import { parseDiscipline } from "../../../policy/discipline.ts";
import type { Discipline } from "../../../policy/policy.ts";
import type { Curve } from "../../drawing.ts";
import type {
  Done,
  Experiment,
  ExperimentFile,
  ExperimentKind,
  Extent,
  Json,
  Measured,
  Report,
  Unit,
} from "../../experiment.ts";
import { HEADING, type Heading } from "../../heading.ts";
import { over } from "../estimate.ts";
import { drawJob } from "../logs/job-log.ts";
import { type LogModel, logModel } from "../logs/model.ts";
import type { PhaseLog } from "../logs/phase-log.ts";
import { bootstrap, type Counts, WeightedDistribution } from "../phases/weighted.ts";
import { column, numberOf, rowsOf, withAbout } from "../study.ts";
import { type NetworkModel, networkModel } from "./network.ts";
import { type PlacementRun, runPlacement } from "./placement-run.ts";
import { reduceScenario } from "./reduce-scenario.ts";

/** §6.2 and §6.4: Figures 5, 14, 19 and 20. */
interface PlacementFile extends Heading {
  readonly network: NetworkModel;
  /** Phases of reduces in each run. */
  readonly phases: number;
  /** No more of a phase's tasks are placed at once. */
  readonly tasksMost: number;
  readonly groupBy: GroupBy;
}

/** The job of Figure 14. */
interface GroupBy {
  readonly racks: number;
  readonly bytes: number;
  readonly reduces: number;
  readonly mapCpuBytesPerMs: number;
  readonly reduceCpuBytesPerMs: number;
}

const file: Shape<PlacementFile> = object<PlacementFile>("an experiment on placement", {
  ...HEADING,
  network: required(networkModel),
  phases: required(whole({ min: 1 })),
  tasksMost: required(whole({ min: 1 })),
  groupBy: required(
    object<GroupBy>("the job of Figure 14", {
      racks: required(whole({ min: 2 })),
      bytes: required(positive),
      reduces: required(whole({ min: 1 })),
      mapCpuBytesPerMs: required(positive),
      reduceCpuBytesPerMs: required(positive),
    }),
  ),
});

interface Scheme {
  readonly label: string;
  readonly discipline: Discipline;
  readonly oracle?: Oracle;
}

/** The first is what all are compared with. */
const SCHEMES: readonly Scheme[] = [
  { label: "Dryad", discipline: parseDiscipline("none,sharing=fifo-plain") },
  { label: "Mantri", discipline: parseDiscipline("mantri-placement") },
  { label: "Start", discipline: parseDiscipline("mantri-placement", ["data.startMsMax=1e18"]) },
  { label: "Equal", discipline: parseDiscipline("mantri-placement", ["data.startMsMax=0"]) },
  {
    label: "Start, just sampled",
    discipline: parseDiscipline("mantri-placement", ["data.startMsMax=1e18"]),
    oracle: "ideal-reduce",
  },
];

export const placement: ExperimentKind = {
  kind: "mantri-placement",
  make: ({ name, json, place, calibration }: ExperimentFile): Experiment => {
    const read = file.read(json, place);
    const model = logModel(calibration);
    return {
      name,
      title: read.title,
      paper: read.paper,
      figures: read.figures,
      units: (extent) => units(read, extent),
      run: ({ work }) => run(read, model, work),
      report: (done, { runs }) => withAbout(read, report(done, runs)),
    };
  },
};

/** All placements, and the one that turned out best: §6.1's, which knows how the links change. */
const IDEAL = "IdealReduce";
const LABELS = [...SCHEMES.map(({ label }) => label), IDEAL];
/** Those that the paper's curves are about. */
const COMPARED = ["Mantri", "Start", "Equal", IDEAL];

const PHASE_COST = 0.1;
const GROUP_BY_COST = 1;

function units({ phases }: PlacementFile, { runs }: Extent): readonly Unit[] {
  return Array.from({ length: runs }, (_, index) => index).flatMap((run) => [
    { key: `phases ${run}`, cost: phases * PHASE_COST, work: { part: "phases", run } },
    { key: `group by ${run}`, cost: GROUP_BY_COST, work: { part: "group by", run } },
  ]);
}

function run(read: PlacementFile, model: LogModel, work: Json): Json {
  const seed = numberOf(work, "run") + 1;
  if (isPart(work, "group by")) return [runGroupBy(read, seed)];
  const { network, phases, tasksMost } = read;
  return reducePhases(model, seed, phases).map((phase) => {
    const count = Math.min(tasksMost, phase.slots, phase.bytes.length);
    const bytes = [...phase.bytes.subarray(0, count)];
    const chance = split(phase.chance, PLACES);
    const scenario = reduceScenario(network, { name: phase.name, bytes }, { chance });
    const runs = SCHEMES.map((scheme) => runPlacement(scenario, { ...scheme, seed }));
    const times = runs.map(({ phaseMs }) => phaseMs);
    // Nobody knows beforehand which of the placements comes out best; IdealReduce does.
    const ideal = Math.min(...times);
    return [...times, ideal, ...runs.map((one) => one.medianToSlowest)];
  });
}

const isPart = (work: Json, part: string): boolean =>
  isObject(work) && "part" in work && work.part === part;

/** A stream that no attempt has: indices of tasks stay below it. */
const PLACES = -2;

/** Phases of reduces of more than one task, from jobs of all dates in turn. */
function reducePhases(model: LogModel, seed: number, count: number): readonly PhaseLog[] {
  const found: PhaseLog[] = [];
  for (let job = 0; found.length < count; job += 1) {
    const date = job % model.dates.length;
    const { phases } = drawJob(model, { date, job, seed });
    found.push(...phases.filter(({ role, bytes }) => role === "reduce" && bytes.length > 1));
  }
  return found.slice(0, count);
}

/** Times of the reduces and of the job, and the spread, without and with placement. */
function runGroupBy({ network, groupBy }: PlacementFile, seed: number): readonly number[] {
  const { racks, bytes, reduces, mapCpuBytesPerMs, reduceCpuBytesPerMs } = groupBy;
  const scenario = reduceScenario(
    { ...network, racks },
    {
      name: "group by",
      bytes: Array.from({ length: reduces }, () => bytes / reduces),
      cpuBytesPerMs: reduceCpuBytesPerMs,
    },
    { chance: randomState(seed, "group by"), maps: { cpuBytesPerMs: mapCpuBytesPerMs } },
  );
  const runs = SCHEMES.slice(0, 2).map((scheme) => runPlacement(scenario, { ...scheme, seed }));
  const all = (value: (run: PlacementRun) => number) => runs.map(value);
  return [
    ...all(({ phaseMs }) => phaseMs),
    ...all(({ jobMs }) => jobMs),
    ...all(({ spread }) => spread),
  ];
}

function report(done: readonly Done[], runs: number): Report {
  const phases = done.filter(({ unit }) => isPart(unit.work, "phases"));
  const groupBy = done.filter(({ unit }) => isPart(unit.work, "group by")).flatMap(rowsOf);
  const rows = phases.flatMap(rowsOf);
  const runOf = phases.flatMap((unit) => rowsOf(unit).map(() => numberOf(unit.unit.work, "run")));
  const made = new PlacementFigures(rows, runOf, runs);
  return {
    measured: [...made.rows(), ...figure14(groupBy)],
    drawings: made.drawings(),
    notes: [
      `${rows.length} phases of reduces, the first wave of each.`,
      "IdealReduce is the placement that turned out best of all that are compared.",
    ],
  };
}

class PlacementFigures {
  readonly #rows: readonly (readonly number[])[];
  readonly #runOf: readonly number[];
  readonly #runs: number;

  constructor(rows: readonly (readonly number[])[], runOf: readonly number[], runs: number) {
    this.#rows = rows;
    this.#runOf = runOf;
    this.#runs = runs;
  }

  rows(): readonly Measured[] {
    const ideal = this.#reductions(IDEAL, "each alike");
    const byLifetime = new Map(
      COMPARED.map((label) => [label, this.#reductions(label, "by lifetime")]),
    );
    const median = (label: string, counts: Counts) =>
      defined(byLifetime.get(label), "a scheme").quantile(0.5, counts);
    return [
      this.#row(
        "fig5",
        "current placement",
        "longer than the ideal one, median phase",
        (counts) => 1 / (1 - ideal.quantile(0.5, counts)) - 1,
      ),
      ...COMPARED.map((label) =>
        this.#row("fig19", label, "reduction of completion time, 50th percentile", (counts) =>
          median(label, counts),
        ),
      ),
      ...["Start", "Equal"].map((other) =>
        this.#row(
          "fig19",
          `Mantri - ${other}`,
          "reduction of completion time, 50th percentile",
          (counts) => median("Mantri", counts) - median(other, counts),
        ),
      ),
      ...this.#figure20(),
    ];
  }

  #figure20(): readonly Measured[] {
    const metric = (q: string) => `median over slowest throughput, ${q}`;
    const mantri = this.#ratios("Mantri");
    const dryad = this.#ratios("Dryad");
    return [
      this.#row("fig20", "Mantri", metric("50th percentile"), (c) => mantri.quantile(0.5, c)),
      this.#row("fig20", "Mantri", metric("largest"), (c) => mantri.quantile(1, c)),
      this.#row("fig20", "Dryad", metric("50th percentile"), (c) => dryad.quantile(0.5, c)),
      this.#row("fig20", "Dryad", metric("75th percentile"), (c) => dryad.quantile(0.75, c)),
      this.#row(
        "fig20",
        "Dryad - Mantri",
        metric("75th percentile"),
        (c) => dryad.quantile(0.75, c) - mantri.quantile(0.75, c),
      ),
    ];
  }

  drawings() {
    const counts = new Array<number>(this.#runs).fill(1);
    const curve = (label: string, of: WeightedDistribution, times: number): Curve => ({
      label,
      points: PERCENTILES.map((y) => ({ x: times * of.quantile(y / 100, counts), y })),
    });
    const common = { kind: "curves", steps: false } as const;
    const y = { title: "cumulative share, %", from: 0, to: 100 };
    return [
      {
        ...common,
        figure: "fig19",
        title: "Reduces placed by the network, weighed by their lifetime",
        x: { title: "reduction of completion time, %", from: -50, to: 100 },
        y,
        curves: COMPARED.map((label) => curve(label, this.#reductions(label, "by lifetime"), 100)),
      },
      {
        ...common,
        figure: "fig20",
        title: "Throughput of the median task over that of the slowest",
        x: { title: "ratio", log: true },
        y,
        curves: ["Mantri", "Dryad"].map((label) => curve(label, this.#ratios(label), 1)),
      },
    ];
  }

  #row(
    figure: string,
    setting: string,
    metric: string,
    statistic: (counts: Counts) => number,
  ): Measured {
    return { figure, setting, metric, ...bootstrap(this.#runs, statistic), runs: this.#runs };
  }

  #reductions(label: string, weighed: "by lifetime" | "each alike"): WeightedDistribution {
    const [before, after] = [this.#column(0), this.#column(placeOf(label))];
    return new WeightedDistribution({
      values: before.map((ms, i) => 1 - defined(after[i], "a time") / ms),
      weights: before.map((ms) => (weighed === "by lifetime" ? ms : 1)),
      runs: this.#runOf,
    });
  }

  #ratios(label: string): WeightedDistribution {
    const values = this.#column(LABELS.length + placeOf(label));
    return new WeightedDistribution({ values, weights: values.map(() => 1), runs: this.#runOf });
  }

  #column(index: number): readonly number[] {
    return column(this.#rows, index);
  }
}

const PERCENTILES = Array.from({ length: 99 }, (_, i) => i + 1);

function placeOf(label: string): number {
  const place = LABELS.indexOf(label);
  assert(place >= 0, `a scheme ${label}`);
  return place;
}

function figure14(rows: readonly (readonly number[])[]): readonly Measured[] {
  const setting = "group by";
  const at = (index: number) => column(rows, index);
  const reductions = (before: number): readonly number[] =>
    at(before).map((ms, i) => 1 - defined(at(before + 1)[i], "a time") / ms);
  const row = (metric: string, values: readonly number[], of = setting): Measured =>
    over(values, { figure: "fig14", setting: of, metric });
  const phase = reductions(0);
  const most = percentile(Float64Array.from(phase).sort(), 100);
  return [
    row("reduction of the reduce phase", phase),
    { ...row("largest reduction of the reduce phase", [most]), runs: rows.length },
    row("reduction of the job", reductions(2)),
    row("tasks per rack in use", at(4), "default"),
    row("tasks per rack in use", at(5), "Mantri"),
  ];
}
