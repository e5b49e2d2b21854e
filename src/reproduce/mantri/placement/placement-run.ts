import { defined } from "../../../base/assert.ts";
import { cell } from "../../../base/rows.ts";
import { percentile } from "../../../base/stats.ts";
import { AttemptFold, type PastAttempt } from "../../../history/attempts.ts";
import { withOracle } from "../../../hosts/sim/oracle.ts";
import type { Oracle, Scenario } from "../../../hosts/sim/scenario.ts";
import { simulateOnce } from "../../../hosts/sim/simulate-once.ts";
import type { Fact } from "../../../model/fact.ts";
import type { NodeId, RackId } from "../../../model/ids.ts";
import type { Phase } from "../../../model/job.ts";
import type { Discipline } from "../../../policy/policy.ts";

/** The measures of a phase of reduces in §6.2 and §6.4. */
export interface PlacementRun {
  /** From the start of the first task to the end of the last. */
  readonly phaseMs: number;
  /** From the job's submission. */
  readonly jobMs: number;
  /** The median throughput of the tasks over the smallest. */
  readonly medianToSlowest: number;
  /** Concurrent tasks divided by the racks in which they run. */
  readonly spread: number;
}

export function runPlacement(
  scenario: Scenario,
  of: { readonly discipline: Discipline; readonly oracle?: Oracle; readonly seed: number },
): PlacementRun {
  const { discipline, oracle, seed } = of;
  const log = new ReduceLog();
  const result = simulateOnce(withOracle(scenario, oracle), {
    seed,
    discipline,
    onFact: (fact) => log.apply(fact),
  });
  return log.figures(result.makespanMs);
}

/** The attempts of a run of maps and reduces, and the data that each reduce reads. */
class ReduceLog {
  readonly #fold = new AttemptFold();
  readonly #racks = new Map<NodeId, RackId>();
  readonly #attempts: PastAttempt[] = [];
  readonly #bytes: number[] = [];

  apply(fact: Fact): void {
    const past = this.#fold.apply(fact);
    // The reduces are the phase that reads another.
    if (past !== undefined && phaseOf(past).after.length > 0) this.#attempts.push(past);
    if (fact.kind === "node-joined") this.#racks.set(fact.node.id, fact.node.rack);
    if (fact.kind !== "output-made") return;
    for (const [i, bytes] of (fact.output.byPartition ?? []).entries()) {
      this.#bytes[i] = (this.#bytes[i] ?? 0) + bytes;
    }
  }

  figures(makespanMs: number): PlacementRun {
    const attempts = this.#attempts.map(({ of, startedAt, endedAt }) => ({
      bytes: cell(this.#bytes[of.task.index]),
      rack: defined(this.#racks.get(of.node), "the rack of a node"),
      startedAt: defined(startedAt, "a start: nothing is killed"),
      endedAt,
      submittedAt: of.task.of.job.submittedAt,
    }));
    const first = Math.min(...attempts.map(({ startedAt }) => startedAt));
    const rates = attempts.map(({ bytes, startedAt, endedAt }) => {
      return bytes / Math.max(1, endedAt - startedAt);
    });
    const rising = Float64Array.from(rates).sort();
    return {
      phaseMs: Math.max(...attempts.map(({ endedAt }) => endedAt)) - first,
      jobMs: makespanMs - cell(attempts[0]).submittedAt,
      medianToSlowest: percentile(rising, 50) / percentile(rising, 0),
      spread: attempts.length / new Set(attempts.map(({ rack }) => rack)).size,
    };
  }
}

const phaseOf = ({ of: { task } }: PastAttempt): Phase =>
  defined(task.of.job.phases[task.phase], "a phase of the job");
