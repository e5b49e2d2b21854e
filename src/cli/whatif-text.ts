import {
  type ChangeTable,
  changeTables,
  changeText,
  signedPercent,
} from "../whatif/change-text.ts";
import type { WhatIf } from "../whatif/document.ts";
import { table, wrap } from "./table.ts";

/** The answer, how far it can be trusted, the rows, and where the numbers come from. */
export function whatIfText(found: WhatIf, width: number): string {
  const { cannot, verdict, gateText, rows, notes, isNothingToTry } = found;
  const parts = [
    ...[...cannot, ...verdict].flatMap((text) => wrap(text, width)),
    ...(isNothingToTry ? [] : ["", ...wrap(gateText, width)]),
  ];
  if (rows.length === 0) return parts.join("\n");
  const tables = changeTables(found).flatMap((one) => ["", one.title, tableText(one, width)]);
  return [...parts, ...tables, "", ...notes.flatMap((text) => wrap(text, width))].join("\n");
}

function tableText({ heads, rows }: ChangeTable, width: number): string {
  const right = { align: "right" } as const;
  const columns = [
    { title: "policy" },
    ...heads.map((title) => ({ title })),
    { title: "slot time", ...right, leaveOut: 1 },
    { title: "copies", ...right, leaveOut: 3 },
    { title: "won", ...right, leaveOut: 2 },
  ];
  const cells = rows.map(({ policy, changes, shown }) => [
    policy,
    ...heads.map((_, n) => changeText(changes[n] ?? shown)),
    signedPercent(shown.slotShare),
    shown.copies.toFixed(1),
    shown.wins.toFixed(1),
  ]);
  return table(columns, cells, width);
}
