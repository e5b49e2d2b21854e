import { defined } from "../../../base/assert.ts";
import type { Json } from "../../../base/json.ts";
import { integer, randomState } from "../../../base/random.ts";
import { type Infer, list, positive, record, required, whole } from "../../../base/shape.ts";
import { sum } from "../../../base/stats.ts";
import { parseDiscipline } from "../../../policy/discipline.ts";
import type { Discipline } from "../../../policy/policy.ts";
import type {
  Done,
  Experiment,
  ExperimentFile,
  ExperimentKind,
  ExperimentReport,
  Measured,
} from "../../experiment.ts";
import { HEADING } from "../../heading.ts";
import { optimalSchedule } from "../appendix/list-schedule.ts";
import { exactly } from "../estimate.ts";
import { runPhase } from "../phases/phase-run.ts";
import { rowsOf, withAbout } from "../study.ts";

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

/** The worked examples: Figure 10 and Theorem 1. */
type WorkedFile = Infer<typeof file>;
const file = record("the worked examples", {
  ...HEADING,
  /** Random sets of tasks for Theorem 1. */
  instances: required(whole({ min: 1 })),
  figure10: required(example),
});

export const worked: ExperimentKind = {
  kind: "mantri-worked-examples",
  make: ({ name, json, place }: ExperimentFile): Experiment => {
    const read = file.read(json, place);
    return {
      name,
      title: read.title,
      paper: read.paper,
      figures: read.figures,
      units: () => [{ key: `all ${read.instances}`, cost: 1, work: { instances: read.instances } }],
      run: () => run(read),
      report: (done) => withAbout(read, report(done)),
    };
  },
};

const SCHEMES: readonly { readonly setting: string; readonly discipline: Discipline }[] = [
  { setting: "baseline", discipline: parseDiscipline("none,sharing=fifo-plain") },
  { setting: "acting at the end", discipline: parseDiscipline("hadoop,sharing=fifo-plain") },
  {
    setting: "early duplicate",
    discipline: parseDiscipline("mantri-restart", ["speculation.gamma=0"]),
  },
  { setting: "early restart", discipline: parseDiscipline("mantri-restart") },
];

function run({ instances, figure10 }: WorkedFile): Json {
  return [
    ...SCHEMES.map(({ discipline }) => exampleRun(figure10, discipline)),
    theorem1(instances),
  ];
}

/** The completion time, and the slot time of the outlier's attempts, in t. */
function exampleRun(
  { tMs, slots, times, outlier, outlierTime }: Example,
  discipline: Discipline,
): readonly number[] {
  const { completionMs, resourceMs } = runPhase(
    {
      name: "figure-10",
      slots,
      bytes: Float64Array.from(times),
      chance: randomState(1, "figure 10"),
    },
    {
      time: ({ index, ordinal }) =>
        tMs * (index === outlier && ordinal === 0 ? outlierTime : (times[index] ?? 0)),
      discipline,
    },
  );
  const others = sum(times) - (times[outlier] ?? 0);
  return [completionMs / tMs, resourceMs / tMs - others];
}

const SLOT_COUNTS = [2, 3, 4];
const TASKS_MOST = 9;
const TIME_MOST = 20;

const graham = (slots: number): number => 4 / 3 - 1 / (3 * slots);

/** Share of random sets where T is within the bound; then T over the optimum of the tight sets. */
function theorem1(instances: number): readonly number[] {
  const chance = randomState(1, "theorem 1");
  let within = 0;
  for (let i = 0; i < instances; i += 1) {
    const slots = defined(SLOT_COUNTS[integer(chance, SLOT_COUNTS.length)], "a count of slots");
    const count = slots + 1 + integer(chance, TASKS_MOST - slots);
    const times = Array.from({ length: count }, () => 1 + integer(chance, TIME_MOST));
    if (overOptimum(times, slots) <= graham(slots) * (1 + ROUNDING)) within += 1;
  }
  return [within / instances, ...SLOT_COUNTS.map((slots) => overOptimum(tight(slots), slots))];
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
    { time: ({ index }) => 1_000 * (times[index] ?? 0), discipline: LARGEST_FIRST },
  );
  return completionMs / 1_000 / optimalSchedule(times, slots);
}

function report(done: readonly Done[]): ExperimentReport {
  const rows = rowsOf(defined(done[0], "the only unit"));
  const row = (figure: string, setting: string, metric: string, value: number): Measured =>
    exactly(value, { figure, setting, metric });
  const [within = 0, ...tightest] = rows[SCHEMES.length] ?? [];
  return {
    measured: [
      ...SCHEMES.flatMap(({ setting }, i) => {
        const [completion = 0, outlier = 0] = rows[i] ?? [];
        return [
          row("fig10", setting, "completion time, t", completion),
          row("fig10", setting, "slot time of the outlier, t", outlier),
        ];
      }),
      row("theorem1", "random tasks", "share within 4/3 - 1/(3s) of the optimum", within),
      ...SLOT_COUNTS.map((slots, i) =>
        row("theorem1", `worst case, ${slots} slots`, "over the optimum", tightest[i] ?? 0),
      ),
    ],
    drawings: [],
    notes: [],
  };
}
