import { savingText } from "../../diagnose/audit/saving-text.ts";
import { areaTotals } from "../area-totals.ts";
import { span } from "../format.ts";
import { Attempt } from "../inspect/attempt.tsx";
import { Explained } from "../inspect/explained.tsx";
import { Found } from "../inspect/found.tsx";
import { Moment } from "../inspect/moment.tsx";
import { Link } from "../link.tsx";
import type { PageState } from "../state.ts";
import { Table } from "../table.tsx";

/** What is selected; if nothing is, the moment under the pointer. */
export function Inspector({ state }: { readonly state: PageState }) {
  return (
    <aside class="card padded inspector" aria-label="inspector" aria-live="polite">
      {contentOf(state)}
    </aside>
  );
}

function contentOf(state: PageState) {
  if (state.find.value !== "") return <Found state={state} />;
  if (state.area.value !== undefined) return <Area state={state} />;
  if (state.decision.value >= 0) return <OneDecision state={state} index={state.decision.value} />;
  if (state.attempt.value >= 0) return <Attempt state={state} i={state.attempt.value} />;
  const at = state.moment.value;
  return at === undefined ? <Nothing state={state} /> : <Moment state={state} at={at} />;
}

function Nothing({ state }: { readonly state: PageState }) {
  const { why } = state.run.head;
  const worst = (why?.attempts ?? []).filter(({ delayMs }) => delayMs > 0).slice(0, 6);
  return (
    <>
      <h3>{worst.length === 0 ? "Nothing selected" : "Costliest attempts"}</h3>
      {worst.length === 0 ? null : (
        <Table
          of={["attempt", "node", "n:took", "n:lost"]}
          rows={worst.map((row) => [
            <Named state={state} name={row.attempt} />,
            state.run.shortName(row.node),
            span(row.endedAt - row.startedAt),
            span(row.delayMs),
          ])}
        />
      )}
      <Copies state={state} />
      <p class="faint">
        Click a bar, dot or decision for its numbers, or beside bars to pin a moment.{" "}
        <span class="keys">
          <kbd>W</kbd> <kbd>S</kbd> zoom, <kbd>A</kbd> <kbd>D</kbd> move, <kbd>.</kbd> next
          decision, <kbd>?</kbd> all keys, <kbd>L</kbd> next late attempt
          {state.late.value.length > 0 ? "" : " (none)"}.
        </span>
      </p>
    </>
  );
}

/** An attempt by the diagnosis's name; a click selects it. */
const Named = ({ state, name }: { readonly state: PageState; readonly name: string }) => (
  <Link onClick={() => state.selectNamed(name)}>{name}</Link>
);

const COPIES = 3;

/**
 * The copies that saved their tasks most time, and what all copies did, by the diagnosis's audit.
 */
function Copies({ state }: { readonly state: PageState }) {
  const { copies } = state.run.head.why ?? {};
  if (copies === undefined) return null;
  const best = copies.each
    .filter(({ won }) => won)
    .toSorted((x, y) => y.taskSavedMs - x.taskSavedMs)
    .slice(0, COPIES);
  return (
    <>
      <h3>{best.length === 0 ? "Copies" : "Tasks done earlier by copies"}</h3>
      {best.length === 0 ? null : (
        <Table
          of={["copy", "node", "n:task earlier by"]}
          rows={best.map(({ copy, node, taskSavedMs }) => [
            <Named state={state} name={copy} />,
            state.run.shortName(node),
            span(taskSavedMs),
          ])}
        />
      )}
      <p>{savingText(copies)}</p>
    </>
  );
}

function OneDecision({ state, index }: { readonly state: PageState; readonly index: number }) {
  const one = state.run.head.decisions[index];
  if (one === undefined) return null;
  if (one.attempt >= 0) return <Attempt state={state} i={one.attempt} />;
  return (
    <>
      <h3>
        {one.what} {one.who}
      </h3>
      <Explained state={state} index={index} />
    </>
  );
}

/** Totals of the area that was dragged over. */
function Area({ state }: { readonly state: PageState }) {
  const { run } = state;
  const area = state.area.value;
  if (area === undefined) return null;
  const totals = areaTotals(run, area);
  const rows = area.bottom - area.top;
  return (
    <>
      <h3>
        {span(area.from)} to {span(area.to)}
      </h3>
      <dl>
        <dt>attempts</dt>
        <dd>{totals.attempts}</dd>
        <dt>late</dt>
        <dd>{totals.late}</dd>
        <dt>copies</dt>
        <dd>{totals.copies}</dd>
        <dt>slots in use</dt>
        <dd>
          {(totals.slotMs / (area.to - area.from)).toFixed(1)}
          {run.rows.by === "slot" ? ` of ${rows}` : ""} on average
        </dd>
      </dl>
      <button
        type="button"
        onClick={() => {
          state.window.value = area;
          state.area.value = undefined;
        }}
      >
        zoom here
      </button>
    </>
  );
}
