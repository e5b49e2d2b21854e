import { defined } from "../../../base/assert.ts";
import { type RandomState, randomState, split } from "../../../base/random.ts";
import { type Infer, list, number, record, required, whole } from "../../../base/shape.ts";
import { mean, sum } from "../../../base/stats.ts";
import { studyKind } from "../../study/kind.ts";
import type { Row, Rows } from "../../study/table.ts";
import { isPart, numberOf } from "../../study/work.ts";
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

type AppendixSetup = Infer<typeof setup>;
const setup = record("a study of appendix A", {
  /** Schedules per run. */
  trials: required(whole({ min: 1 })),
  cases: required(list(line, { min: 1 })),
  figure24: required(figure24),
});

/** The cost of a task in all schedules of a run, in seconds. */
const TASK_COST = 5e-5;

/** Appendix A: Table 3, Propositions 1 and 2, Figure 24. */
export const appendix = studyKind<AppendixSetup>({
  kind: "mantri-appendix",
  setup,
  open: ({ cases, figure24, trials }) => ({
    units: ({ runs }) => [
      ...cases.map(({ tasks, beta, slots }, index) => ({
        key: `${beta} ${tasks} ${slots} ${runs}`,
        cost: tasks * runs * TASK_COST,
        work: { index, runs },
      })),
      { key: "figure 24", cost: TASK_COST, work: { part: "figure 24" } },
    ],
    run: (work) => {
      if (isPart(work, "figure 24")) return curveRows(figure24);
      const index = numberOf(work, "index");
      const of = defined(cases[index], "a line of Table 3");
      return {
        cases: Array.from({ length: numberOf(work, "runs") }, (_, run) => {
          return { line: index, run, ...runRow(of, trials, run) };
        }),
        bounds: [{ line: index, ...propositionOne(usualTail(of.beta)) }],
      };
    },
    numbers: () => ({ trials }),
  }),
});

/** The source of R': the bound of Proposition 1 as the paper says, or restarted tasks. */
const SOURCES = ["bound", "early", "late"] as const;
type Source = (typeof SOURCES)[number];

/** The reduction by each source, and the margin by which Proposition 2 holds. */
function runRow(of: Case, trials: number, run: number): Row {
  const chance = randomState(run + 1, `appendix/${of.beta}/${of.tasks}`);
  const drawn = Array.from({ length: trials }, (_, trial) => trialOf(of, split(chance, trial)));
  // For a tail with beta below 2 the longest task has no finite variance, and a mean over
  // schedules is nearly always too small. E max R is known exactly, so only what a schedule adds
  // to it is drawn.
  const added = mean(drawn.map(({ makespan, longest }) => makespan - longest));
  const before = meanLongest(of.beta, of.tasks) + added;
  const reductions = SOURCES.map(
    (source) =>
      [source, 1 - mean(drawn.map(({ restarted }) => restarted[source])) / before] as const,
  );
  const margin = mean(drawn.map(({ aboveBound }) => aboveBound)) / before;
  return { ...Object.fromEntries(reductions), margin };
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

const POINTS = 200;
/** Further out in the tail both sides are almost 0. */
const FARTHEST = 60;
const ROUNDING = 1e-9;

/** Proposition 1: the share of a fine grid on which P(R' > r) is within its bound. */
function propositionOne(tail: HeavyTail): Row {
  const grid = Array.from({ length: POINTS }, (_, i) => 1 + ((i + 1) * FARTHEST) / POINTS);
  const held = (detection: Detection): number =>
    grid.filter((r) => restartedTail(tail, r, detection) <= tailBound(tail, r) * (1 + ROUNDING))
      .length / grid.length;
  return { early: held("early"), late: held("late") };
}

const FAR = 20;

/** Figure 24: the curves, and what is left at one point of the tail. */
function curveRows({ beta, restart, to }: AppendixSetup["figure24"]): Rows {
  const tail = { beta, restart, delta: 1 };
  const grid = Array.from({ length: POINTS + 1 }, (_, i) => 1 + ((to - 1) * i) / POINTS);
  return {
    tails: grid.map((x) => ({
      x,
      before: tailOf(tail, x),
      bound: tailBound(tail, x),
      early: restartedTail(tail, x, "early"),
    })),
    far: [{ left: tailBound(tail, FAR) / tailOf(tail, FAR) }],
  };
}
