import { recordOf } from "../../base/rows.ts";
import {
  type ColumnName,
  columnsOf,
  OTHER_COLUMNS,
  type OtherColumn,
  type OtherRun,
  type PageDocument,
  type PageHead,
} from "./document.ts";
import { silentMs } from "./document-bytes.ts";

export function otherRun(name: string, { head, attempts }: PageDocument): OtherRun {
  const column = (of: OtherColumn): number[] => Array.from(attempts[of], Math.round);
  return {
    name,
    endsAt: head.endsAt,
    nodes: head.nodes,
    rows: head.rows,
    spans: head.spans,
    phases: head.phases.map(({ name: phase }) => phase),
    attempts: recordOf(OTHER_COLUMNS, column),
    silences: Array.from(attempts.heardAt, (heardAt, i): readonly [number, number] => [
      i,
      silentMs(attempts.endedAt[i]!, heardAt),
    ]).filter(([, ms]) => ms > 0),
  };
}

/** The other run as a document of its own. `beside`: the page's head. */
export function documentOfOther(other: OtherRun, beside: PageHead): PageDocument {
  const { name, endsAt, nodes, rows, spans, phases, attempts, silences } = other;
  const length = attempts.row.length;
  const heardAt = Float64Array.from(attempts.endedAt);
  for (const [i, ms] of silences) heardAt[i]! -= ms;
  const given: { readonly [name in ColumnName]?: readonly number[] } = attempts;
  const unknown = new Float64Array(length).fill(Number.NaN);
  return {
    head: {
      ...NOTHING_TOLD,
      schema: beside.schema,
      title: name,
      host: beside.host,
      format: beside.format,
      source: name,
      endsAt,
      nodes,
      rows,
      spans,
      jobs: [{ name, submittedAt: 0, endedAt: endsAt, outcome: "succeeded" }],
      phases: phases.map((phase) => ({ job: 0, name: phase, tasks: 0, reads: [] })),
    },
    attempts: {
      length,
      ...columnsOf((name) => Float64Array.from(given[name] ?? unknown)),
      heardAt,
    },
  };
}

const NOTHING_TOLD = {
  originMs: 0,
  slotsKnown: false,
  decisions: [],
  firstLaunches: 0,
  refusals: [],
  lacks: [],
  notes: [],
  columns: [],
};
