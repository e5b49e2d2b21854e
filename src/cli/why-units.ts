import type { Why } from "../diagnose/document.ts";
import type { Units } from "../diagnose/units.ts";
import { unitTable } from "../report/page/unit-table.ts";
import { drawn, type Sheet } from "./sheet.ts";
import { right, wrap } from "./table.ts";

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
