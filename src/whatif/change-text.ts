import { signed } from "../diagnose/figures.ts";
import { type Answer, type Change, isByChance, shownOf } from "./change.ts";
import type { WhatIf } from "./document.ts";

/** The answers to one question, a row for each policy. */
export interface ChangeTable {
  readonly title: string;
  /** The titles of a row's changes, with their units. */
  readonly heads: readonly string[];
  readonly rows: readonly {
    readonly policy: string;
    /** At the best estimate of rho; or at both ends of it, the one where copies help most first. */
    readonly changes: readonly Change[];
    /** The first change. */
    readonly shown: Change;
  }[];
}

/** The change if the job runs again and, if tried, in the recorded run. */
export function changeTables({ rows }: Pick<WhatIf, "rows">): readonly ChangeTable[] {
  const again = rows.map((row) => ({ ...row, policy: marked(row) }));
  const ran = rows.flatMap((row) =>
    row.thatRun === undefined
      ? []
      : [{ ...row.thatRun, policy: `${marked(row)}${row.thatRun.isRough ? " (rough)" : ""}` }],
  );
  return [
    tableOf("If the job runs again:", again),
    ...(ran.length === 0 ? [] : [tableOf("In that very run:", ran)]),
  ];
}

const marked = ({ policy, isMarked }: WhatIf["rows"][number]): string =>
  isMarked ? `${policy} *` : policy;

function tableOf(
  title: string,
  answers: readonly (Answer & { readonly policy: string })[],
): ChangeTable {
  const isOne = answers.every(({ byTask, atRho }) => byTask === undefined || atRho !== undefined);
  const rows = answers.map(({ policy, ...answer }) => {
    const { byTask } = answer;
    const shown = shownOf(answer);
    return { policy, shown, changes: isOne || byTask === undefined ? [shown] : [shown, byTask] };
  });
  const heads = isOne
    ? [`change s, rho ${(rows[0]?.shown.rho ?? 0).toFixed(2)}`]
    : ["luck of the attempt s", "luck of the task s"];
  return { title, heads, rows };
}

/** For instance `-24.1 [-60.0, +11.8], unsure`. */
export function changeText(change: Change): string {
  const { ms, lowMs, highMs } = change;
  if (ms === 0 && lowMs === 0 && highMs === 0) return "none";
  const text = `${signed(ms)} [${signed(lowMs)}, ${signed(highMs)}]`;
  return isByChance(change) ? `${text}, unsure` : text;
}

/** For instance `+1.2 %`. */
export function signedPercent(share: number): string {
  const text = (100 * share).toFixed(1);
  return `${Number(text) === 0 ? "0.0" : share > 0 ? `+${text}` : text} %`;
}
