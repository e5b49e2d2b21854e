import { defined } from "../../../base/assert.ts";
import { percentile } from "../../../base/stats.ts";
import { withOracle } from "../../../hosts/sim/oracle.ts";
import type { Oracle, Scenario } from "../../../hosts/sim/scenario.ts";
import { simulateOnce } from "../../../hosts/sim/simulate-once.ts";
import type { Fact } from "../../../model/fact.ts";
import type { AttemptId, NodeId, PhaseId, RackId, TaskId } from "../../../model/ids.ts";
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
  const tally = new ReduceTally();
  const result = simulateOnce(withOracle(scenario, oracle), {
    seed,
    discipline,
    onFact: (fact) => tally.apply(fact),
  });
  return { ...tally.figures(), jobMs: result.makespanMs - tally.submittedAt };
}

interface Attempted {
  readonly index: number;
  readonly rack: RackId;
  readonly startedAt: number;
  endedAt: number | undefined;
}

/** A fold over the facts of a run of maps and reduces. */
class ReduceTally {
  submittedAt = 0;
  #reduces: PhaseId | undefined;
  readonly #tasks = new Map<TaskId, { readonly phase: PhaseId; readonly index: number }>();
  readonly #racks = new Map<NodeId, RackId>();
  readonly #attempts = new Map<AttemptId, Attempted>();
  #bytes: number[] = [];

  apply(fact: Fact): void {
    switch (fact.kind) {
      case "node-joined":
        this.#racks.set(fact.node.id, fact.node.rack);
        return;
      case "job-submitted":
        this.submittedAt = fact.at;
        for (const { id, after, tasks } of fact.job.phases) {
          if (after.length > 0) this.#reduces = id;
          for (const task of tasks) this.#tasks.set(task.id, { phase: id, index: task.index });
        }
        return;
      case "attempt-started":
        this.#started(fact);
        return;
      case "output-made":
        this.#made(fact);
        return;
      default:
    }
  }

  #started({ attempt, task, node, startedAt }: Extract<Fact, { kind: "attempt-started" }>): void {
    const { phase, index } = defined(this.#tasks.get(task), "a task of the job");
    if (phase !== this.#reduces) return;
    const rack = defined(this.#racks.get(node), "the rack of a node");
    this.#attempts.set(attempt, { index, rack, startedAt, endedAt: undefined });
  }

  #made({ at, attempt, output }: Extract<Fact, { kind: "output-made" }>): void {
    for (const [i, bytes] of (output.byPartition ?? []).entries()) {
      this.#bytes[i] = (this.#bytes[i] ?? 0) + bytes;
    }
    const running = this.#attempts.get(attempt);
    if (running !== undefined) running.endedAt = at;
  }

  figures(): Omit<PlacementRun, "jobMs"> {
    const attempts = [...this.#attempts.values()];
    const first = Math.min(...attempts.map(({ startedAt }) => startedAt));
    const ended = attempts.map(({ endedAt }) => defined(endedAt, "an end: nothing is killed"));
    const rates = attempts.map(({ index, startedAt }, i) => {
      const ms = Math.max(1, defined(ended[i], "an end") - startedAt);
      return (this.#bytes[index] ?? 0) / ms;
    });
    const rising = Float64Array.from(rates).sort();
    return {
      phaseMs: Math.max(...ended) - first,
      medianToSlowest: percentile(rising, 50) / percentile(rising, 0),
      spread: attempts.length / new Set(attempts.map(({ rack }) => rack)).size,
    };
  }
}
