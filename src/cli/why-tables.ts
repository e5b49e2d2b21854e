import type { PhaseRow, Why } from "../diagnose/document.ts";
import { percent, plain, span } from "../diagnose/figures.ts";
import { bytes } from "../report/quantity.ts";
import { drawn, type Sheet } from "./sheet.ts";
import { hanging, right } from "./table.ts";

const ROWS = 8;
/** A phase is shown if it lost this share of the response, or took this share of the slot time. */
const LOST = 0.01;
const SLOT_TIME = 0.05;

/** What each phase used and lost, where there is more than one. */
export function phasesText({ phases, responseMs, slotMs }: Why, sheet: Sheet): string {
  const shown = phases.filter(
    ({ delayMs, use }) =>
      delayMs > LOST * responseMs || use.slotMs > SLOT_TIME * slotMs || use.failed > 0,
  );
  if (phases.length < 2 || shown.length === 0) return "";
  const rows = shown
    .toSorted((a, b) => Math.sign(b.delayMs - a.delayMs) || Math.sign(b.use.slotMs - a.use.slotMs))
    .slice(0, ROWS);
  const columns = COLUMNS.filter(({ of }) => rows.some((row) => of(row) !== ""));
  return drawn(
    [
      { title: "phase" },
      ...columns.map(({ title, rank }) => right(title, rank)),
      { title: "what it is", leaveOut: 6 },
    ],
    rows.map((row) => [row.phase, ...columns.map(({ of }) => of(row)), row.title ?? ""]),
    sheet,
  );
}

interface PhaseColumn {
  readonly title: string;
  /** Columns are left out in this order where the table is too wide. */
  readonly rank?: number;
  /** Empty if there is nothing to say. */
  readonly of: (row: PhaseRow) => string;
}

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

const BLOCKED = {
  gc: "garbage collection",
  "fetch-wait": "fetch wait",
  "write-wait": "writing shuffle output",
  deserialisation: "deserialisation",
} as const;

/** What could be gained at most: by attempts that wait for nothing, and by more slots. */
export function boundsText({ blocked, sizes, slots, responseMs }: Why, { width }: Sheet): string {
  const gains = blocked
    .filter(({ atMostMs }) => atMostMs > LOST * responseMs)
    .toSorted((a, b) => Math.sign(b.atMostMs - a.atMostMs))
    .map(({ what, atMostMs }) => `${BLOCKED[what]} ${span(atMostMs)}`);
  const whose = slots.isRecorded ? "slots" : "slots (the most used at once)";
  const sized = sizes
    .filter((one) => one.slots > 0)
    .map((one) => `${one.slots}: ${span(one.responseMs)}`);
  return [
    ...(gains.length === 0 ? [] : hanging("gain at most, without: ", gains.join(", "), width)),
    ...hanging(`with other numbers of ${whose}: `, sized.join(", "), width),
  ].join("\n");
}
