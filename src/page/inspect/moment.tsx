import { clockText, span } from "../format.ts";
import { Link } from "../link.tsx";
import { leftText, momentAt, scoreText } from "../moment.ts";
import { NoRefusals } from "../no-refusals.tsx";
import type { PageState } from "../state.ts";
import { Table } from "../table.tsx";
import { Numbers } from "./explained.tsx";

const LAST = 7;
const REFUSALS = 4;

/** What happened at a moment, and why no copy was made then. */
export function Moment({ state, at }: { readonly state: PageState; readonly at: number }) {
  const { run } = state;
  const { running, refusals } = momentAt(run, at);
  const known = running.filter(({ score }) => !Number.isNaN(score)).slice(0, LAST);
  const isPinned = state.pinned.value !== undefined;
  return (
    <>
      <h3>
        At {span(at)}
        {isPinned ? ", pinned" : ""} <small>{clockText("", run.head.originMs, at)}</small>
      </h3>
      <p>
        {running.length}
        {run.head.slotsKnown ? ` of ${run.slots}` : ""} {running.length === 1 ? "slot" : "slots"} at
        work.{" "}
        {known.length === 0
          ? "This log has no progress of the attempts that run."
          : run.head.curvesKept === undefined
            ? "By their progress then, these would end last:"
            : "By their progress then, as far as the page has it, these would end last:"}
      </p>
      {known.length === 0 ? null : (
        <Table
          of={["attempt", "node", "n:score", "n:left", "n:ended"]}
          rows={known.map((going) => {
            const { i } = going;
            const ended = span(run.endedAt(i));
            return [
              <Link onClick={() => state.select(i)}>{run.nameOf(i)}</Link>,
              run.shortName(run.nodeOf(i)),
              scoreText(going),
              leftText(run, going),
              run.endOf(i) === "succeeded" ? ended : `${ended}, ${run.endOf(i)}`,
            ];
          })}
        />
      )}
      <NoRefusals head={run.head} />
      {refusals.length === 0 ? null : (
        <>
          <p>What was refused just then, and why:</p>
          {refusals.slice(0, REFUSALS).map((one) => (
            <div key={`${one.rule}${one.who}`} data-refusal={one.rule}>
              <p>
                <code>{one.rule}</code> <span class="faint">{one.text}</span>
              </p>
              <Numbers numbers={one.numbers} />
            </div>
          ))}
        </>
      )}
    </>
  );
}
