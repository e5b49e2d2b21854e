import { cell } from "../../base/rows.ts";
import { wordsOf } from "../../diagnose/cause.ts";
import type { CauseRow, PartRow, Why } from "../../diagnose/document.ts";
import { plain, span } from "../../diagnose/figures.ts";
import type { Evidence } from "../../diagnose/findings.ts";
import { PART_NAMES } from "../../diagnose/response/part.ts";
import type { TextTable } from "../../report/page/document.ts";
import { phaseTable } from "../../report/page/phase-table.ts";
import { percent } from "../format.ts";
import { LimitsChanged, LimitsForm } from "../limits.tsx";
import { Link } from "../link.tsx";
import { Scroll } from "../scroll.tsx";
import type { PageState } from "../state.ts";
import { Table } from "../table.tsx";

/** How late the job was, and why, as the diagnosis says. */
export function Verdict({ state }: { readonly state: PageState }) {
  const { head } = state.run;
  const { why } = head;
  if (why === undefined) {
    return (
      <div>
        <h1>Not diagnosed: {head.notDiagnosed ?? "not requested"}.</h1>
      </div>
    );
  }
  const [headline = "", ...sentences] = why.verdict.split("\n");
  const lost = Math.max(0, why.delayMs);
  const parts = why.parts.filter(({ ms }) => plain(ms) !== "0");
  return (
    <div>
      <LimitsChanged state={state} />
      <h1>{headline}</h1>
      {sentences.map((text) => (
        <p key={text}>{text}</p>
      ))}
      <div
        class="whole"
        role="img"
        aria-label={`${parts.map(partText).join(", ")}, lost ${span(lost)}`}
      >
        {parts.map(({ ms }, n) => (
          <span style={{ width: `${(100 * ms) / why.responseMs}%`, background: shade(n) }} />
        ))}
        <span style={{ width: `${(100 * lost) / why.responseMs}%`, background: "var(--cause)" }} />
      </div>
      <div class="legend">
        {parts.map((row, n) => (
          <span key={row.part} title={row.evidence.map(placeText).join(", ")}>
            <i class="mark" style={{ backgroundColor: shade(n) }} />
            {partText(row)}
          </span>
        ))}
        <span>
          <i class="mark" style={{ backgroundColor: "var(--cause)" }} />
          lost {span(why.delayMs)} ({percent(why.delayMs / why.responseMs)})
        </span>
        <span>
          response {span(why.responseMs)}
          {state.run.judged === undefined ? "" : ` of ${why.job.name}, which lost most`}
        </span>
      </div>
      <Causes why={why} state={state} />
      {why.hints.map(({ text }) => (
        <p key={text} class="faint">
          Hint: {text}
        </p>
      ))}
      <Units state={state} />
      <Phases state={state} why={why} />
      {head.measured && <Measures of={head.measured} />}
      <Foot why={why} />
      <LimitsForm state={state} />
    </div>
  );
}

const partText = ({ part, ms }: PartRow): string => `${PART_NAMES[part]} ${span(ms)}`;

const placeText = ({ what, ms }: Evidence): string => `${what} ${plain(ms)} s`;

/** Of the usual time's parts, the largest first. */
const shade = (n: number): string =>
  `color-mix(in srgb, var(--usual) ${100 - 22 * n}%, var(--ink) ${22 * n}%)`;

function Causes({ why, state }: { readonly why: Why; readonly state: PageState }) {
  const shown = why.causes.filter(
    ({ ms, couldBeMs = 0 }) => plain(ms) !== "0" || couldBeMs > 0.01 * why.responseMs,
  );
  if (shown.length === 0) return null;
  const values = shown.flatMap(({ ms, lowMs = ms, highMs = ms, couldBeMs = ms }) => [
    ms,
    lowMs,
    highMs,
    Math.min(couldBeMs, 2 * why.responseMs),
  ]);
  const [from, to] = [Math.min(0, ...values), Math.max(1, ...values)];
  return (
    <Scroll name="causes">
      <Table
        class="folds causes"
        of={[
          ...["cause", "n:seconds", "range:95 %", `bar:${plain(from)} to ${span(to)}`],
          ...["n:alone", "where:where"],
        ]}
        weak={shown.map(isUnsure)}
        rows={shown.map((row) => [
          wordsOf(row.cause).label,
          plain(row.ms),
          row.lowMs === undefined || row.highMs === undefined
            ? "–"
            : `${plain(row.lowMs)} to ${plain(row.highMs)}`,
          <Bar row={row} from={from} to={to} />,
          plain(row.aloneMs),
          <Where row={row} state={state} />,
        ])}
      />
    </Scroll>
  );
}

const isUnsure = ({ lowMs, highMs }: CauseRow): boolean =>
  lowMs !== undefined && highMs !== undefined && lowMs <= 0 && highMs >= 0;

function Bar({
  row,
  from,
  to,
}: {
  readonly row: CauseRow;
  readonly from: number;
  readonly to: number;
}) {
  const at = (ms: number): number =>
    (100 * (Math.min(Math.max(ms, from), to) - from)) / (to - from);
  const box = (a: number, b: number) => ({
    left: `${Math.min(at(a), at(b))}%`,
    width: `${Math.max(0.4, Math.abs(at(a) - at(b)))}%`,
  });
  const { ms, lowMs, highMs, couldBeMs } = row;
  return (
    <div class="interval">
      <u style={{ left: `${at(0)}%` }} />
      <i style={box(0, ms)} />
      {lowMs === undefined || highMs === undefined ? null : <b style={box(lowMs, highMs)} />}
      {couldBeMs === undefined || couldBeMs <= (highMs ?? ms) ? null : (
        <em style={{ left: `${at(couldBeMs)}%` }} title={`could be up to ${span(couldBeMs)}`} />
      )}
    </div>
  );
}

/** Attempts and nodes that the cause's seconds come from. */
function Where({ row, state }: { readonly row: CauseRow; readonly state: PageState }) {
  const shown = row.evidence.filter(({ ms }) => plain(ms) !== "0").slice(0, 3);
  return (
    <>
      {(row.parts ?? [])
        .filter(({ ms }) => plain(ms) !== "0")
        .map(({ what, ms }) => `${what} ${plain(ms)}`)
        .join(", ")}
      {row.parts === undefined || shown.length === 0 ? "" : " "}
      {shown.map(({ what, ms }, n) => (
        <span key={what}>
          {n > 0 ? ", " : ""}
          <Link
            onClick={() => (row.cause === "node" ? state.showNode(what) : state.selectNamed(what))}
          >
            {what}
          </Link>{" "}
          {plain(ms)}
        </span>
      ))}
    </>
  );
}

/** The longest queries and jobs; a click shows when one ran. */
function Units({ state }: { readonly state: PageState }) {
  const { units } = state.run.head;
  if (units === undefined) return null;
  return (
    <details open={innerWidth > 700}>
      <summary>{units.title}</summary>
      <Scroll name="units">
        <Table
          of={units.heads}
          rows={units.rows.map(([unit, ...cells], n) => [
            <Link
              onClick={() => {
                state.showJob(cell(units.spans[n]));
                document.getElementById("timeline")?.scrollIntoView();
              }}
            >
              {unit}
            </Link>,
            ...cells,
          ])}
        />
        <p class="faint">
          {units.facts} A click shows when it ran; for a page of one alone:{" "}
          <code>broomwagon report … --{units.rows[0]?.[0]}</code>
        </p>
      </Scroll>
    </details>
  );
}

/** What each phase used and lost; folded where there is little room. */
function Phases({ state, why }: { readonly state: PageState; readonly why: Why }) {
  const { columns, rows } = phaseTable(why);
  if (rows.length === 0) return null;
  const titled = rows.some(({ title }) => title !== "") ? ["where:what it is"] : [];
  return (
    <details open={innerWidth > 700}>
      <summary>what each phase used</summary>
      <Scroll name="phases">
        <Table
          of={["phase", ...columns.map(({ title }) => `n:${title}`), ...titled]}
          rows={rows.map(({ phase, cells, title }) => [
            <Link
              onClick={() => {
                state.chosen.value = phase;
                document.getElementById("tasks")?.scrollIntoView();
              }}
            >
              {phase}
            </Link>,
            ...cells,
            ...titled.map(() => title),
          ])}
        />
      </Scroll>
    </details>
  );
}

const Measures = ({ of }: { readonly of: TextTable }) => (
  <details>
    <summary>what the papers measure</summary>
    {of.rows.length > 0 && (
      <Scroll name="outliers">
        <Table of={of.heads} rows={of.rows} />
      </Scroll>
    )}
    <p>{of.facts}</p>
  </details>
);

function Foot({ why }: { readonly why: Why }) {
  const { lacks, notes, limits } = why;
  return (
    <>
      {notes.length === 0 ? null : (
        <details>
          <summary>
            {notes.length} {notes.length === 1 ? "note" : "notes"} about the log
          </summary>
          {notes.map(({ text }) => (
            <p key={text}>{text}.</p>
          ))}
        </details>
      )}
      <p class="faint">
        {lacks.length === 0 ? "" : `Not in this log: ${lacks.join(", ")}. `}
        Limits: an attempt is late beyond {limits.lateAbove} times its expected time; a node is slow
        from {limits.slowNodeMin} times; {limits.peersMin} peers at least.{" "}
        {why.causes.length === 0
          ? ""
          : "Seconds are of the response; the interval of a grey cause includes 0; “alone” is the gain if this cause alone were gone."}
      </p>
    </>
  );
}
