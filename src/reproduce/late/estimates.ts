import { record } from "../../base/shape.ts";
import { mean } from "../../base/stats.ts";
import { timeLeft } from "../../policy/estimate/progress-rate.ts";
import { isBehind } from "../../policy/speculation/hadoop.ts";
import type { Drawing, Point } from "../../report/chart/drawing.ts";
import type { Experiment, ExperimentKind, Measured } from "../experiment.ts";
import { HEADING } from "../heading.ts";

/** The worked examples of LATE §3.2 and §4.2, by the policies' own rules, without simulation. */
export const estimates: ExperimentKind = {
  kind: "late-estimates",
  make({ name, json, place }): Experiment {
    const { title, paper, figures } = heading.read(json, place);
    return {
      name,
      title,
      paper,
      figures,
      units: () => [{ key: "all", cost: 0.001, work: null }],
      run: () => null,
      report: () => ({
        measured: [...misestimate(), ...reducers()].map(exactly),
        drawings: [scores()],
        notes: [],
      }),
    };
  },
};

const heading = record("worked examples", HEADING);

type Row = Pick<Measured, "figure" | "setting" | "metric" | "value">;

const exactly = (row: Row): Measured => ({ ...row, low: row.value, high: row.value, runs: 1 });

/** §4.2: 5 % of the score a second up to a half, then 1 % a second. */
const FIRST = { untilS: 10, perS: 0.05 };
const SECOND = { perS: 0.01 };
const T1_START_S = 0;
const T2_START_S = 10;
const LOOK_AT_S = 20;

function scoreAfter(ranS: number): number {
  const first = Math.min(Math.max(0, ranS), FIRST.untilS);
  return first * FIRST.perS + (Math.max(0, ranS) - first) * SECOND.perS;
}

const ENDS_AFTER_S = FIRST.untilS + (1 - FIRST.untilS * FIRST.perS) / SECOND.perS;

function misestimate(): readonly Row[] {
  const left = (startS: number): number => {
    const ranS = LOOK_AT_S - startS;
    const score = scoreAfter(ranS);
    return timeLeft({ score, rate: score / ranS });
  };
  const ends = T1_START_S + ENDS_AFTER_S - (T2_START_S + ENDS_AFTER_S);
  const metric = "estimated time left, s";
  return [
    { figure: "fig2", setting: "T1 at 20 s", metric, value: left(T1_START_S) },
    { figure: "fig2", setting: "T2 at 20 s", metric, value: left(T2_START_S) },
    { figure: "fig2", setting: "T1 - T2", metric: "end, s", value: ends },
  ];
}

/** Figure 2: both scores over time, until the first one ends. */
function scores(): Drawing {
  const curve = (label: string, startS: number) => {
    const at = [startS, startS + FIRST.untilS, startS + ENDS_AFTER_S];
    const points = at.map((x): Point => ({ x, y: scoreAfter(x - startS) }));
    return { label, points };
  };
  return {
    kind: "curves",
    figure: "fig2",
    title: "Two copies of a task that slows down half-way",
    x: { title: "time, s" },
    y: { title: "progress score", from: 0, to: 1 },
    steps: false,
    curves: [curve("T1", T1_START_S), curve("T2", T2_START_S)],
  };
}

/** §3.2: of a hundred reduces some have finished, the others are at the end of their copy stage. */
function reducers(): readonly Row[] {
  const COPYING = 1 / 3;
  const averageWhen = (finished: number): number =>
    mean(Array.from({ length: 100 }, (_, i) => (i < finished ? 1 : COPYING)));
  const isMarked = isBehind({
    score: COPYING,
    meanProgress: averageWhen(31),
    gap: 0.2,
    strict: true,
  });
  return [
    {
      figure: "s3.2",
      setting: "30 % of the reduces have finished",
      metric: "average progress",
      value: averageWhen(30),
    },
    {
      figure: "s3.2",
      setting: "31 % of the reduces have finished",
      metric: "share of the others that native marks",
      value: isMarked ? 1 : 0,
    },
  ];
}
