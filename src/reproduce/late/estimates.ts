import { record } from "../../base/shape.ts";
import { mean } from "../../base/stats.ts";
import { timeLeft } from "../../policy/estimate/progress-rate.ts";
import { isBehind } from "../../policy/speculation/hadoop.ts";
import { studyKind } from "../study/kind.ts";
import type { Row } from "../study/table.ts";

/** The worked examples of LATE §3.2 and §4.2, by the policies' own rules, without simulation. */
export const estimates = studyKind<object>({
  kind: "late-estimates",
  setup: record("nothing", {}),
  open: () => ({
    units: () => [{ key: "all", cost: 0.001, work: null }],
    run: () => ({
      misestimate: [misestimate()],
      reducers: [reducers()],
      T1: scores(T1_START_S),
      T2: scores(T2_START_S),
    }),
  }),
});

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

function misestimate(): Row {
  const left = (startS: number): number => {
    const ranS = LOOK_AT_S - startS;
    const score = scoreAfter(ranS);
    return timeLeft({ score, rate: score / ranS });
  };
  return {
    "left of T1": left(T1_START_S),
    "left of T2": left(T2_START_S),
    "T1 - T2": T1_START_S + ENDS_AFTER_S - (T2_START_S + ENDS_AFTER_S),
  };
}

/** Figure 2: the score of a copy over time, where it bends. */
const scores = (startS: number): readonly Row[] =>
  [startS, startS + FIRST.untilS, startS + ENDS_AFTER_S].map((x) => {
    return { x, score: scoreAfter(x - startS) };
  });

/** §3.2: of a hundred reduces some have finished, the others are at the end of their copy stage. */
function reducers(): Row {
  const COPYING = 1 / 3;
  const averageWhen = (finished: number): number =>
    mean(Array.from({ length: 100 }, (_, i) => (i < finished ? 1 : COPYING)));
  const meanProgress = averageWhen(31);
  const isMarked = isBehind({ score: COPYING, meanProgress, gap: 0.2, strict: true });
  return { average: averageWhen(30), marked: isMarked ? 1 : 0 };
}
