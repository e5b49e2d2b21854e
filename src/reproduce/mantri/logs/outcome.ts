import { defined } from "../../../base/assert.ts";
import { grouped } from "../../../base/grouped.ts";
import { median, standardDeviation, sum } from "../../../base/stats.ts";
import { explainedBy, OUTLIER_FACTOR } from "../../../measures/phase-measures.ts";
import type { Observation } from "../../../measures/regression.ts";
import type { Row, Rows } from "../../study/table.ts";
import { jobFigures, logRun } from "../jobs/job-figures.ts";
import type { JobLog } from "./job-log.ts";
import type { LossLog } from "./losses.ts";
import type { LogModel } from "./model.ts";
import { attemptOf, type PhaseLog, type Role } from "./phase-log.ts";

/** Longer than this times the median: Figure 3. */
const MILD = 2.5;
/** The middle of the mild outliers, which begin at 1.5 times. */
const HALF_MILD = 2;
const EXTREME = 10;
/** §4.1: a phase has many outliers if over 15 % of its tasks are outliers. */
const MANY = 0.15;

/** The jobs of one unit, their phases and their losses, as §3 and §4 measure those of Cosmos. */
export function logRows(
  model: LogModel,
  jobs: readonly JobLog[],
  { date, repeats }: { readonly date: number; readonly repeats: number },
): Rows {
  const logged = jobs.map((job) => ({ job, run: logRun(model, job) }));
  const phases = logged.flatMap(({ job, run }, of) =>
    job.phases.map((phase, i) => {
      const losses = run.losses.filter((loss) => loss.phase === i);
      const { outliers, role, improvable, ...figures } = characteristicsOf(model, phase);
      const count = (holds: (size: number) => boolean) => outliers.filter(holds).length;
      return {
        of,
        spell: Math.floor(phase.time.beginMs / model.times.spellMs),
        row: {
          ...figures,
          date,
          reduceFarBytes: role === "reduce" ? figures.crossRackBytes : 0,
          joinFarBytes: role === "join" ? figures.crossRackBytes : 0,
          outliers: outliers.length,
          mild: count((size) => size < MILD),
          halfMild: count((size) => size < HALF_MILD),
          extreme: count((size) => size > EXTREME),
          outlierShare: outliers.length / figures.tasks,
          // Without slow tasks there is none to improve.
          improvable: improvable ?? 0,
          losses: losses.length,
          waiting: Math.max(0, ...losses.map(({ waiting }) => waiting)),
        },
      };
    }),
  );
  const losses = logged.flatMap(({ run }) => run.losses);
  const dateJobs = defined(model.dates[date], "a date of the logs").jobs;
  return {
    jobs: logged.map(({ job, run }) => ({
      ...jobFigures(model, job, { logged: run, repeats }),
      date,
      dateJobs,
    })),
    phases: phases.map(({ row }) => row),
    losses: losses.map((loss) => lossRow(model, loss)),
    // A phase waits for each loss of it; all others do not wait.
    waits: [
      ...losses.map(({ waiting }) => ({ waiting, phases: 1 })),
      { waiting: 0, phases: Math.max(0, phases.length - losses.length) },
    ],
    beside: besideMany(phases),
  };
}

function lossRow({ losses, contention }: LogModel, { machine, sizes }: LossLog): Row {
  const count = (holds: (size: number) => boolean) => sum(sizes.map((x) => (holds(x) ? 1 : 0)));
  return {
    machine,
    machines: losses.machines,
    // The flaky machines come first.
    isFlaky: machine < Math.max(1, Math.round(losses.machines * losses.flaky)) ? 1 : 0,
    recomputes: sizes.length,
    usual: count((size) => size <= 1 + contention.noise),
    extreme: count((size) => size > EXTREME),
  };
}

/** The phases of other jobs at the time of each phase with many outliers. */
function besideMany(
  phases: readonly {
    readonly of: number;
    readonly spell: number;
    readonly row: { readonly outlierShare: number };
  }[],
): readonly Row[] {
  const spells = grouped(phases, ({ spell }) => spell);
  return [...spells.values()].flatMap((spell) =>
    spell
      .filter(({ row }) => row.outlierShare > MANY)
      .flatMap(({ of }) => spell.filter((other) => other.of !== of))
      .map(({ row }) => ({ outlierShare: row.outlierShare })),
  );
}

/** The measures of a phase in §3 and §4. */
interface PhaseCharacteristics {
  readonly role: Role;
  readonly tasks: number;
  /** Tasks divided by slots. */
  readonly waves: number;
  readonly computeMs: number;
  readonly bytes: number;
  readonly crossRackBytes: number;
  /** Standard deviation over mean of the tasks' data. */
  readonly sizeVariation: number;
  /** The time over the median, for the tasks that are longer than 1.5 times the median. */
  readonly outliers: readonly number[];
  /** The share of the outliers whose time the data explains; undefined without outliers. */
  readonly explained: number | undefined;
  /**
   * Among the tasks that take over 1.2 times what the data explains, the share that are no
   * outliers; undefined without such tasks.
   */
  readonly improvable: number | undefined;
}

function characteristicsOf(model: LogModel, phase: PhaseLog): PhaseCharacteristics {
  const tasks: Observation[] = Array.from(phase.bytes, (bytes, index) => {
    const { ms, crossRackBytes } = attemptOf(model, phase, { index, ordinal: 0 });
    return { bytes, farBytes: crossRackBytes, ms };
  });
  const usualMs = median(tasks.map(({ ms }) => ms));
  const outliers = tasks.filter(({ ms }) => ms > OUTLIER_FACTOR * usualMs);
  const { explained, improvable } = explainedBy(tasks, usualMs);
  const sizes = [...phase.bytes];
  return {
    role: phase.role,
    tasks: tasks.length,
    waves: tasks.length / phase.slots,
    computeMs: sum(tasks.map(({ ms }) => ms)),
    bytes: sum(sizes),
    crossRackBytes: sum(tasks.map(({ farBytes }) => farBytes)),
    sizeVariation: standardDeviation(sizes) / (sum(sizes) / sizes.length),
    outliers: outliers.map(({ ms }) => ms / usualMs),
    explained,
    improvable,
  };
}
