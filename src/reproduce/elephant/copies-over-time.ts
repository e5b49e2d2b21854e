import { defined } from "../../base/assert.ts";
import {
  dictionary,
  type Infer,
  number,
  type Place,
  positive,
  record,
  required,
  standard,
} from "../../base/shape.ts";
import { type Scenario, simulateOnce } from "../../hosts/sim/index.ts";
import { AttemptLog, type LoggedAttempt } from "../scenarios/attempt-log.ts";
import { scenarioOf } from "../scenarios/kind.ts";
import { anything, discipline, disciplineFrom } from "../scenarios/shape.ts";
import { studyKind } from "../study/kind.ts";
import type { Row } from "../study/table.ts";

type CopiesSetup = Infer<typeof setup>;
const setup = record("copies over time", {
  /** As in the kind `scenarios`. */
  scenario: required(anything),
  /** Changes to the scenario, as JSON merge patches. */
  panels: required(dictionary(anything)),
  disciplines: required(dictionary(discipline)),
  /** Seconds between two samples. */
  everyS: required(positive),
  seed: standard(number(), 1),
});

/**
 * Figures 3, 4 and 7 of the Elephant paper: how many speculative attempts run at a time, and how
 * many of these will win. As in the paper, each figure shows one run: the table "panel/discipline".
 */
export const copiesOverTime = studyKind<CopiesSetup>({
  kind: "copies-over-time",
  setup,
  open: (of, _, place) => {
    const runs = runsOf(of, place);
    return {
      units: () => [...runs.keys()].map((key) => ({ key, cost: 1, work: key })),
      run: (work) => {
        const name = String(work);
        return { [name]: looks(of, defined(runs.get(name), "a run of this study")) };
      },
      numbers: () => ({ seed: of.seed }),
    };
  },
});

interface Run {
  readonly scenario: Scenario;
  readonly discipline: ReturnType<typeof disciplineFrom>;
}

const runsOf = (
  { scenario, panels, disciplines }: CopiesSetup,
  place: Place,
): ReadonlyMap<string, Run> =>
  new Map(
    Object.entries(panels).flatMap(([panel, change]) => {
      const changed = scenarioOf({ title: panel, scenario }, panel, change, place);
      return Object.entries(disciplines).map(([label, one]) => {
        const run = { scenario: changed, discipline: disciplineFrom(one) };
        return [`${panel}/${label}`, run] as const;
      });
    }),
  );

/** For each sample: how many copies run, and how many of these are going to win. */
function looks({ everyS, seed }: CopiesSetup, { scenario, discipline }: Run): readonly Row[] {
  const log = new AttemptLog();
  const { makespanMs } = simulateOnce(scenario, {
    seed,
    discipline,
    onFact: (fact) => log.apply(fact),
  });
  log.close();
  const copies = log.attempts.filter(({ as }) => as === "speculative");
  const useful = copies.filter(({ ended }) => ended === "succeeded");
  return Array.from({ length: Math.ceil(makespanMs / 1000 / everyS) }, (_, i) => {
    const at = i * everyS * 1000;
    return { x: i * everyS, running: runningAt(copies, at), useful: runningAt(useful, at) };
  });
}

/** The attempts that have started and not yet ended. */
export const runningAt = (
  attempts: readonly Pick<LoggedAttempt, "launchedAt" | "endedAt">[],
  at: number,
): number => attempts.filter(({ launchedAt, endedAt }) => launchedAt <= at && at < endedAt).length;
