import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import { cell } from "../../base/rows.ts";
import { AsTable, ATTEMPT_HEADS, attemptCells } from "../as-table.tsx";
import { Canvas, type Surface } from "../canvas.tsx";
import { type Dot, drawDurations, isByBytes } from "../draw/durations.ts";
import { drawProgress, sample } from "../draw/progress.ts";
import { drawTimes } from "../draw/times.ts";
import { grouped, span } from "../format.ts";
import { found } from "../inspect/found.tsx";
import { rateText } from "../moment.ts";
import { slowRate } from "../slow-rate.ts";
import type { PageState } from "../state.ts";
import { INKS } from "../theme.ts";

const HEIGHT = 250;
/** Room at the left for counts of five digits. */
const frameOf = (width: number) => ({ left: 46, right: width - 8, top: 18, bottom: HEIGHT - 36 });
/** If phases have more names than this, only the costliest are offered. */
const FAMILIES = 12;
/** The most attempts of a live run that the view shows and that a percentile is computed from. */
const LIVE_MAX = 5_000;
/** A click within this many pixels of a dot selects the dot. */
const NEAR = 12;

interface Plot {
  readonly state: PageState;
  readonly name: string;
  /** The attempts of the phases of this name. */
  readonly of: readonly number[];
}

/** Which tasks deviated: by rate, by input, and by how much. */
export function Tasks({ state }: { readonly state: PageState }) {
  const { run } = state;
  const name = state.family;
  const plot = { state, name, of: membersOf(state, name) };
  const hasProgress = run.attempts.curves !== undefined;
  const all = state.families.find((family) => family.name === name)?.attempts ?? 0;
  return (
    <div>
      <Families state={state} />
      {plot.of.length < all ? (
        <p class="faint">
          {plot.of.length} of {all} attempts are shown while the run goes on.
        </p>
      ) : null}
      <div class="plots">
        {hasProgress ? <Progress key={`p ${name}`} {...plot} /> : null}
        <Durations key={`d ${name}`} {...plot} />
        <Times key={`t ${name}`} {...plot} />
      </div>
      {hasProgress ? null : <p class="faint">This log does not tell the progress of attempts.</p>}
      <AsTable
        name={`attempts of ${name}`}
        heads={ATTEMPT_HEADS}
        of={() => {
          const isFound = new Set(found(state));
          return plot.of
            .filter((i) => isFound.has(i))
            .toSorted((a, b) => (run.timesOf(b) || 0) - (run.timesOf(a) || 0) || a - b);
        }}
        cells={attemptCells(run, (i) => state.select(i))}
      />
    </div>
  );
}

function Families({ state }: { readonly state: PageState }) {
  const { families } = state;
  return (
    <fieldset class="row" aria-label="phases">
      {families.slice(0, FAMILIES).map((family) => (
        <button
          type="button"
          key={family.name}
          aria-pressed={family.name === state.family}
          onClick={() => {
            state.chosen.value = family.name;
          }}
        >
          {family.name} <small>{family.attempts}</small>
        </button>
      ))}
      {families.length > FAMILIES ? (
        <span class="faint">and {families.length - FAMILIES} that lost less</span>
      ) : null}
    </fieldset>
  );
}

function Progress({ state, name, of }: Plot) {
  const { run } = state;
  const { isLive, endsAt } = run.head;
  const at = state.pinned.value ?? (isLive ? endsAt : Number.POSITIVE_INFINITY);
  const isMoment = Number.isFinite(at);
  const slowPerMs = isMoment ? slowRate(run, name, sample(of, LIVE_MAX), at) : Number.NaN;
  return (
    <Card
      title="Progress"
      note={
        <>
          dark orange: late; dashed: no result
          {isMoment ? `; dots: at ${span(at)}; line: slow below ${rateText(slowPerMs)}` : ""}
        </>
      }
      says={`Progress of ${of.length} attempts of ${name} over the time since their start.`}
      draw={(surface) =>
        drawProgress(surface, run, {
          of,
          selected: selectedIn(state),
          at,
          slowPerMs,
          inks: INKS[state.theme.value],
          frame: frameOf(surface.width),
        })
      }
    >
      <CurvesKept run={run} />
    </Card>
  );
}

interface CardProps {
  readonly title: string;
  readonly note: ComponentChildren;
  /** Why there is nothing to draw; or empty. */
  readonly empty?: string;
  readonly says: string;
  readonly draw: (surface: Surface) => void;
  readonly onClick?: (event: MouseEvent) => void;
  readonly children?: ComponentChildren;
}

function Card({ title, note, empty = "", children, ...canvas }: CardProps) {
  return (
    <div class="card padded">
      <h3>
        {title} <small>{note}</small>
      </h3>
      {empty === "" ? <Canvas height={() => HEIGHT} {...canvas} /> : <p class="empty">{empty}</p>}
      {children}
    </div>
  );
}

/** A page of many attempts says which of their curves it has. */
function CurvesKept({ run: { head, attempts } }: Pick<PageState, "run">) {
  if (head.curvesKept === undefined) return null;
  return (
    <p class="faint" data-curves={head.curvesKept}>
      The page has the curves of {grouped(head.curvesKept)} of {grouped(attempts.length)} attempts:
      of those that were late, copied, copies or without success, and of every tenth task.
    </p>
  );
}

function Durations({ state, name, of }: Plot) {
  const { run } = state;
  const dots = useRef<readonly Dot[]>([]);
  const isBytes = isByBytes(run, of);
  const pick = (event: MouseEvent): void => {
    const { i } = dots.current
      .map(({ i: one, x, y }) => ({
        i: one,
        far: Math.hypot(x - event.offsetX, y - event.offsetY),
      }))
      .reduce((a, b) => (b.far < a.far ? b : a), { i: -1, far: NEAR });
    if (i >= 0) state.select(i);
  };
  const isHeld = of.some((i) => cell(run.attempts.heldMs[i]) > 0);
  return (
    <Card
      title={isBytes ? "Time by input" : "Time by node"}
      note={
        `${run.head.isLive ? "" : "lines: expected, late; "}` +
        `${isHeld ? "from when its input was complete; " : ""}hollow: no result`
      }
      says={`Durations of ${of.length} attempts of ${name}.`}
      draw={(surface) => {
        dots.current = drawDurations(surface, run, {
          of,
          selected: selectedIn(state),
          inks: INKS[state.theme.value],
          frame: frameOf(surface.width),
        });
      }}
      onClick={pick}
    />
  );
}

function Times({ state, name, of }: Plot) {
  const { run } = state;
  const known = of.filter((i) => !Number.isNaN(run.timesOf(i))).length;
  const lacks = run.head.isLive
    ? "The diagnosis says what to expect of an attempt once the run is over."
    : "Too few attempts to tell what to expect of one.";
  return (
    <Card
      title="Times of expected"
      note={
        <>
          late above ×
          <input
            type="number"
            min="1"
            max="10"
            step="0.1"
            aria-label="how many times the expected time is late"
            value={run.lateAbove}
            onChange={(event) => {
              const lateAbove = Number(event.currentTarget.value);
              if (lateAbove > 0) state.setLimits({ ...state.changed.value, lateAbove });
            }}
          />
          {"lateAbove" in state.changed.value ? " changed here" : ""}
        </>
      }
      empty={known === 0 ? lacks : ""}
      says={`How many times their expected time ${known} attempts of ${name} took.`}
      draw={(surface) => {
        const inks = INKS[state.theme.value];
        drawTimes(surface, run, { of, inks, frame: frameOf(surface.width) });
      }}
    />
  );
}

/** The attempts of the selected task. */
const selectedIn = ({ run, attempt }: PageState): readonly number[] =>
  attempt.value < 0 ? [] : run.ofTask(attempt.value);

function membersOf({ run }: PageState, name: string): readonly number[] {
  const members: number[] = [];
  const isIn = run.head.phases.map((phase) => phase.name === name);
  for (let i = 0; i < run.attempts.length; i++) {
    if (isIn[run.phaseOf(i)] === true) members.push(i);
  }
  // During the run, the plots are made again and again.
  return run.head.isLive === true ? sample(members, LIVE_MAX) : members;
}
