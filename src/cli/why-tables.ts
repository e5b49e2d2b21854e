import type { Why } from "../diagnose/document.ts";
import { span } from "../diagnose/figures.ts";
import type { Units } from "../diagnose/units.ts";
import { phaseTable } from "../report/page/phase-table.ts";
import { unitTable } from "../report/page/unit-table.ts";
import { drawn, marked, type Sheet } from "./sheet.ts";
import { hanging, right, wrap } from "./table.ts";

/** A gain below this share of the response is not worth a word. */
const GAIN = 0.01;

interface UnitsSheet extends Sheet {
  readonly top: number;
}

/** The longest queries and jobs of an application, and how to look into one. */
export function unitsText(why: Why & Units, { top, ...sheet }: UnitsSheet): string {
  const [longest] = why.units;
  if (longest === undefined) return "";
  const { title, columns, rows, outside } = unitTable(why, top);
  const titles = [
    { title },
    ...columns.map((column) => right(column.title, column.rank)),
    { title: "what it is", leaveOut: 6 },
  ];
  const texts = rows.map((row) => [row.unit, ...row.cells, row.title]);
  const [kind = "", number = ""] = longest.unit.split(" ");
  const how = `\`--${kind} ${number}\` explains one alone.`;
  const below = wrap(`${outside} ${how}`.trim(), sheet.width);
  return [drawn(titles, texts, sheet), ...below].join("\n");
}

/** What each phase used and lost, where there is more than one. */
export function phasesText(why: Why, sheet: Sheet): string {
  const { columns, rows } = phaseTable(why);
  if (rows.length === 0) return "";
  return drawn(
    [
      { title: "phase" },
      ...columns.map(({ title, rank }) => right(title, rank)),
      { title: "what it is", leaveOut: 6 },
    ],
    rows.map(({ phase, cells, title }) => [phase, ...cells, title]),
    sheet,
  );
}

const BLOCKED = {
  gc: "garbage collection",
  "fetch-wait": "fetch wait",
  "write-wait": "writing shuffle output",
  deserialisation: "deserialisation",
} as const;

/** What could be gained at most: by attempts that wait for nothing, and by more slots. */
export function boundsText({ blocked, sizes, slots, responseMs }: Why, { width }: Sheet): string {
  const gains = blocked
    .filter(({ atMostMs }) => atMostMs > GAIN * responseMs)
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

/** Slow nodes, and those that might be. */
export function nodesText({ nodes, limits }: Why, sheet: Sheet): string {
  const shown = nodes.filter(
    ({ verdict, factor }) =>
      verdict === "slow" || verdict === "lasting" || factor >= limits.slowNodeMin,
  );
  if (shown.length === 0) return "";
  const verdicts = {
    slow: "slow in this job",
    lasting: "slow all the time",
    usual: "no slower than by chance",
    "too-few": "too few attempts to judge",
  } as const;
  const rows = shown.slice(0, 8);
  const isSlow = rows.map(({ verdict }) => verdict === "slow" || verdict === "lasting");
  return drawn(
    [
      { title: "node", style: marked(sheet, isSlow) },
      right("times slower"),
      { title: "95 %" },
      right("attempts", 1),
      { title: "verdict" },
    ],
    rows.map((row) => [
      row.node,
      row.factor.toFixed(2),
      `${row.lowFactor.toFixed(2)} to ${row.highFactor.toFixed(2)}`,
      String(row.attempts),
      verdicts[row.verdict],
    ]),
    sheet,
  );
}
