import { TRACE_ENDS } from "../../../history/columns.ts";
import { ColumnsBuilder } from "../../../history/columns-builder.ts";
import { type Signal, type TraceJob, type TracePhase, unmeasured } from "../../../history/model.ts";
import { ATTEMPT_KINDS } from "../../../model/attempt.ts";
import type { AttemptFacts } from "../../../run/run-result.ts";
import type { TaskNames } from "./task-names.ts";

/** What the rows of a Hadoop job do not tell. */
const LACKS: readonly Signal[] = ["locality", "slots", "executors", "progress"];

/** The Hadoop job of a run, once it has ended. */
interface Ended {
  readonly names: TaskNames;
  readonly outcome: TraceJob["outcome"];
  /** The name of its reduces' phase, if it has one. */
  readonly reduces: string | undefined;
  /** By Hadoop's name of the task. */
  readonly attempts: ReadonlyMap<string, readonly AttemptFacts[]>;
}

/** The job as a history, for what the papers measure. Times in ms since the run began. */
export function historyOf({ attempts, names, outcome, reduces }: Ended): TraceJob {
  const all = [...attempts.values()].flat();
  const nodes = [...new Set(all.map(({ node }) => node))].sort();
  const phases = names.phases.map(({ name, tasks }, index): TracePhase => {
    const isReduce = name === reduces;
    const rows = new ColumnsBuilder();
    for (const [task, facts] of attempts) {
      const { index, phase } = names.task(task);
      if (phase === name) for (const fact of facts) add(rows, index, { fact, nodes });
    }
    return {
      name,
      kind: isReduce ? "reduce" : "map",
      span: -1,
      // A reduce reads what all the maps have written, and it starts when Hadoop lets it.
      reads: isReduce
        ? Array.from({ length: index }, (_, phase) => ({ phase, start: { when: "pipelined" } }))
        : [],
      tasks,
      attempts: rows.build(),
    };
  });
  const least = (a: number, { launchedAt }: AttemptFacts): number => Math.min(a, launchedAt);
  return {
    id: names.plan.job,
    name: names.plan.job,
    submittedAt: all.reduce(least, Number.POSITIVE_INFINITY),
    endedAt: all.reduce((a, { endedAt }) => Math.max(a, endedAt), 0),
    outcome,
    phases,
    spans: [],
    nodes,
    executors: [],
    slots: [],
    settings: { values: {} },
    lacks: new Set([...LACKS, ...unmeasured(phases)]),
  };
}

function add(
  rows: ColumnsBuilder,
  task: number,
  { fact, nodes }: { readonly fact: AttemptFacts; readonly nodes: readonly string[] },
): void {
  const row = rows.append();
  const { columns } = rows;
  columns.task[row] = task;
  columns.node[row] = nodes.indexOf(fact.node);
  columns.kinds[row] = ATTEMPT_KINDS.indexOf(fact.as);
  columns.ends[row] = TRACE_ENDS.indexOf(fact.end.kind);
  columns.startedAt[row] = fact.launchedAt;
  columns.endedAt[row] = fact.endedAt;
  columns.heardAt[row] = fact.launchedAt + fact.slotMs;
}
