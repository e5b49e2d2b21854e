import { cell, namesOfFloats } from "../../base/rows.ts";
import { endAt, kindAt, localityAt, slotMsAt } from "../../history/columns.ts";
import { type AttemptTable, PAGE_ATTEMPT, type PageDocument } from "./document.ts";

/**
 * An attempt with its names, for files that other programs read. A measure is NaN where nothing is
 * known: null in JSON.
 */
export interface AttemptRow {
  readonly job: string;
  readonly phase: string;
  readonly task: number;
  readonly attempt: number;
  readonly node: string;
  readonly executor: string | null;
  readonly kind: string;
  readonly end: string;
  readonly locality: string | null;
  readonly slotMs: number;
  /** Each measure of the table by its name, to which that of a moment adds the unit. */
  readonly [measure: string]: string | number | null;
}

const MEASURES = namesOfFloats(PAGE_ATTEMPT).map(
  (name) => [name.replace(/At$/, "AtMs"), name] as const,
);

/** In the order of the page's table: by phase and start. */
export function* attemptRows({ head, attempts }: PageDocument): Generator<AttemptRow, void> {
  for (let i = 0; i < attempts.length; i++) {
    const phase = cell(head.phases[cell(attempts.phase[i])]);
    const job = cell(head.jobs[phase.job]);
    yield {
      job: job.name,
      phase: phase.name,
      task: cell(attempts.task[i]),
      attempt: cell(attempts.ordinal[i]),
      node: head.nodes[cell(attempts.node[i])]?.name ?? "",
      executor: job.executors?.[cell(attempts.executor[i])] ?? null,
      kind: kindAt(attempts, i),
      end: endAt(attempts, i),
      reason: job.reasons?.[cell(attempts.reason[i])] ?? null,
      locality: localityAt(attempts, i) ?? null,
      slotMs: slotMsAt(attempts, i),
      ...Object.fromEntries(measuresAt(attempts, i)),
    };
  }
}

/** All measures of an attempt, by the names that rows have; NaN where nothing is known. */
export const measuresAt = (attempts: AttemptTable, i: number) =>
  MEASURES.map(([name, of]) => [name, cell(attempts[of][i])] as const);
