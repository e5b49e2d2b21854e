import { sum } from "../../../base/stats.ts";
import { chopTailMakespan, noSkewMakespan } from "../../../hosts/sim/oracles.ts";
import type { Discipline } from "../../../policy/policy.ts";
import { disciplineOf, type Scheme } from "../../study/scheme.ts";
import type { Row, Rows } from "../../study/table.ts";
import type { LoggedJobRun } from "../jobs/job-run.ts";
import type { LogModel } from "../logs/model.ts";
import { loggedTimes, runPhase } from "./phase-run.ts";
import type { SampledPhase } from "./sample.ts";

/**
 * Each phase with its reductions under each scheme, and under the oracles of §6.1, which no
 * scheduler can follow; and the restarts of all schemes over the phases.
 */
export function phaseRows(
  phases: readonly SampledPhase[],
  of: {
    readonly model: LogModel;
    readonly baseline: Discipline;
    readonly schemes: readonly Scheme[];
  },
): Rows {
  const schemes = of.schemes.map((scheme) => {
    return { label: scheme.label, discipline: disciplineOf(scheme), runs: new Restarts() };
  });
  const rows = phases.map(({ phase, standsFor }): Row => {
    const time = loggedTimes(of.model, phase);
    const current = runPhase(phase, { time, discipline: of.baseline });
    const cells = schemes.flatMap(({ label, discipline, runs }) => {
      const run = runPhase(phase, { time, discipline });
      runs.add(run, { tasks: phase.bytes.length, standsFor });
      return [
        [`completion of ${label}`, reduction(current.completionMs, run.completionMs)],
        [`resources of ${label}`, reduction(current.resourceMs, run.resourceMs)],
      ] as const;
    });
    const tasks = [{ taskMs: Array.from(phase.bytes, (_, index) => time({ index, ordinal: 0 })) }];
    const ideal = (makespanMs: number) => reduction(current.completionMs, makespanMs);
    return {
      standsFor: rounded(standsFor),
      weight: rounded(standsFor) * rounded(current.completionMs / 1_000),
      ...Object.fromEntries(cells),
      "completion of NoSkew": ideal(noSkewMakespan(tasks, phase.slots)),
      "completion of NoSkew+ChopTail": ideal(chopTailMakespan(tasks, phase.slots)),
    };
  });
  const restarts = schemes.flatMap(({ label, runs }) => [
    [`perTask of ${label}`, runs.perTask] as const,
    [`launched of ${label}`, runs.launched] as const,
    [`succeeded of ${label}`, runs.succeeded] as const,
  ]);
  const all = sum(phases.map(({ standsFor }) => rounded(standsFor)));
  return { phases: rows, restarts: [{ phases: all, ...Object.fromEntries(restarts) }] };
}

/** The restarts of a scheme over some phases. */
class Restarts {
  /** The sum over the phases of their restarts per task. */
  perTask = 0;
  launched = 0;
  succeeded = 0;

  add(
    run: LoggedJobRun,
    { tasks, standsFor }: { readonly tasks: number; readonly standsFor: number },
  ): void {
    this.perTask += (standsFor * run.restarts) / tasks;
    this.launched += standsFor * run.restarts;
    this.succeeded += standsFor * run.successes;
  }
}

/** Equation 4. */
const reduction = (current: number, modified: number): number =>
  rounded((current - modified) / current);

/** More digits would bloat the files of a full run. */
const rounded = (value: number): number => Math.round(value * 1e5) / 1e5;
