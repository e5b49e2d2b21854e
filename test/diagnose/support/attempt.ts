import {
  LOCALITIES,
  MEASURES,
  type Measure,
  TRACE_ENDS,
  type TraceEnd,
} from "../../../src/history/columns.ts";
import type { ColumnsBuilder } from "../../../src/history/columns-builder.ts";
import { ATTEMPT_KINDS, type AttemptKind } from "../../../src/model/attempt.ts";
import type { Locality } from "../../../src/model/job.ts";

/** An attempt by its names. Absent measures are unknown. */
export interface NamedAttempt extends Partial<Readonly<Record<Measure, number>>> {
  readonly task: number;
  readonly ordinal: number;
  readonly as: AttemptKind;
  readonly node: number;
  readonly executor?: number;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly ended: TraceEnd;
  readonly locality?: Locality;
}

export function addAttempt(builder: ColumnsBuilder, attempt: NamedAttempt): void {
  const { task, ordinal, as, node, executor = -1, ended, locality } = attempt;
  const row = builder.append();
  const { columns } = builder;
  columns.task[row] = task;
  columns.ordinal[row] = ordinal;
  columns.node[row] = node;
  columns.executor[row] = executor;
  columns.kinds[row] = ATTEMPT_KINDS.indexOf(as);
  columns.ends[row] = TRACE_ENDS.indexOf(ended);
  if (locality !== undefined) columns.localities[row] = LOCALITIES.indexOf(locality);
  columns.heardAt[row] = attempt.endedAt;
  for (const name of MEASURES) {
    const value = attempt[name];
    if (value !== undefined) columns[name][row] = value;
  }
}
