import { cell } from "../base/rows.ts";
import type { PageState } from "./state.ts";

/** Keys with what they do, as the help shows them. */
export const KEYS: readonly (readonly [keys: string, does: string])[] = [
  ["W S", "zoom in and out"],
  ["A D", "move earlier and later"],
  ["+ −", "fewer or more rows"],
  ["R", "rows by slot, by task or by phase"],
  ["0", "show all"],
  ["F", "zoom to what is selected"],
  [". ,", "next and previous decision"],
  ["L", "next late attempt, the costliest first"],
  ["← → ↑ ↓", "to the next attempt or row of the timeline"],
  ["M", "pin the moment under the pointer, or release it"],
  ["/", "find a task or a node"],
  ["T", "light or dark"],
  ["Esc", "clear the selection"],
  ["?", "these keys"],
];

/** Whether the key meant something. */
export function press(state: PageState, key: string, isInTimeline = false): boolean {
  const arrow = isInTimeline && ARROWS[key];
  if (arrow) {
    step(state, ...arrow);
    return true;
  }
  const act = ACTS[key.length === 1 ? key.toLowerCase() : key];
  act?.(state);
  return act !== undefined;
}

const ARROWS: Readonly<Record<string, readonly [along: number, rows: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

const ACTS: Readonly<Record<string, (state: PageState) => void>> = {
  w: (state) => state.zoom(0.7),
  s: (state) => state.zoom(1 / 0.7),
  a: (state) => state.move(-0.2),
  d: (state) => state.move(0.2),
  "+": (state) => state.scaleRows(0.7),
  "=": (state) => state.scaleRows(0.7),
  "-": (state) => state.scaleRows(1 / 0.7),
  "0": (state) => {
    state.window.value = state.whole;
  },
  f: (state) => state.focus(),
  r: (state) => state.arrangeNext(),
  ".": (state) => state.decideNext(1),
  ",": (state) => state.decideNext(-1),
  l: (state) => state.selectLate(),
  m: (state) => {
    state.pin(state.pinned.value === undefined ? state.pointer.value : undefined);
  },
  t: (state) => {
    state.theme.value = state.theme.value === "light" ? "dark" : "light";
  },
  "?": (state) => {
    state.isHelpOpen.value = !state.isHelpOpen.value;
  },
  Escape: (state) => state.clear(),
};

/** Moves from attempt to attempt of a row, or to another row's attempt at the same time. */
function step(state: PageState, along: number, rows: number): void {
  const { run } = state;
  const { attempts } = run;
  const { bars, rowOf, placeOf, attemptAt } = run.rows;
  const i = state.attempt.value;
  if (i < 0) {
    if (attempts.length > 0) state.select(0);
    return;
  }
  const row = cell(rowOf[i]);
  if (rows === 0) {
    const next = attemptAt[cell(placeOf[i]) + along] ?? -1;
    if (rowOf[next] === row) state.select(next);
    return;
  }
  const middle = (attempts.startedAt[i]! + run.heardTo(i)) / 2;
  for (let other = row + rows; other >= 0 && other < run.rows.count; other += rows) {
    const [first, end] = [cell(bars.first[other]), cell(bars.first[other + 1])];
    if (end <= first) continue;
    const far = (n: number): number =>
      Math.max(cell(bars.startedAt[n]) - middle, middle - cell(bars.endedAt[n]));
    let nearest = first;
    for (let n = first; n < end; n++) if (far(n) < far(nearest)) nearest = n;
    const found = attemptAt[nearest] ?? -1;
    if (found < 0) continue;
    state.select(found);
    return;
  }
}
