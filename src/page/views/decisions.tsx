import { useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { span } from "../format.ts";
import { NoRefusals } from "../no-refusals.tsx";
import type { PageState } from "../state.ts";

/** The height of a line, and of a line on a phone, where the reason stands below. */
const LINE = 34;
const TALL = 82;
const SEEN = 16;
/** The number of lines that are shown without scrolling. */
const WHOLE = 14;

interface Row {
  readonly at: number;
  readonly what: string;
  readonly who: string;
  readonly where: string;
  readonly rule: string;
  readonly text: string;
  /** The row's index among the decisions; -1 for refusals. */
  readonly index: number;
  readonly kind: string;
}

/** What the policy did and what it refused, with the numbers that it compared. */
export function Decisions({ state }: { readonly state: PageState }) {
  const { head } = state.run;
  const rows = useMemo(() => rowsOf(state), [state.run]);
  const text = useSignal("");
  const listed = state.listed.value;
  const counts = new Map<string, number>();
  for (const { kind } of rows) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  const shown = rows.filter(
    ({ kind, who, where, rule }) =>
      (listed === "" ? kind !== "refused" : kind === listed) &&
      `${who} ${where} ${rule}`.toLowerCase().includes(text.value.toLowerCase()),
  );
  if (rows.length === 0) {
    const isOurs = head.firstLaunches > 0;
    return (
      <>
        <p class="faint">
          {isOurs
            ? `The policy launched ${head.firstLaunches} attempts and decided nothing else.`
            : "This log does not tell what the policy decided, or why: only Broomwagon's own journals do."}
        </p>
        <NoRefusals head={head} />
      </>
    );
  }
  return (
    <div>
      <fieldset class="row" aria-label="kinds of decisions">
        <Chip state={state} kind="" text="all that was done" count={head.decisions.length} />
        {[...counts].map(([kind, count]) => (
          <Chip key={kind} state={state} kind={kind} text={kind} count={count} />
        ))}
        <span class="end">
          <input
            type="search"
            placeholder="task, node or rule"
            aria-label="find decisions by task, node or rule"
            value={text.value}
            onInput={(event) => {
              text.value = event.currentTarget.value;
            }}
          />
        </span>
      </fieldset>
      <List state={state} rows={shown} />
      <NoRefusals head={head} />
    </div>
  );
}

/** Only the rows that are seen are drawn. */
function List({ state, rows }: { readonly state: PageState; readonly rows: readonly Row[] }) {
  const scrolled = useSignal(0);
  const line = innerWidth > 700 ? LINE : TALL;
  const first = Math.max(0, Math.floor(scrolled.value / line) - 2);
  if (rows.length === 0) return <p class="faint">No decision to list.</p>;
  return (
    <div class="card">
      <div class="heads" aria-hidden="true">
        <span class="at">at</span>
        <span>what</span>
        <span>task or job</span>
        <span>node</span>
        <span class="why">why</span>
      </div>
      <section
        class="list"
        tabIndex={0}
        aria-label={`${rows.length} decisions`}
        style={{ height: `${(rows.length > WHOLE ? WHOLE - 1.5 : rows.length) * line}px` }}
        onScroll={(event) => {
          scrolled.value = event.currentTarget.scrollTop;
        }}
      >
        <div style={{ height: `${rows.length * line}px` }} />
        {rows.slice(first, first + SEEN + 4).map((row, n) => (
          <button
            type="button"
            class="line"
            key={`${row.kind}${first + n}`}
            style={{ top: `${(first + n) * line}px` }}
            title={row.text}
            aria-pressed={row.index >= 0 && row.index === state.decision.value}
            onClick={() => {
              if (row.index >= 0) state.decide(row.index);
              else state.pin(row.at);
              document.getElementById("timeline")?.scrollIntoView();
            }}
          >
            <span class="at">{span(row.at)}</span>
            <span>{row.what}</span>
            <span>{row.who}</span>
            <span>{row.where === "" ? "" : state.run.shortName(row.where)}</span>
            <span class="why">
              <code>{row.rule}</code> <span class="faint">{row.text}</span>
            </span>
          </button>
        ))}
      </section>
    </div>
  );
}

interface ChipProps {
  readonly state: PageState;
  readonly kind: string;
  readonly text: string;
  readonly count: number;
}

function Chip({ state, kind, text, count }: ChipProps) {
  return (
    <button
      type="button"
      aria-pressed={state.listed.value === kind}
      onClick={() => {
        state.listed.value = kind;
      }}
    >
      {text} <small>{count}</small>
    </button>
  );
}

function rowsOf({ run }: PageState): readonly Row[] {
  const { decisions, refusals } = run.head;
  const isMany = run.head.jobs.length > 1;
  const short = (who: string): string => (isMany ? who : who.slice(who.indexOf("/") + 1));
  const done = decisions.map(
    (one, index): Row => ({
      ...one,
      who: short(one.who),
      text: one.text,
      index,
      kind: one.what,
    }),
  );
  const refused = refusals.map(
    (one): Row => ({
      at: one.from,
      what: one.count === 1 ? "refused" : `refused ${one.count}×`,
      who: short(one.who),
      where: one.where,
      rule: one.rule,
      text: `${one.text}${one.to > one.from ? `; for ${span(one.to - one.from)}` : ""}`,
      index: -1,
      kind: "refused",
    }),
  );
  return [...done, ...refused];
}
