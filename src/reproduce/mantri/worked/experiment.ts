import { defined } from "../../../base/assert.ts";
import { integer, randomState } from "../../../base/random.ts";
import { cell } from "../../../base/rows.ts";
import { type Infer, list, positive, record, required, whole } from "../../../base/shape.ts";
import { sum } from "../../../base/stats.ts";
import { parseDiscipline } from "../../../policy/discipline.ts";
import type { Discipline } from "../../../policy/policy.ts";
import { studyKind } from "../../study/kind.ts";
import { disciplineOf, scheme } from "../../study/scheme.ts";
import type { Row } from "../../study/table.ts";
import { optimalSchedule } from "../appendix/list-schedule.ts";
import { runPhase } from "../phases/phase-run.ts";

/** Figure 10, in units of t. */
type Example = Infer<typeof example>;
const example = record("the tasks of Figure 10", {
  /** t; far longer than the time between reports. */
  tMs: required(positive),
  slots: required(whole({ min: 1 })),
  /** The unhindered time of each task. */
  times: required(list(positive, { min: 1 })),
  /** The index of the task that is slowed on its first node, and its time there. */
  outlier: required(whole({ min: 0 })),
  outlierTime: required(positive),
});

type WorkedSetup = Infer<typeof setup>;
const setup = record("worked examples", {
  /** Random sets of tasks for Theorem 1. */
  instances: required(whole({ min: 1 })),
  figure10: required(example),
  /** Figure 10 runs under each. */
  schemes: required(list(scheme, { min: 1 })),
});

/** The worked examples: Figure 10 and Theorem 1. */
export const worked = studyKind<WorkedSetup>({
  kind: "mantri-worked-examples",
  setup,
  open: ({ instances, figure10, schemes }) => ({
    units: () => [{ key: `all ${instances}`, cost: 1, work: { instances } }],
    run: () => ({
      figure10: [
        Object.fromEntries(
          schemes.flatMap((one) => {
            const { completion, outlier } = exampleRun(figure10, disciplineOf(one));
            return [
              [`completion of ${one.label}`, completion],
              [`outlier of ${one.label}`, outlier],
            ];
          }),
        ),
      ],
      theorem1: [theorem1(instances)],
    }),
  }),
});

/** The completion time, and the slot time of the outlier's attempts, in t. */
function exampleRun(
  { tMs, slots, times, outlier, outlierTime }: Example,
  discipline: Discipline,
): { readonly completion: number; readonly outlier: number } {
  const { completionMs, resourceMs } = runPhase(
    {
      name: "figure-10",
      slots,
      bytes: Float64Array.from(times),
      chance: randomState(1, "figure 10"),
    },
    {
      time: ({ index, ordinal }) =>
        tMs * (index === outlier && ordinal === 0 ? outlierTime : cell(times[index])),
      discipline,
    },
  );
  const others = sum(times) - cell(times[outlier]);
  return { completion: completionMs / tMs, outlier: resourceMs / tMs - others };
}

const SLOT_COUNTS = [2, 3, 4];
const TASKS_MOST = 9;
const TIME_MOST = 20;

const graham = (slots: number): number => 4 / 3 - 1 / (3 * slots);

/** Share of random sets where T is within the bound; then T over the optimum of the tight sets. */
function theorem1(instances: number): Row {
  const chance = randomState(1, "theorem 1");
  let within = 0;
  for (let i = 0; i < instances; i += 1) {
    const slots = defined(SLOT_COUNTS[integer(chance, SLOT_COUNTS.length)], "a count of slots");
    const count = slots + 1 + integer(chance, TASKS_MOST - slots);
    const times = Array.from({ length: count }, () => 1 + integer(chance, TIME_MOST));
    if (overOptimum(times, slots) <= graham(slots) * (1 + ROUNDING)) within += 1;
  }
  const worst = SLOT_COUNTS.map((slots) => {
    return [`worst of ${slots}`, overOptimum(tight(slots), slots)] as const;
  });
  return { within: within / instances, ...Object.fromEntries(worst) };
}

const ROUNDING = 1e-9;

/** Graham's worst case: two tasks each of 2s - 1 down to s + 1, and three of s. */
function tight(slots: number): readonly number[] {
  const times: number[] = [];
  for (let time = 2 * slots - 1; time > slots; time -= 1) times.push(time, time);
  return [...times, slots, slots, slots].reverse();
}

const LARGEST_FIRST = parseDiscipline("mantri-order");

/** T / T_O of the scheduler's own order, which knows the tasks' data but not their times. */
function overOptimum(times: readonly number[], slots: number): number {
  const { completionMs } = runPhase(
    {
      name: "theorem-1",
      slots,
      bytes: Float64Array.from(times),
      chance: randomState(1, "theorem 1"),
    },
    { time: ({ index }) => 1_000 * cell(times[index]), discipline: LARGEST_FIRST },
  );
  return completionMs / 1_000 / optimalSchedule(times, slots);
}
