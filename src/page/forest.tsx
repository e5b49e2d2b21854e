import { signed } from "../diagnose/figures.ts";
import type { Change } from "../whatif/change.ts";
import { isByChance } from "../whatif/change.ts";
import {
  type ChangeTable,
  changeTables,
  changeText,
  signedPercent,
} from "../whatif/change-text.ts";
import type { WhatIf } from "../whatif/document.ts";
import { Scroll } from "./scroll.tsx";
import { Table } from "./table.tsx";

/** The answer, the gate, the rows and what they mean, as `broomwagon whatif` prints them. */
export function Forest({ whatif }: { readonly whatif: WhatIf }) {
  const { cannot, verdict, gate, gateText, notes, isNothingToTry } = whatif;
  const tables = changeTables(whatif);
  const all = tables.flatMap(({ rows }) => rows.flatMap(({ changes }) => changes));
  const from = Math.min(0, ...all.map(({ lowMs }) => lowMs));
  const to = Math.max(from + 1, 0, ...all.map(({ highMs }) => highMs));
  return (
    <div>
      {[...cannot, ...verdict].map((text) => (
        <p key={text}>{text}</p>
      ))}
      {isNothingToTry ? null : <p class={gate.verdict === "good" ? "faint" : "late"}>{gateText}</p>}
      {notes.length === 0
        ? null
        : tables.map((table) => <Changes key={table.title} {...table} from={from} to={to} />)}
      {notes.map((text) => (
        <p key={text} class="faint">
          {text}
        </p>
      ))}
    </div>
  );
}

interface ChangesProps extends ChangeTable {
  /** The ends of the axis, in ms. */
  readonly from: number;
  readonly to: number;
}

/** Changes of the response by policy, with their intervals. */
function Changes({ title, heads, rows, from, to }: ChangesProps) {
  const axis = `bar:${signed(from)} to ${signed(to)} s`;
  return (
    <>
      <h3>{title}</h3>
      <Scroll name={title}>
        <Table
          class="folds policies"
          of={["policy", axis, ...heads, "n:slot time", "n:copies, won"]}
          weak={rows.map(({ changes }) => changes.every(isByChance))}
          rows={rows.map(({ policy, changes, shown }) => [
            policy,
            changes.map((change) => <Interval key={change.rho} {...change} from={from} to={to} />),
            ...heads.map((_, n) => changeText(changes[n] ?? shown)),
            signedPercent(shown.slotShare),
            `${shown.copies.toFixed(1)}, ${shown.wins.toFixed(1)}`,
          ])}
        />
      </Scroll>
    </>
  );
}

function Interval({ ms, lowMs, highMs, from, to }: Change & Pick<ChangesProps, "from" | "to">) {
  const at = (value: number): string => `${(100 * (value - from)) / (to - from)}%`;
  return (
    <div class="interval">
      <u style={{ left: at(0) }} />
      <b style={{ left: at(lowMs), width: at(highMs - lowMs + from) }} />
      <s style={{ left: at(ms) }} />
    </div>
  );
}
