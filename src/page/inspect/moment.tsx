import { span } from "../format.ts";
import { Heads } from "../heads.tsx";
import { Link } from "../link.tsx";
import { leftText, momentAt, scoreText } from "../moment.ts";
import { NoRefusals } from "../no-refusals.tsx";
import type { PageState } from "../state.ts";
import { Numbers } from "./explained.tsx";

const LAST = 7;
const REFUSALS = 4;

/** What went on at a moment, and why no copy was made just then. */
export function Moment({ state, at }: { readonly state: PageState; readonly at: number }) {
  const { run } = state;
  const { running, refusals } = momentAt(run, at);
  const known = running.filter(({ score }) => !Number.isNaN(score)).slice(0, LAST);
  const isPinned = state.pinned.value !== undefined;
  const { rows, slotsKnown } = run.head;
  return (
    <>
      <h3>
        At {span(at)}
        {isPinned ? ", pinned" : ""}
      </h3>
      <p>
        {running.length}
        {slotsKnown ? ` of ${rows.length}` : ""} {running.length === 1 ? "slot" : "slots"} at work.{" "}
        {known.length === 0
          ? "This log has no progress of the attempts that run."
          : run.head.curvesKept === undefined
            ? "By their progress then, these would end last:"
            : "By their progress then, as far as the page has it, these would end last:"}
      </p>
      {known.length === 0 ? null : (
        <table>
          <Heads of={["attempt", "node", "n:score", "n:left", "n:ended"]} />
          <tbody>
            {known.map((going) => {
              const { i } = going;
              return (
                <tr key={i}>
                  <td>
                    <Link onClick={() => state.select(i)}>{run.nameOf(i)}</Link>
                  </td>
                  <td>{run.shortName(run.nodeOf(i))}</td>
                  <td class="n">{scoreText(going)}</td>
                  <td class="n">{leftText(run, going)}</td>
                  <td class="n">
                    {span(run.attempts.endedAt[i] ?? 0)}
                    {run.endOf(i) === "succeeded" ? "" : `, ${run.endOf(i)}`}
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
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
