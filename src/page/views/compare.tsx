import { useMemo } from "preact/hooks";
import {
  type ChangeRow,
  changesOf,
  headlineOf,
  settingText,
} from "../../diagnose/compare/compare-text.ts";
import { AsTable, ATTEMPT_HEADS, attemptCells } from "../as-table.tsx";
import { Canvas } from "../canvas.tsx";
import { bottomAxis } from "../draw/axes.ts";
import { drawEnd } from "../draw/marks.ts";
import { drawGutter, drawRows, gutterOf } from "../draw/rows.ts";
import { span } from "../format.ts";
import { found } from "../inspect/found.tsx";
import { Run } from "../run.ts";
import { Scroll } from "../scroll.tsx";
import type { PageState } from "../state.ts";
import { Table } from "../table.tsx";
import { INKS } from "../theme.ts";

/** What differs from another run of the job. */
export function CompareView({ state }: { readonly state: PageState }) {
  const found = state.run.head.compare;
  if (found === undefined) return null;
  const { a, b, settings } = found;
  return (
    <div>
      <p>
        {headlineOf(found)} A is the other run{a.id === b.id ? "" : `, ${a.id}`}; B is{" "}
        {state.run.judged ?? "this one"}.{settings.length === 0 ? "" : " Settings that differ:"}
      </p>
      <dl>
        {settings.map((one) => (
          <>
            <dt>{one.name}</dt>
            <dd>{settingText(one)}</dd>
          </>
        ))}
      </dl>
      <Timelines state={state} />
      <div class="plots">
        {changesOf(found).map(({ title, rows }) => (
          <Changes key={title} title={title} rows={rows} />
        ))}
      </div>
      <p class="faint">{state.run.head.shows}</p>
    </div>
  );
}

const HEIGHT_MAX = 200;
const AXIS = 20;

/** Both runs over one time axis, which follows and zooms the timeline above. */
function Timelines({ state }: { readonly state: PageState }) {
  const { other } = state.given;
  const otherRun = useMemo(() => other && new Run(other), [other]);
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
        {run === state.run ? "B, this run" : `A, the other run: ${run.head.title}`}{" "}
        <small>{span(run.head.endsAt)}</small>
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
      <AsTable
        name={run === state.run ? "B" : "A"}
        heads={ATTEMPT_HEADS}
        of={() => found({ run, find: state.find })}
        cells={attemptCells(run)}
      />
    </>
  );
}

function Changes({ title, rows }: { title: string; rows: readonly ChangeRow[] }) {
  return (
    <Scroll name={title}>
      <Table
        of={[title, "n:A s", "n:B s", "n:change s"]}
        rows={rows.map(({ name, a, b, change }) => [name, a, b, change])}
      />
    </Scroll>
  );
}
