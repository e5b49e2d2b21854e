import { randomState, split } from "../../../base/random.ts";
import { cell } from "../../../base/rows.ts";
import {
  type Infer,
  list,
  oneOf,
  optional,
  positive,
  record,
  required,
  whole,
} from "../../../base/shape.ts";
import { sum } from "../../../base/stats.ts";
import { studyKind } from "../../study/kind.ts";
import { disciplineOf, SCHEME } from "../../study/scheme.ts";
import type { Row } from "../../study/table.ts";
import { isPart, numberOf } from "../../study/work.ts";
import { drawJob } from "../logs/job-log.ts";
import { type LogModel, logModel } from "../logs/model.ts";
import type { PhaseLog } from "../logs/phase-log.ts";
import { networkModel } from "./network.ts";
import { runPlacement } from "./placement-run.ts";
import { reduceScenario } from "./reduce-scenario.ts";

/** The job of Figure 14. */
const figure14 = record("the job of Figure 14", {
  racks: required(whole({ min: 2 })),
  bytes: required(positive),
  reduces: required(whole({ min: 1 })),
  mapCpuBytesPerMs: required(positive),
  reduceCpuBytesPerMs: required(positive),
});

type PlacementSetup = Infer<typeof setup>;
const setup = record("a study of placement", {
  network: required(networkModel),
  /** Phases of reduces per run. */
  phases: required(whole({ min: 1 })),
  /** The most tasks of a phase that are placed at once. */
  tasksMost: required(whole({ min: 1 })),
  groupBy: required(figure14),
  /** All other schemes are compared with the first; the second places the job of Figure 14. */
  schemes: required(
    list(record("a scheme", { ...SCHEME, oracle: optional(oneOf(["ideal-reduce"] as const)) }), {
      min: 2,
    }),
  ),
});

const PHASE_COST = 0.1;
const GROUP_BY_COST = 1;

/** §6.2 and §6.4: Figures 5, 14, 19 and 20. */
export const placement = studyKind<PlacementSetup>({
  kind: "mantri-placement",
  setup,
  open: (of, calibration) => {
    const model = logModel(calibration);
    return {
      units: ({ runs }) =>
        Array.from({ length: runs }, (_, run) => [
          {
            key: `phases ${run}`,
            cost: of.phases * PHASE_COST,
            work: { part: "phases", run },
          },
          { key: `group by ${run}`, cost: GROUP_BY_COST, work: { part: "group by", run } },
        ]).flat(),
      run: (work) => {
        const seed = numberOf(work, "run") + 1;
        return isPart(work, "group by")
          ? { groupBy: [groupByRow(of, seed)] }
          : { phases: phaseRows(of, model, seed) };
      },
      numbers: (tables) => ({
        phases: tables("phases").count,
        logged: sum(model.dates.map((date) => date.phases)),
        tasksMost: of.tasksMost,
      }),
    };
  },
});

/** §6.1: the placement that is best in hindsight. */
const IDEAL = "IdealReduce";

function phaseRows(of: PlacementSetup, model: LogModel, seed: number): readonly Row[] {
  const { network, phases, schemes, tasksMost } = of;
  return reducePhases(model, seed, phases).map((phase) => {
    const count = Math.min(tasksMost, phase.slots, phase.bytes.length);
    const bytes = [...phase.bytes.subarray(0, count)];
    const chance = split(phase.chance, PLACES);
    const scenario = reduceScenario(network, { name: phase.name, bytes }, { chance });
    const runs = schemes.map(({ label, oracle, ...one }) => {
      const how = { discipline: disciplineOf(one), seed, ...(oracle && { oracle }) };
      return { label, ...runPlacement(scenario, how) };
    });
    const baseMs = cell(runs[0]).phaseMs;
    const ideal = { label: IDEAL, phaseMs: Math.min(...runs.map(({ phaseMs }) => phaseMs)) };
    return {
      ms: baseMs,
      ...Object.fromEntries(
        runs.map(({ label, medianToSlowest }) => [`ratio of ${label}`, medianToSlowest]),
      ),
      ...Object.fromEntries(
        [...runs, ideal].map(({ label, phaseMs }) => [
          `reduction of ${label}`,
          1 - phaseMs / baseMs,
        ]),
      ),
    };
  });
}

/** A random stream that no attempt uses: their numbers begin at 0. */
const PLACES = -2;

/** Phases with more than one reduce task, from jobs of all dates in turn. */
function reducePhases(model: LogModel, seed: number, count: number): readonly PhaseLog[] {
  const found: PhaseLog[] = [];
  for (let job = 0; found.length < count; job += 1) {
    const date = job % model.dates.length;
    const { phases } = drawJob(model, { date, job, seed });
    found.push(...phases.filter(({ role, bytes }) => role === "reduce" && bytes.length > 1));
  }
  return found.slice(0, count);
}

/** The reductions of the reduce phase and of the job, and the spread without and with placement. */
function groupByRow({ network, groupBy, schemes }: PlacementSetup, seed: number): Row {
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
  const [before, after] = schemes
    .slice(0, 2)
    .map((one) => runPlacement(scenario, { discipline: disciplineOf(one), seed }))
    .map(cell);
  return {
    phase: 1 - cell(after).phaseMs / cell(before).phaseMs,
    job: 1 - cell(after).jobMs / cell(before).jobMs,
    "spread before": cell(before).spread,
    "spread after": cell(after).spread,
  };
}
