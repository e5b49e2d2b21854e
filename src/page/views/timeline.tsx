import { useMemo } from "preact/hooks";
import { cell } from "../../base/rows.ts";
import { ROWS_BY } from "../arranged.ts";
import { AsTable, ATTEMPT_HEADS, attemptCells } from "../as-table.tsx";
import { Canvas, type Surface } from "../canvas.tsx";
import { CLASSES } from "../classes.ts";
import { bottomAxis } from "../draw/axes.ts";
import { drawMarks } from "../draw/marks.ts";
import { drawOverview, slotsAtWork } from "../draw/overview.ts";
import { drawGutter, drawRows, gutterOf } from "../draw/rows.ts";
import { clockText, heldText, ranText, span } from "../format.ts";
import { overviewHands } from "../hands/overview-hands.ts";
import { timelineHands } from "../hands/timeline-hands.ts";
import { found } from "../inspect/found.tsx";
import { Legend } from "../legend.tsx";
import type { PageState } from "../state.ts";
import { INKS } from "../theme.ts";

const OVERVIEW = 40;
/** Between the overview and the rows. */
const GAP = 8;
const BINS = 480;
const ROW_MAX = 26;
const HEIGHT_MAX = 560;
const AXIS = 22;

/** The run as a picture: rows are slots, bars are attempts. */
export function Timeline({ state }: { readonly state: PageState }) {
  const { run } = state;
  const height = (): number => Math.max(60, Math.min(state.run.rows.count * ROW_MAX, HEIGHT_MAX));
  const hands = useMemo(() => timelineHands(state, { gutterOf, height }), [state]);
  return (
    <div>
      <div class="row">
        <Legend state={state} />
        <RowsBySwitch state={state} />
      </div>
      <section
        class="card plane"
        tabIndex={0}
        data-timeline
        aria-label="timeline of attempts: arrows go from one to another"
      >
        <Overview state={state} />
        <div class="layers">
          <Canvas
            class="rows"
            says={said(state)}
            height={() => height() + AXIS}
            draw={(surface) => drawPlane(surface, state, height())}
            {...hands}
          />
          <Canvas
            class="over"
            says=""
            height={() => height() + AXIS}
            draw={(surface) => drawOver(surface, state, height())}
          />
          <Tip state={state} />
        </div>
      </section>
      <AsTable
        name="timeline"
        heads={ATTEMPT_HEADS}
        of={() => found(state).filter((i) => isSeen(state, i))}
        cells={attemptCells(run, (i) => state.select(i))}
      />
      <AsTable
        name="slots in use"
        heads={["n:from", "n:to", "n:slots in use on average"]}
        of={() => Array.from(Array(SPANS).keys())}
        cells={spanCells(state)}
      />
    </div>
  );
}

/** Whether the attempt is within the times and rows that are shown. */
function isSeen({ run, window }: PageState, i: number): boolean {
  const { from, to, top, bottom } = window.value;
  const row = cell(run.rows.rowOf[i]);
  const isShown = row > top - 1 && row < bottom;
  return isShown && run.startedAt(i) <= to && run.heardTo(i) >= from;
}

/** The number of spans, all of one length, in the overview's table. */
const SPANS = 24;

function spanCells({ run, whole }: PageState) {
  const work = slotsAtWork(run, SPANS, whole.to);
  return (at: number) => [
    span((at * whole.to) / SPANS),
    span(((at + 1) * whole.to) / SPANS),
    sumAt(work, at, SPANS).toFixed(1),
  ];
}

function RowsBySwitch({ state }: { readonly state: PageState }) {
  return (
    <fieldset class="row end" aria-label="what rows are">
      rows by
      {ROWS_BY.map((by) => (
        <button
          type="button"
          key={by}
          aria-pressed={state.run.rows.by === by}
          onClick={() => state.arrange(by)}
        >
          {by}
        </button>
      ))}
    </fieldset>
  );
}

function drawPlane(surface: Surface, state: PageState, height: number): void {
  const { context } = surface;
  const gutter = gutterOf(surface.width);
  const window = state.window.value;
  const inks = INKS[state.theme.value];
  drawGutter({ ...surface, width: gutter, height }, state.run, window, inks);
  context.translate(gutter, 0);
  const plane = { ...surface, width: surface.width - gutter, height };
  drawRows(plane, state.run, window, inks);
  const frame = { left: 0, right: plane.width - 4, top: height, bottom: height };
  bottomAxis(plane, frame, { from: window.from, to: window.to, per: 1_000, unit: "s" }, inks);
}

function drawOver(surface: Surface, state: PageState, height: number): void {
  const { context } = surface;
  const gutter = gutterOf(surface.width);
  const plane = { ...surface, width: surface.width - gutter, height };
  context.save();
  context.beginPath();
  context.rect(gutter, 0, plane.width, height);
  context.clip();
  context.translate(gutter, 0);
  drawMarks(plane, state, INKS[state.theme.value]);
  context.restore();
}

/** Busy slots over the whole run, and the times that are shown below. */
function Overview({ state }: { readonly state: PageState }) {
  const { run, whole } = state;
  const { slotsKnown, endsAt } = run.head;
  const work = useMemo(() => slotsAtWork(run, BINS, whole.to), [run]);
  const most = useMemo(() => mostAtWork(work, run.slots ?? 1), [work]);
  const hands = useMemo(() => overviewHands(state, gutterOf), [state]);
  return (
    <Canvas
      says={`Slots at work over ${span(endsAt)}; drag to choose the times below.`}
      height={() => OVERVIEW + GAP}
      draw={(surface) => {
        const { context, width } = surface;
        const inks = INKS[state.theme.value];
        const gutter = gutterOf(width);
        context.fillStyle = inks.faint;
        context.textBaseline = "top";
        context.fillText("slots in use", 4, 6);
        context.fillText(
          `of ${run.slots ?? Math.round(most)}${slotsKnown ? "" : " at most"}`,
          4,
          20,
        );
        context.translate(gutter, 0);
        const window = state.window.value;
        const plane = { ...surface, width: width - gutter, height: OVERVIEW };
        drawOverview(plane, work, { most, window, whole, inks });
      }}
      {...hands}
    />
  );
}

function mostAtWork(work: Float64Array, least: number): number {
  let most = least;
  for (let bin = 0; bin < BINS; bin++) most = Math.max(most, sumAt(work, bin, BINS));
  return most;
}

/** Busy slots in a bin, of all classes. */
function sumAt(work: Float64Array, bin: number, bins: number): number {
  let sum = 0;
  for (let at = bin; at < CLASSES * bins; at += bins) sum += cell(work[at]);
  return sum;
}

function said({ run, late }: PageState): string {
  const { head, attempts } = run;
  const ends: string[] = [];
  for (let i = 0; i < attempts.length; i++) {
    if (run.kindOf(i) === "speculative") ends.push(run.endOf(i));
  }
  const won = ends.filter((end) => end === "succeeded").length;
  const raced = `${ends.length} ${ends.length === 1 ? "copy" : "copies"} of which ${won} won`;
  return `${head.nodes.length} nodes, ${attempts.length} attempts, ${late.value.length} late, ${raced}, over ${span(head.endsAt)}.`;
}

/** The attempt under the pointer, in words. */
function Tip({ state }: { readonly state: PageState }) {
  const { run } = state;
  const i = state.hover.value;
  if (i < 0) return null;
  const { from, to } = state.window.value;
  const at = state.pointer.value ?? 0;
  const share = (at - from) / (to - from);
  const side =
    share > 0.6 ? { right: `${(1 - share) * 88 + 2}%` } : { left: `${share * 88 + 13}%` };
  const expected = cell(run.attempts.expectedMs[i]);
  const rules = run.head.decisions.filter(({ attempt }) => attempt === i).map(({ rule }) => rule);
  return (
    <div class="tip" style={side}>
      <b>{run.nameOf(i)}</b> on {run.nodeOf(i)}, {run.kindOf(i)}, {run.endText(i)}
      <br />
      {ranText(run, i)}
      {Number.isNaN(expected) ? "" : `, expected ${span(expected)}`}
      {heldText(run.attempts.heldMs[i])}
      <br />
      at {span(at)}
      {clockText(", ", run.head.originMs, at)}
      {rules.length === 0 ? null : <br />}
      {rules.join(", ")}
    </div>
  );
}
