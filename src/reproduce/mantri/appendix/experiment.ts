import { defined } from "../../../base/assert.ts";
import type { Json } from "../../../base/json.ts";
import { type RandomState, randomState, split } from "../../../base/random.ts";
import { type Infer, list, number, record, required, whole } from "../../../base/shape.ts";
import { mean, sum } from "../../../base/stats.ts";
import type { Curve } from "../../../report/chart/drawing.ts";
import type {
  Done,
  Experiment,
  ExperimentFile,
  ExperimentKind,
  ExperimentReport,
  Extent,
  Measured,
  Unit,
} from "../../experiment.ts";
import { HEADING } from "../../heading.ts";
import { exactly, over } from "../estimate.ts";
import { column, numberOf, rowsOf, withAbout } from "../study.ts";
import {
  type Detection,
  drawBound,
  drawRestarted,
  drawTime,
  type HeavyTail,
  meanLongest,
  meanTime,
  restartedTail,
  tailBound,
  tailOf,
  usualTail,
} from "./kill-restart.ts";
import { listSchedule } from "./list-schedule.ts";

type Case = Infer<typeof line>;
const line = record("a line of Table 3", {
  beta: required(number({ min: 1.01 })),
  tasks: required(whole({ min: 1 })),
  slots: required(whole({ min: 1 })),
});

const figure24 = record("the tail of Figure 24", {
  beta: required(number({ min: 1.01 })),
  restart: required(number({ min: 1 })),
  to: required(number({ min: 2 })),
});

/** Appendix A: Table 3, Propositions 1 and 2, Figure 24. */
type AppendixFile = Infer<typeof file>;
const file = record("the experiment of appendix A", {
  ...HEADING,
  /** Schedules per run. */
  trials: required(whole({ min: 1 })),
  cases: required(list(line, { min: 1 })),
  figure24: required(figure24),
});

/** The source of R': the bound of Proposition 1 as the paper says, or restarted tasks. */
const SOURCES = ["bound", "early", "late"] as const;
type Source = (typeof SOURCES)[number];

const SETTINGS: Readonly<Record<Source, string>> = {
  bound: "times as in Proposition 1",
  early: "killed delta after its start",
  late: "killed at t_k",
};

export const appendix: ExperimentKind = {
  kind: "mantri-appendix",
  make: ({ name, json, place }: ExperimentFile): Experiment => {
    const read = file.read(json, place);
    return {
      name,
      title: read.title,
      paper: read.paper,
      figures: read.figures,
      units: (extent) => units(read, extent),
      run: ({ work }) => runCase(read, work),
      report: (done) => withAbout(read, report(read, done)),
    };
  },
};

function units({ cases }: AppendixFile, { runs }: Extent): readonly Unit[] {
  return cases.map(({ tasks, beta, slots }, index) => ({
    key: `${beta} ${tasks} ${slots} ${runs}`,
    cost: tasks * runs * TASK_COST,
    work: { index, runs },
  }));
}

/** The cost of a task in all schedules of a run, in seconds. */
const TASK_COST = 5e-5;

/** For each run: the reduction by each source, and the margin by which Proposition 2 holds. */
function runCase({ cases, trials }: AppendixFile, work: Json): Json {
  const of = defined(cases[numberOf(work, "index")], "a line of Table 3");
  return Array.from({ length: numberOf(work, "runs") }, (_, run) => {
    const chance = randomState(run + 1, `appendix/${of.beta}/${of.tasks}`);
    const drawn = Array.from({ length: trials }, (_, trial) => trialOf(of, split(chance, trial)));
    // For a tail with beta below 2 the longest task has no finite variance, and a mean over
    // schedules is nearly always too small. E max R is known exactly, so only what a schedule adds
    // to it is drawn.
    const added = mean(drawn.map(({ makespan, longest }) => makespan - longest));
    const before = meanLongest(of.beta, of.tasks) + added;
    const reductions = SOURCES.map(
      (source) => 1 - mean(drawn.map(({ restarted }) => restarted[source])) / before,
    );
    return [...reductions, mean(drawn.map(({ aboveBound }) => aboveBound)) / before];
  });
}

interface Trial {
  /** T, and the time of the longest task in it. */
  readonly makespan: number;
  readonly longest: number;
  /** T' for each source. */
  readonly restarted: Readonly<Record<Source, number>>;
  /** T - T' less its lower bound by Proposition 2. */
  readonly aboveBound: number;
}

function trialOf({ beta, tasks, slots }: Case, chance: RandomState): Trial {
  const tail = usualTail(beta);
  const times = (draw: (chance: RandomState) => number, stream: number): readonly number[] => {
    const own = split(chance, stream);
    return Array.from({ length: tasks }, () => draw(own));
  };
  const before = times((own) => drawTime(own, tail), 0);
  const bounded = times((own) => drawBound(own, tail), 1);
  const again = (detection: Detection, stream: number) =>
    listSchedule(
      times((own) => drawRestarted(own, tail, detection), stream),
      slots,
    );
  const makespan = listSchedule(before, slots);
  const longest = Math.max(...before);
  const restarted = {
    bound: listSchedule(bounded, slots),
    early: again("early", 2),
    late: again("late", 3),
  };
  // Proposition 2, with the sums of this trial, whose means are the proposition's expectations.
  const least = Math.max(longest, (tasks / slots) * meanTime(beta));
  const most = Math.max(...bounded) + sum(bounded) / slots;
  return { makespan, longest, restarted, aboveBound: makespan - restarted.bound - (least - most) };
}

function report(read: AppendixFile, done: readonly Done[]): ExperimentReport {
  const measured = done.flatMap((unit): readonly Measured[] => {
    const of = defined(read.cases[numberOf(unit.unit.work, "index")], "a line of Table 3");
    const rows = rowsOf(unit);
    const setting = `beta ${of.beta}, ${of.tasks} tasks, ${of.slots} slots`;
    return [
      ...SOURCES.map((source, i) =>
        over(column(rows, i), {
          figure: "table3",
          setting: source === "bound" ? setting : `${setting}, ${SETTINGS[source]}`,
          metric: "reduction of the completion time",
        }),
      ),
      over(column(rows, SOURCES.length), {
        figure: "prop2",
        setting,
        metric: "E(T - T') above its lower bound, over E T",
      }),
    ];
  });
  const tail = { beta: read.figure24.beta, restart: read.figure24.restart, delta: 1 };
  return {
    measured: [...measured, ...propositionOne(read.cases), tailLeft(tail)],
    drawings: [
      {
        kind: "curves",
        figure: "fig24",
        title: `A heavy tail (beta = ${tail.beta}), and what restarts leave of it`,
        x: { title: "completion time r" },
        y: { title: "P(R > r)", from: 0, to: 1 },
        steps: false,
        curves: tails(tail, read.figure24.to),
      },
    ],
    notes: [
      `${read.trials} schedules a run. E T is E max R, which is known, plus what the schedules ` +
        'add to it on average. Restarts "delta after its start" are told from progress, ' +
        "as in Pseudocode 1; the proof of Proposition 1 needs them so.",
    ],
  };
}

const POINTS = 200;
/** Further out in the tail both sides are almost 0. */
const FARTHEST = 60;

/** Proposition 1: the share of a fine grid on which P(R' > r) is within its bound. */
function propositionOne(cases: readonly Case[]): readonly Measured[] {
  const betas = [...new Set(cases.map(({ beta }) => beta))];
  return betas.flatMap((beta) =>
    (["early", "late"] as const).map((detection) => {
      const tail = usualTail(beta);
      const grid = Array.from({ length: POINTS }, (_, i) => 1 + ((i + 1) * FARTHEST) / POINTS);
      const holds = grid.filter(
        (r) => restartedTail(tail, r, detection) <= tailBound(tail, r) * (1 + ROUNDING),
      );
      return exactly(holds.length / grid.length, {
        figure: "prop1",
        setting: `beta ${beta}, ${SETTINGS[detection]}`,
        metric: "share of times where the bound holds",
      });
    }),
  );
}

const ROUNDING = 1e-9;

/** Figure 24, at one point of the tail. */
function tailLeft(tail: HeavyTail): Measured {
  return exactly(tailBound(tail, FAR) / tailOf(tail, FAR), {
    figure: "fig24",
    setting: `P(R > ${FAR}) after restarts`,
    metric: "over that before",
  });
}

const FAR = 20;

function tails(tail: HeavyTail, to: number): readonly Curve[] {
  const grid = Array.from({ length: POINTS + 1 }, (_, i) => 1 + ((to - 1) * i) / POINTS);
  const curve = (label: string, y: (r: number) => number): Curve => ({
    label,
    points: grid.map((x) => ({ x, y: y(x) })),
  });
  return [
    curve("before", (r) => tailOf(tail, r)),
    curve("after, bound of Proposition 1", (r) => tailBound(tail, r)),
    curve("after, killed delta after its start", (r) => restartedTail(tail, r, "early")),
  ];
}
