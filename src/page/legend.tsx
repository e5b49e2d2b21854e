import { useRef } from "preact/hooks";
import { cell } from "../base/rows.ts";
import { TRACE_ENDS } from "../history/columns.ts";
import { ATTEMPT_KINDS } from "../model/attempt.ts";
import type { NodeSpan } from "../report/page/document.ts";
import {
  END_COLORS,
  KIND_NAMES,
  kindColor,
  LATE_COLOR,
  OPEN_COLORS,
} from "../report/swimlanes/palette.ts";
import { Link } from "./link.tsx";
import type { Run } from "./run.ts";
import type { PageState } from "./state.ts";

interface Entry {
  readonly text: string;
  readonly color: string;
  readonly isHatched?: boolean;
  readonly has: (i: number) => boolean;
  /** Whether the entry has a count, and clicks step through it. */
  readonly isRare?: boolean;
}

/** Lists only what the picture has. A click on a rare entry steps through its attempts. */
export function Legend({ state }: { readonly state: PageState }) {
  const { run } = state;
  const { attempts } = run;
  const late = state.late.value.length;
  const last = useRef(-1);
  const counts = countsOf(run);
  const entries = entriesOf(run).map((entry) => {
    const count = counts
      .filter(({ example }) => entry.has(example))
      .reduce((sum, one) => sum + one.count, 0);
    return { ...entry, count };
  });
  const step = ({ has }: Entry): void => {
    for (let n = 1; n <= attempts.length; n++) {
      const i = (last.current + n) % attempts.length;
      if (!has(i)) continue;
      last.current = i;
      state.select(i);
      return;
    }
  };
  return (
    <div class="legend">
      {entries
        .filter(({ count }) => count > 0)
        .map((entry) => {
          const mark = (
            <i
              class={entry.isHatched === true ? "mark hatched" : "mark"}
              style={{ backgroundColor: entry.color }}
            />
          );
          const text = `${entry.text} ${entry.isRare === true ? entry.count : ""}`;
          return entry.isRare === true ? (
            <span key={entry.text}>
              {mark}
              <Link onClick={() => step(entry)}>{text}</Link>
            </span>
          ) : (
            <span key={entry.text}>
              {mark}
              {text}
            </span>
          );
        })}
      {late === 0 ? null : (
        <span>
          <i class="mark" style={{ backgroundColor: LATE_COLOR }} />
          <Link onClick={() => state.selectLate()}>late {late}</Link>, beyond the expected time
        </span>
      )}
      {GROUNDS.filter(({ has }) => run.head.spans.some(has)).map(({ mark, text }) => (
        <span key={mark}>
          <i class={`mark ${mark}`} />
          {text}
        </span>
      ))}
    </div>
  );
}

/** What the background of a node's rows shows. */
const GROUNDS = [
  { mark: "fault", text: "fault of a node", has: ({ what }: NodeSpan) => what === "fault" },
  { mark: "silent", text: "silent or lost node", has: ({ what }: NodeSpan) => what !== "fault" },
] as const;

/**
 * Groups of attempts that all entries treat alike: the number, and one attempt. COST: O(attempts).
 */
function countsOf(run: Run): readonly { readonly example: number; readonly count: number }[] {
  const { kinds, ends, length } = run.attempts;
  const counts: { readonly example: number; count: number }[] = [];
  for (let i = 0; i < length; i++) {
    const key = (cell(kinds[i]) * TRACE_ENDS.length + cell(ends[i])) * 4 + (run.phaseInJob(i) % 4);
    const known = counts[key];
    if (known === undefined) counts[key] = { example: i, count: 1 };
    else known.count += 1;
  }
  return counts.filter((one) => one !== undefined);
}

function entriesOf(run: Run): readonly Entry[] {
  const names = new Map<number, Set<string>>();
  for (const [phase, { name }] of run.head.phases.entries()) {
    const nth = run.placeInJob(phase) % 4;
    const own = names.get(nth) ?? new Set();
    names.set(nth, own.add(name));
  }
  const isOriginal = (i: number): boolean => run.kindOf(i) === "original";
  const runs = run.head.isLive ? "running" : "running when the log ends";
  const phases = [...names].map(([nth, of]) => {
    const some = [...of];
    const text = some.length > 3 ? `${some.slice(0, 2).join(", ")}, …` : some.join(", ");
    const has = (i: number) => isOriginal(i) && run.phaseInJob(i) % 4 === nth;
    const all: Entry = { text, color: kindColor("original", nth), has };
    const open: Entry = {
      text: `${text}, ${runs}`,
      color: OPEN_COLORS[nth] ?? END_COLORS.open,
      has: (i) => has(i) && run.endOf(i) === "cut-off",
      isRare: true,
    };
    return { all, open };
  });
  const kinds = ATTEMPT_KINDS.filter((kind) => kind !== "original").map((kind): Entry => {
    const [name, letter] = KIND_NAMES[kind];
    const has = (i: number) => run.kindOf(i) === kind;
    return { text: `${letter} ${name}`, color: kindColor(kind, 0), has, isRare: true };
  });
  const ended = (text: string, end: string, hue: string, isHatched: boolean): Entry => ({
    text,
    color: hue,
    isHatched,
    has: (i) => run.endOf(i) === end,
    isRare: true,
  });
  return [
    ...phases.map(({ all }) => all),
    ...kinds,
    ended("killed", "killed", "#7d8894", true),
    ended("lost with its node", "lost", END_COLORS.lost, true),
    ended("failed", "failed", END_COLORS.failed, false),
    ...phases.map(({ open }) => open),
  ];
}
