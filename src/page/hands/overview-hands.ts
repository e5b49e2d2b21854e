import type { PageState } from "../state.ts";

/** A drag on the overview chooses the times that the timeline shows; a double click shows all. */
export function overviewHands(state: PageState, gutterOf: (width: number) => number) {
  let began: number | undefined;
  const timeOf = (event: PointerEvent): number => {
    const width = event.currentTarget instanceof HTMLElement ? event.currentTarget.clientWidth : 1;
    const gutter = gutterOf(width);
    const share = (event.offsetX - gutter) / (width - gutter);
    return Math.min(Math.max(share, 0), 1) * state.whole.to;
  };
  return {
    onPointerDown: (event: PointerEvent) => {
      began = timeOf(event);
      if (event.currentTarget instanceof HTMLElement) {
        event.currentTarget.setPointerCapture(event.pointerId);
      }
    },
    onPointerMove: (event: PointerEvent) => {
      if (began === undefined) return;
      const now = timeOf(event);
      if (Math.abs(now - began) < LEAST * state.whole.to) return;
      const times = { from: Math.min(began, now), to: Math.max(began, now) };
      state.window.value = { ...state.window.value, ...times };
    },
    onPointerUp: () => {
      began = undefined;
    },
    onDblClick: () => {
      state.window.value = state.whole;
    },
  };
}

/** A shorter drag, as a share of all, is a click. */
const LEAST = 0.005;
