import { plain, span as seconds } from "../diagnose/figures.ts";
import { isByChance, shownOf } from "../whatif/change.ts";
import type { WhatIf } from "../whatif/document.ts";
import { percent } from "./format.ts";
import { Heads } from "./heads.tsx";
import { Scroll } from "./scroll.tsx";

/** How far the simulator can be trusted with this job. */
export function Gate({ whatif: { gate, responseMs } }: { readonly whatif: WhatIf }) {
  return (
    <p class={gate.verdict === "good" ? "faint" : "late"}>
      Gate: the recorded schedule under the recorded policy ({gate.discipline}) comes out at{" "}
      {seconds(gate.simulatedMs)} where {seconds(responseMs)} were recorded (
      {percent(Math.abs(gate.error))} {gate.error < 0 ? "shorter" : "longer"}):{" "}
      {{ good: "within 5 %", rough: "rough", bad: "too far off to tell anything" }[gate.verdict]}.
    </p>
  );
}

/** Changes of the response by policy, with their intervals. */
export function Forest({ whatif }: { readonly whatif: WhatIf }) {
  const rows = whatif.rows.map((row) => ({ row, change: shownOf(row) }));
  const values = rows.flatMap(({ change }) => [change.lowMs, change.highMs, 0]);
  const ran = rows.flatMap(({ row }) => (row.thatRun === undefined ? [] : [shownOf(row.thatRun)]));
  const all = [...values, ...ran.flatMap(({ lowMs, highMs }) => [lowMs, highMs])];
  const [from, to] = [Math.min(...all), Math.max(...all, Math.min(...all) + 1)];
  const at = (ms: number): number => (100 * (ms - from)) / (to - from);
  const interval = ({ ms, lowMs, highMs }: (typeof ran)[number]) => (
    <div class="interval">
      <u style={{ left: `${at(0)}%` }} />
      <b style={{ left: `${at(lowMs)}%`, width: `${at(highMs) - at(lowMs)}%` }} />
      <s style={{ left: `${at(ms)}%` }} />
    </div>
  );
  const text = (change: (typeof ran)[number]): string =>
    `${isByChance(change) ? "no sure difference" : signed(change.ms)} [${signed(change.lowMs)}, ${signed(change.highMs)}]`;
  return (
    <Scroll name="policies">
      <table class="folds policies">
        <Heads
          of={[
            "policy",
            "bar:change of the response if the job runs again",
            "seconds, 95 %",
            "in that very run",
            "n:slot time",
            "n:copies, won",
          ]}
        />
        <tbody>
          {rows.map(({ row, change }) => (
            <tr key={row.policy} class={isByChance(change) ? "weak" : ""}>
              <td>
                {row.policy}
                {row.isMarked ? " *" : ""}
              </td>
              <td class="bar">{interval(change)}</td>
              <td>{text(change)}</td>
              <td>{row.thatRun === undefined ? "–" : text(shownOf(row.thatRun))}</td>
              <td class="n">
                {change.slotShare > 0 ? "+" : ""}
                {(100 * change.slotShare).toFixed(1)} %
              </td>
              <td class="n">
                {change.copies.toFixed(1)}, {change.wins.toFixed(1)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p class="faint">
        Against {whatif.baseline} as recorded, {whatif.seeds} paired runs.
        {whatif.rows.some(({ isMarked }) => isMarked)
          ? " *: without its copies the change is no smaller."
          : ""}
      </p>
    </Scroll>
  );
}

const signed = (ms: number): string => `${ms > 0 ? "+" : ""}${plain(ms)}`;
