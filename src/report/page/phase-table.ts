import type { Why } from "../../diagnose/document.ts";
import { percent, plain } from "../../diagnose/figures.ts";
import type { PhaseRow } from "../../diagnose/findings.ts";
import { bytes } from "../quantity.ts";

/** What phases used and lost, as texts: the costliest phase first. */
export interface PhaseTable {
  readonly columns: readonly Pick<PhaseColumn, "title" | "rank">[];
  readonly rows: readonly {
    readonly phase: string;
    readonly cells: readonly string[];
    /** What the phase is, in the system's words; empty if the log does not say. */
    readonly title: string;
  }[];
}

interface PhaseColumn {
  readonly title: string;
  /** Columns are left out in this order where the table is too wide. */
  readonly rank?: number;
  /** Empty if there is nothing to say. */
  readonly of: (row: PhaseRow) => string;
}

/** A phase is shown if it lost this share of the response, or took this share of the slot time. */
const LOST = 0.01;
const SLOT_TIME = 0.05;

const ROWS = 8;

/** No column without a text; no rows where there is one phase. */
export function phaseTable({ phases, responseMs, slotMs }: Why): PhaseTable {
  const isShown = ({ delayMs, use }: PhaseRow): boolean =>
    delayMs > LOST * responseMs || use.slotMs > SLOT_TIME * slotMs || use.failed > 0;
  const shown = phases
    .filter((row) => phases.length > 1 && isShown(row))
    .toSorted((a, b) => Math.sign(b.delayMs - a.delayMs) || Math.sign(b.use.slotMs - a.use.slotMs))
    .slice(0, ROWS);
  const columns = COLUMNS.filter(({ of }) => shown.some((row) => of(row) !== ""));
  const rows = shown.map((row) => ({
    phase: row.phase,
    cells: columns.map(({ of }) => of(row)),
    title: whatIs(row),
  }));
  return { columns, rows };
}

/** All stages of a query have one name; what they do tells them apart. */
const whatIs = ({ operators = [], title = "" }: PhaseRow): string =>
  operators.length > 0 ? operators.join(" > ") : title;

const COLUMNS: readonly PhaseColumn[] = [
  { title: "lost s", of: ({ delayMs }) => plain(delayMs) },
  { title: "tasks", rank: 5, of: ({ tasks }) => String(tasks) },
  { title: "failed", rank: 8, of: ({ use }) => (use.failed === 0 ? "" : String(use.failed)) },
  { title: "slot s", rank: 7, of: ({ use }) => plain(use.slotMs) },
  { title: "input", rank: 3, of: ({ use }) => amount(use.inputBytes) },
  { title: "shuffle", rank: 3, of: ({ use }) => amount(use.shuffleBytes) },
  { title: "largest / median", rank: 4, of: ({ skew }) => times(skew) },
  { title: "spilled", rank: 2, of: ({ use }) => amount(use.spilledBytes) },
  { title: "GC", rank: 1, of: ({ use }) => share(use.gcMs, use.slotMs) },
];

const amount = (count: number | undefined): string =>
  count === undefined || count === 0 ? "" : bytes(Math.round(count));

const times = (skew: PhaseRow["skew"]): string =>
  skew === undefined ? "" : (skew.bytes / skew.medianBytes).toFixed(1);

/** Nothing below a hundredth. */
const share = (part: number | undefined, whole: number): string =>
  part === undefined || part < whole / 100 ? "" : percent(part / whole);
