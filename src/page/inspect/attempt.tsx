import { cell } from "../../base/rows.ts";
import type { CopiesRow } from "../../diagnose/document.ts";
import { measuresAt } from "../../report/page/attempt-rows.ts";
import { faultsOf, faultsText } from "../faults.ts";
import { heldText, ranText, span, times } from "../format.ts";
import { Link } from "../link.tsx";
import type { Run } from "../run.ts";
import type { PageState } from "../state.ts";
import { Table } from "../table.tsx";
import { Explained, Numbers } from "./explained.tsx";
import { Swatch } from "./swatch.tsx";

/** An attempt: what was expected of it, its task's attempts, and every decision about it. */
export function Attempt({ state, i }: { readonly state: PageState; readonly i: number }) {
  const { run } = state;
  const { head } = run;
  const own = run.ofTask(i);
  const name = run.nameOf(i);
  const about = head.decisions.flatMap((one, n) =>
    own.includes(one.attempt) ||
    (one.attempt < 0 && one.who !== "" && name.startsWith(`${one.who}#`))
      ? [n]
      : [],
  );
  const refused = head.refusals.filter(
    ({ who }) =>
      who !== "" && (name.startsWith(`${who}#`) || who.endsWith(`/${name.replace(/#\d+$/, "")}`)),
  );
  return (
    <>
      <h3>
        {name} <small>{run.kindOf(i) === "original" ? "" : run.kindOf(i)}</small>
      </h3>
      <Facts state={state} i={i} />
      <Numbers numbers={measured(run, i)} />
      {own.length > 1 ? <Attempts state={state} own={own} selected={i} /> : null}
      {about.map((n) => (
        <Explained key={n} state={state} index={n} />
      ))}
      {refused.slice(0, 4).map((one) => (
        <p key={`${one.rule}${one.from}`}>
          <code>{one.rule}</code>{" "}
          <span class="faint">
            refused {one.count} times, {span(one.from)} to {span(one.to)}: {one.text}
          </span>
        </p>
      ))}
    </>
  );
}

/** Where the attempt ran, for how long, and its expected time. */
function Facts({ state, i }: { readonly state: PageState; readonly i: number }) {
  const { run } = state;
  const { attempts, head } = run;
  const names = run.ofTask(i).map((one) => run.nameOf(one));
  const copies = (head.why?.copies?.each ?? []).filter(({ copy }) =>
    names.some((name) => name === copy || name.endsWith(`/${copy}`)),
  );
  const delayMs = cell(attempts.delayMs[i]);
  const took = `${times(run.timesOf(i))}${run.isLate(i) ? ": late" : ""}`;
  const held = heldText(attempts.heldMs[i]);
  return (
    <dl>
      <dt>node</dt>
      <dd>
        <Link onClick={() => state.showNode(run.nodeOf(i))}>{run.nodeOf(i)}</Link>{" "}
        {faultsText(faultsOf(head, attempts.node[i] ?? -1))}
      </dd>
      <dt>ran</dt>
      <dd>
        {ranText(run, i)}, {run.endText(i)}
      </dd>
      <dt>expected</dt>
      <dd class={run.isLate(i) ? "late" : ""}>
        {Number.isNaN(run.timesOf(i))
          ? "– too few peers to tell"
          : `${span(cell(attempts.expectedMs[i]))}, took ${took}${held}`}
      </dd>
      <dt>{delayMs < 0 ? "gained" : "lost"}</dt>
      <dd>
        {Number.isNaN(delayMs)
          ? "– its job was not diagnosed"
          : `${span(Math.abs(delayMs))} of the response`}
      </dd>
      {copies.map((copy) => (
        <>
          <dt>copy {copy.copy.slice(copy.copy.indexOf("#"))}</dt>
          <dd>
            {copy.won ? wonText(copy) : "lost the race"}; the attempt that lost wasted{" "}
            {span(copy.wastedMs)} of slot time
          </dd>
        </>
      ))}
    </dl>
  );
}

const wonText = ({ tooLate, taskSavedMs, by }: CopiesRow["each"][number]): string =>
  `won${tooLate ? ", too late to help" : ""}: task earlier by ${span(taskSavedMs)} (estimate from ` +
  `${BY[by]})`;

/** The basis of the estimate of how long the original would have taken. */
const BY = { progress: "the original's progress", peers: "its peers" } as const;

/** Measures that are among the other facts. */
const SHOWN = /^(started|ended|heard|expected|delay|held)/;

/** Whatever else the log measures of an attempt. */
const measured = ({ attempts }: Run, i: number): Readonly<Record<string, number>> =>
  Object.fromEntries(
    measuresAt(attempts, i).filter(([name, value]) => !Number.isNaN(value) && !SHOWN.test(name)),
  );

interface Listed {
  readonly state: PageState;
  readonly own: readonly number[];
  readonly selected: number;
}

function Attempts({ state, own, selected }: Listed) {
  const { run } = state;
  return (
    <Table
      of={["attempt", "node", "n wide:from", "n:took", "end"]}
      rows={own.map((i) => [
        <>
          <Swatch shows={run.shown(i)} />
          <Link aria-pressed={i === selected} onClick={() => state.select(i)}>
            #{run.attempts.ordinal[i]} {run.kindOf(i)}
          </Link>
        </>,
        run.shortName(run.nodeOf(i)),
        span(run.startedAt(i)),
        span(run.tookMs(i)),
        run.endOf(i),
      ])}
    />
  );
}
