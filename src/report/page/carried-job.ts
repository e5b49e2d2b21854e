import { assert } from "../../base/assert.ts";
import { type Fields, hasFields } from "../../base/json.ts";
import { cell, partOf, recordOf } from "../../base/rows.ts";
import { ATTEMPT, type AttemptColumns, CURVE_POINTS, MOMENTS } from "../../history/columns.ts";
import type { Signal, TraceJob, TracePhase } from "../../history/model.ts";
import { type AttemptTable, isSimulated, type PageDocument } from "./document.ts";
import { asciiBytes, asciiText } from "./document-bytes.ts";

/** A job, and whether a page has what a simulation of it needs. */
export interface Carried {
  readonly job: TraceJob;
  readonly isSimulated: boolean;
}

/** What a page carries of a job besides its document: all but the attempts. */
interface CarriedJob extends Omit<TraceJob, "lacks" | "phases" | "nodes" | "executors"> {
  /** The job's place among those of the document. */
  readonly index: number;
  /** The document's time 0, in the job's own time. */
  readonly from: number;
  /** Indexes into the document's nodes. */
  readonly nodes: readonly number[];
  readonly lacks: readonly Signal[];
  readonly phases: readonly (Omit<TracePhase, "attempts"> & { readonly isCurved: boolean })[];
}

/** The part of a job that its document lacks. `index`: the job's place there. */
export function carriedJob(
  { executors: _, ...job }: TraceJob,
  { head }: PageDocument,
  index: number,
): Uint8Array {
  const numbers = new Map(head.nodes.map(({ name }, n) => [name, n]));
  const phases = job.phases.map(({ attempts, ...phase }) => ({
    ...phase,
    isCurved: attempts.curves !== undefined,
  }));
  // Both are exact: the document's time 0 is a whole ms.
  const from = Math.round(job.submittedAt - cell(head.jobs[index]).submittedAt);
  const nodes = job.nodes.map((name) => cell(numbers.get(name)));
  const lacks = [...job.lacks];
  const carried: CarriedJob = { ...job, index, from, nodes, lacks, phases };
  return asciiBytes(JSON.stringify(carried));
}

/** Reads what `carriedJob` wrote; the attempts are parts of the document's table. */
export function jobFromCarried(bytes: Uint8Array, { head, attempts }: PageDocument): Carried {
  const carried: unknown = JSON.parse(asciiText(bytes));
  assert(isCarried(carried), "a page carries a job of its own kind");
  const { index, from, ...job } = carried;
  const firstPhase = head.phases.findIndex((phase) => phase.job === index);
  const first = attempts.phase.findIndex((phase) => phase >= firstPhase);
  let row = first;
  const nodeOf = new Map(job.nodes.map((node, n) => [node, n]));
  const phases = job.phases.map(({ isCurved, ...phase }, p) => {
    const begin = row;
    while (attempts.phase[row] === firstPhase + p) row += 1;
    const { curves: own, ...columns } = ownColumns(attempts, { begin, end: row, from, nodeOf });
    const curves = isCurved ? { curves: cell(own) } : {};
    return { ...phase, attempts: { ...columns, ...curves } };
  });
  return {
    isSimulated: isSimulated(head, row - first),
    job: {
      ...job,
      nodes: job.nodes.map((n) => cell(head.nodes[n]).name),
      executors: head.jobs[index]?.executors ?? [],
      lacks: new Set(job.lacks),
      phases,
    },
  };
}

interface Part {
  readonly begin: number;
  readonly end: number;
  readonly from: number;
  /** The job's number of a node of the document. */
  readonly nodeOf: ReadonlyMap<number, number>;
}

/** Rows of the table as columns of a phase. */
function ownColumns(table: AttemptTable, { begin, end, from, nodeOf }: Part): AttemptColumns {
  const part = partOf(ATTEMPT, table, begin, end);
  const moments = recordOf(MOMENTS, (name) => part[name].map((at) => at + from));
  const curves = table.curves?.subarray(CURVE_POINTS * begin, CURVE_POINTS * end);
  return {
    ...part,
    ...moments,
    node: part.node.map((node) => nodeOf.get(node) ?? -1),
    length: end - begin,
    ...(curves !== undefined && { curves }),
  };
}

const CARRIED: Fields = {
  ...{ id: "string", index: "number", from: "number", phases: "list", nodes: "list" },
  ...{ slots: "list", spans: "list", lacks: "list", settings: "object" },
};

const isCarried = (job: unknown): job is CarriedJob => hasFields(job, CARRIED);
