import { span } from "../format.ts";
import { Area } from "../inspect/area.tsx";
import { Attempt } from "../inspect/attempt.tsx";
import { Explained } from "../inspect/explained.tsx";
import { Found } from "../inspect/found.tsx";
import { Moment } from "../inspect/moment.tsx";
import type { PageState } from "../state.ts";

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
  const worst = (why?.attempts ?? []).filter(({ lostMs }) => lostMs > 0).slice(0, 6);
  const job = state.run.head.jobs.length > 1 ? `${why?.job.name}/` : "";
  return (
    <>
      <h3>{worst.length === 0 ? "Nothing selected" : "Costliest attempts"}</h3>
      {worst.length === 0 ? null : (
        <table>
          <thead>
            <tr>
              <th>attempt</th>
              <th>node</th>
              <th class="n">took</th>
              <th class="n">lost</th>
            </tr>
          </thead>
          <tbody>
            {worst.map((row) => (
              <tr key={row.attempt}>
                <td>
                  <button
                    type="button"
                    class="link"
                    onClick={() => state.select(state.run.find(`${job}${row.attempt}`))}
                  >
                    {row.attempt}
                  </button>
                </td>
                <td>{state.run.shortName(row.node)}</td>
                <td class="n">{span(row.endedAt - row.startedAt)}</td>
                <td class="n">{span(row.lostMs)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <Copies state={state} />
      <p class="faint" style={{ marginTop: "8px" }}>
        Click a bar, a dot or a decision for its numbers; click beside bars to pin a moment.{" "}
        <kbd>W</kbd> <kbd>S</kbd> zoom, <kbd>A</kbd> <kbd>D</kbd> move, <kbd>.</kbd> next decision,{" "}
        <kbd>L</kbd> next late attempt, <kbd>?</kbd> all keys.
      </p>
    </>
  );
}

const COPIES = 3;

/** The copies that brought their tasks forward most, by the diagnosis's audit. */
function Copies({ state }: { readonly state: PageState }) {
  const { why, jobs } = state.run.head;
  const job = jobs.length > 1 ? `${why?.job.name}/` : "";
  const best = (why?.copies?.each ?? [])
    .filter(({ won }) => won)
    .toSorted((x, y) => y.taskSavedMs - x.taskSavedMs)
    .slice(0, COPIES);
  if (best.length === 0) return null;
  return (
    <>
      <h3 style={{ marginTop: "12px" }}>Copies that saved most</h3>
      <table>
        <thead>
          <tr>
            <th>copy</th>
            <th>node</th>
            <th class="n">task earlier by</th>
          </tr>
        </thead>
        <tbody>
          {best.map(({ copy, node, taskSavedMs }) => (
            <tr key={copy}>
              <td>
                <button
                  type="button"
                  class="link"
                  onClick={() => state.select(state.run.find(`${job}${copy}`))}
                >
                  {copy}
                </button>
              </td>
              <td>{state.run.shortName(node)}</td>
              <td class="n">{span(taskSavedMs)}</td>
            </tr>
          ))}
        </tbody>
      </table>
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
