import { assert } from "../../base/assert.ts";
import { type Fields, hasFields } from "../../base/json.ts";
import { cell, columnsBy } from "../../base/rows.ts";
import {
  ATTEMPT,
  type AttemptColumns,
  CURVE_POINTS,
  MEASURES,
  type Measure,
  UNKNOWN,
} from "../../history/columns.ts";
import type { TraceJob, TracePhase } from "../../history/model.ts";
import { columnBytes, columnFrom } from "./column-bytes.ts";
import type { PageDocument } from "./document.ts";
import { asciiBytes, asciiText, counted, partsOf } from "./document-bytes.ts";

/** A job, and whether its curves are exact, as the simulator needs them. */
export interface Carried {
  readonly job: TraceJob;
  readonly isWhole: boolean;
}

/**
 * The part of a job that a page carries besides its document, exact to the last bit: all that the
 * document's table does not hold. The curves of a job that is not whole come from the document, in
 * whole ms. `jobIndex`: the job's place among those of the document.
 */
export function carriedJob(
  { job, isWhole }: Carried,
  document: PageDocument,
  jobIndex: number,
): Uint8Array {
  const bytes: Uint8Array[] = [];
  const first = firstPhase(document, jobIndex);
  const from = job.submittedAt - (document.head.jobs[jobIndex]?.submittedAt ?? 0);
  const phases = job.phases.map(({ attempts: columns, ...phase }, p) => {
    const source = { document, from, columns, rows: rowsOf(document, first + p) };
    const carried = carriedColumns(source, isWhole);
    bytes.push(...carried.map(({ values }) => exactBytes(values)));
    const names = carried.map(({ name }) => name);
    return { ...phase, columns: names, isCurved: columns.curves !== undefined };
  });
  const head = { ...job, from, isWhole, lacks: [...job.lacks], phases };
  return counted(jobIndex, [asciiBytes(JSON.stringify(head)), ...bytes]);
}

/** Reads what `carriedJob` wrote. */
export function jobFromCarried(bytes: Uint8Array, document: PageDocument): Carried {
  const { count: jobIndex, parts } = partsOf(bytes);
  const [text = new Uint8Array(), ...columns] = parts;
  const carried: unknown = JSON.parse(asciiText(text));
  assert(isCarriedHead(carried), "a page carries a job of its own kind");
  const { from, isWhole, ...head } = carried;
  const first = firstPhase(document, jobIndex);
  const nodes = new Map(head.nodes.map((name, n) => [name, n]));
  const nodeAt = document.head.nodes.map(({ name }) => nodes.get(name) ?? -1);
  let next = 0;
  const phases = head.phases.map(({ columns: names, isCurved, ...phase }, p) => {
    const rows = rowsOf(document, first + p);
    const carried = new Map<CarriedName, Float64Array>();
    for (const name of names) {
      const count = name === "curves" ? CURVE_POINTS * rows.length : rows.length;
      carried.set(name, exactFrom(cell(columns[next++]), count));
    }
    return { ...phase, attempts: rebuilt({ document, from, rows, carried, isCurved, nodeAt }) };
  });
  return { isWhole, job: { ...head, lacks: new Set(head.lacks), phases } };
}

type CarriedName = Measure | "executor" | "localities" | "reason" | "place" | "curves";

interface CarriedHead extends Omit<TraceJob, "lacks" | "phases"> {
  /** The document's time 0, in the job's own time. */
  readonly from: number;
  readonly isWhole: boolean;
  readonly lacks: readonly never[];
  readonly phases: readonly (Omit<TracePhase, "attempts"> & {
    readonly columns: readonly CarriedName[];
    readonly isCurved: boolean;
  })[];
}

const CARRIED: Fields = {
  ...{ id: "string", from: "number", isWhole: "boolean", phases: "list", nodes: "list" },
  ...{ executors: "list", slots: "list", spans: "list", lacks: "list", settings: "object" },
};

const isCarriedHead = (head: unknown): head is CarriedHead => hasFields(head, CARRIED);

/** Moments, which are written relative to the attempt's start or end. */
const MOMENTS: readonly Measure[] = [
  ...(["assignedAt", "startedAt", "endedAt", "heardAt"] as const),
  ...(["shuffleEndAt", "sortEndAt", "resultAt"] as const),
];
const firstPhase = ({ head }: PageDocument, job: number): number =>
  head.phases.findIndex((phase) => phase.job === job);

/** The phase's rows of the document by start and end in whole ms, about as a trace has them. */
function rowsOf({ attempts }: PageDocument, phase: number): readonly number[] {
  const rows: number[] = [];
  for (let i = 0; i < attempts.length; i++) if (attempts.phase[i] === phase) rows.push(i);
  const { task, ordinal } = attempts;
  const [startedAt, endedAt] = [
    attempts.startedAt.map(Math.round),
    attempts.endedAt.map(Math.round),
  ];
  const by = (column: Float64Array, a: number, b: number): number =>
    cell(column[a]) - cell(column[b]);
  return rows.sort(
    (a, b) => by(startedAt, a, b) || by(endedAt, a, b) || by(task, a, b) || by(ordinal, a, b),
  );
}

interface Source {
  readonly document: PageDocument;
  readonly from: number;
  readonly rows: readonly number[];
  readonly columns: AttemptColumns;
}

/** The columns with values that the document lacks. */
function carriedColumns({ document, from, rows, columns }: Source, isWhole: boolean) {
  const { task, ordinal } = document.attempts;
  const places = new Map<string, number>();
  for (let at = 0; at < columns.length; at++) {
    places.set(`${columns.task[at]} ${columns.ordinal[at]}`, at);
  }
  const order = rows.map((i) => places.get(`${task[i]} ${ordinal[i]}`) ?? 0);
  const found: { readonly name: CarriedName; readonly values: Float64Array }[] = [];
  const add = (name: CarriedName, of: (at: number, n: number) => number, usual?: number): void => {
    const values = new Float64Array(order.length);
    for (const [n, at] of order.entries()) values[n] = of(at, n);
    const isTold = values.some((value) => value !== usual && !Number.isNaN(value));
    if (isTold) found.push({ name, values });
  };
  for (const name of MEASURES) {
    const base = baseOf(document, from, name);
    const of = (at: number, n: number): number => cell(columns[name][at]) - base(cell(rows[n]));
    // NaN stands for the end, which nearly all attempts were heard to.
    const isEnd = (at: number): boolean => columns.heardAt[at] === columns.endedAt[at];
    const heard = (at: number, n: number): number => (isEnd(at) ? Number.NaN : of(at, n));
    add(name, name === "heardAt" ? heard : of, isInTable(name) ? 0 : undefined);
  }
  add("executor", (at) => columns.executor[at] ?? -1, -1);
  add("localities", (at) => columns.localities[at] ?? UNKNOWN, UNKNOWN);
  add("reason", (at) => cell(columns.reason[at]), -1);
  add("place", (at, n) => at - n, 0);
  const { curves } = columns;
  if (isWhole && curves !== undefined) {
    const points = order.flatMap((at) => curveOf(curves, at));
    found.push({ name: "curves", values: Float64Array.from(points) });
  }
  return found;
}

const isInTable = (name: Measure): boolean => name === "startedAt" || name === "endedAt";

/** The base of a moment: a whole number near it, so that no bit is lost; 0 for others. */
function baseOf({ attempts }: PageDocument, from: number, name: Measure) {
  if (!MOMENTS.includes(name)) return () => 0;
  const column = attempts[name === "endedAt" || name === "heardAt" ? name : "startedAt"];
  return (i: number): number => Math.round(cell(column[i])) + Math.round(from);
}

interface Kept extends Omit<Source, "columns"> {
  readonly carried: ReadonlyMap<CarriedName, Float64Array>;
  readonly isCurved: boolean;
  /** The job's number of each node of the document. */
  readonly nodeAt: readonly number[];
}

/** The phase's columns, in the order of the trace. */
function rebuilt({ document, from, rows, carried, isCurved, nodeAt }: Kept): AttemptColumns {
  const { attempts } = document;
  const [place, exact] = [carried.get("place"), carried.get("curves")];
  const order = rows.map((i, n) => ({ i, n, at: n + (place?.[n] ?? 0) }));
  order.sort((a, b) => a.at - b.at);
  const ofTable = (column: Float64Array): number[] => order.map(({ i }) => cell(column[i]));
  const ofCarried = (name: CarriedName, usual: number): number[] =>
    order.map(({ n }) => carried.get(name)?.[n] ?? usual);
  const measures = MEASURES.map((name): [string, number[]] => {
    const base = baseOf(document, from, name);
    const values = ofCarried(name, isInTable(name) ? 0 : Number.NaN);
    return [name, values.map((value, n) => value + base(order[n]?.i ?? 0))];
  });
  const columns = columnsFrom(rows.length, {
    ...Object.fromEntries(measures),
    task: ofTable(attempts.task),
    ordinal: ofTable(attempts.ordinal),
    kinds: ofTable(attempts.as),
    ends: ofTable(attempts.end),
    node: ofTable(attempts.node).map((node) => nodeAt[node] ?? -1),
    executor: ofCarried("executor", -1),
    localities: ofCarried("localities", UNKNOWN),
    reason: ofCarried("reason", -1),
    ...(isCurved && {
      curves: order.flatMap(({ i, n }) =>
        exact ? curveOf(exact, n) : curveOf(attempts.curves, i),
      ),
    }),
  });
  const { heardAt, endedAt } = columns;
  for (const [row, at] of heardAt.entries()) if (Number.isNaN(at)) heardAt[row] = endedAt[row]!;
  return columns;
}

const curveOf = (curves: Float32Array | Float64Array | undefined, i: number): readonly number[] =>
  Array.from(
    { length: CURVE_POINTS },
    (_, point) => curves?.[CURVE_POINTS * i + point] ?? Number.NaN,
  );

type Lists = Readonly<Record<string, readonly number[]>>;

/** Columns from plain lists; missing ones are unknown throughout. */
export function columnsFrom(length: number, written: Lists): AttemptColumns {
  const { curves } = written;
  const columns = columnsBy(ATTEMPT, (name, { make, unknown }) => {
    const column = make(length).fill(unknown);
    for (let row = 0; row < length; row++) column[row] = written[name]?.[row] ?? unknown;
    return column;
  });
  return { ...columns, length, ...(curves !== undefined && { curves: Float32Array.from(curves) }) };
}

const RAW = 2;

/** As `columnBytes`; fractional numbers are copied from memory, after a flag of 2. */
function exactBytes(values: Float64Array): Uint8Array {
  if (values.every((value) => Number.isNaN(value) || Number.isInteger(value))) {
    return columnBytes(values);
  }
  const bytes = new Uint8Array(1 + 8 * values.length);
  const view = new DataView(bytes.buffer);
  bytes[0] = RAW;
  for (const [n, value] of values.entries()) view.setFloat64(1 + 8 * n, value);
  return bytes;
}

function exactFrom(bytes: Uint8Array, count: number): Float64Array {
  if (bytes[0] !== RAW) return columnFrom(bytes, count);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Float64Array.from({ length: count }, (_, n) => view.getFloat64(1 + 8 * n));
}
