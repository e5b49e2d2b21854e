import { useMemo } from "preact/hooks";
import { CAUSE_NAMES } from "../../diagnose/cause.ts";
import { plain, span as seconds } from "../../diagnose/figures.ts";
import { documentOfOther } from "../../report/page/other-run.ts";
import { Canvas } from "../canvas.tsx";
import { bottomAxis } from "../draw/axes.ts";
import { drawEnd } from "../draw/marks.ts";
import { drawGutter, drawRows, gutterOf } from "../draw/rows.ts";
import { span } from "../format.ts";
import { Heads } from "../heads.tsx";
import { Run } from "../run.ts";
import { Scroll } from "../scroll.tsx";
import type { PageState } from "../state.ts";
import { INKS } from "../theme.ts";

/** What differs from another run of the job. */
export function CompareView({ state }: { readonly state: PageState }) {
  const found = state.run.head.compare;
  if (found === undefined) return null;
  const { a, b, changeMs, settings, causes, tasks } = found;
  const all = tasks.matched + tasks.unmatched;
  return (
    <div>
      <p>
        {state.run.judged ?? "This run"} took {seconds(Math.abs(changeMs))}{" "}
        {changeMs < 0 ? "less" : "more"} than the other
        {a.id === b.id ? "" : `, ${a.id}`}: {seconds(b.responseMs)} instead of{" "}
        {seconds(a.responseMs)}.{settings.length === 0 ? "" : " Settings that differ:"}
      </p>
      <dl>
        {settings.map((one) => (
          <>
            <dt>{one.name}</dt>
            <dd>
              {one.b ?? "–"}; other: {one.a ?? "–"}
            </dd>
          </>
        ))}
      </dl>
      <Timelines state={state} />
      <div class="plots two">
        <Changes
          title="cause"
          rows={causes.map((row) => ({
            ...row,
            name: row.cause === "usual" ? "usual" : CAUSE_NAMES[row.cause],
          }))}
        />
        <Changes
          title="tasks that changed most"
          rows={tasks.most.map((row) => ({ ...row, name: row.task }))}
        />
      </div>
      <p class="faint">
        {tasks.matched} of {all} tasks matched; median change{" "}
        {(100 * tasks.medianChange).toFixed(1)} %; chance does as much in{" "}
        {(100 * tasks.chance).toFixed(1)} % of sign flips.
      </p>
    </div>
  );
}

const HEIGHT_MAX = 200;
const AXIS = 20;

/** Both runs over one time axis: they follow the timeline above, and zoom it. */
function Timelines({ state }: { readonly state: PageState }) {
  const { head } = state.run;
  const { other } = head;
  const otherRun = useMemo(
    () => (other === undefined ? undefined : new Run(documentOfOther(other, head))),
    [other],
  );
  if (otherRun === undefined) return null;
  return (
    <div class="card plane">
      <OneRun state={state} run={otherRun} beside={state.run} />
      <OneRun state={state} run={state.run} beside={otherRun} />
    </div>
  );
}

function OneRun({ state, run, beside }: { state: PageState; run: Run; beside: Run }) {
  const height = Math.max(24, Math.min(HEIGHT_MAX, 12 * run.rows.count));
  const times = (): { readonly from: number; readonly to: number } => {
    const { from, to } = state.window.value;
    const isAll = from === state.whole.from && to === state.whole.to;
    return isAll
      ? { from, to: 1.01 * Math.max(run.head.endsAt, beside.head.endsAt) }
      : { from, to };
  };
  return (
    <>
      <h3 class="of-run">
        {run === state.run ? "this run" : "the other run"} <small>{span(run.head.endsAt)}</small>
      </h3>
      <Canvas
        says={`${run.attempts.length} attempts over ${span(run.head.endsAt)}, on the time axis of both runs.`}
        height={() => height + AXIS}
        draw={(surface) => {
          const { context } = surface;
          const inks = INKS[state.theme.value];
          const gutter = gutterOf(surface.width);
          const window = { ...times(), top: 0, bottom: Math.max(1, run.rows.count) };
          drawGutter({ ...surface, width: gutter, height }, run, window, inks);
          context.translate(gutter, 0);
          const plane = { ...surface, width: surface.width - gutter, height };
          drawRows(plane, run, window, inks);
          drawEnd(plane, run, window, inks);
          const frame = { left: 0, right: plane.width - 4, top: height, bottom: height };
          bottomAxis(plane, frame, { ...times(), per: 1_000, unit: "s" }, inks);
        }}
        onWheel={(event) => {
          if (!event.ctrlKey && !event.metaKey) return;
          event.preventDefault();
          const gutter = gutterOf(event.currentTarget.clientWidth);
          const share = (event.offsetX - gutter) / (event.currentTarget.clientWidth - gutter);
          const { from, to } = times();
          state.zoom(event.deltaY > 0 ? 1.25 : 0.8, from + share * (to - from));
        }}
      />
    </>
  );
}

interface ChangesProps {
  readonly title: string;
  readonly rows: readonly {
    readonly name: string;
    readonly aMs: number;
    readonly bMs: number;
    readonly changeMs: number;
  }[];
}

function Changes({ title, rows }: ChangesProps) {
  return (
    <Scroll name={title}>
      <table>
        <Heads of={[title, "n:other, s", "n:this, s", "n:change, s"]} />
        <tbody>
          {rows.map(({ name, aMs, bMs, changeMs }) => (
            <tr key={name}>
              <td>{name}</td>
              <td class="n">{plain(aMs)}</td>
              <td class="n">{plain(bMs)}</td>
              <td class="n">
                {changeMs > 0 && plain(changeMs) !== "0" ? "+" : ""}
                {plain(changeMs)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}
