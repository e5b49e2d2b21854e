import { barAt } from "../bar-at.ts";
import type { PageState } from "../state.ts";
import { Pinch } from "./pinch.ts";
import { MOVED, type Place, type PlaneSize, placeOf } from "./place.ts";

/** Clicks select, drags choose an area or, with Shift, move; Ctrl and the wheel zoom. */
export function timelineHands(state: PageState, size: PlaneSize) {
  let began: (Place & { moved: boolean; shift: boolean }) | undefined;
  const pinch = new Pinch(state, size);
  const under = ({ x, y, plane }: Place): number =>
    barAt(state.run, state.window.value, plane, x, y);
  const pointTo = (place: Place): void => {
    state.pointer.value = place.isInside ? place.at : undefined;
    state.hover.value = place.isInside ? under(place) : -1;
  };
  return {
    onPointerDown: (event: PointerEvent) => {
      pinch.down(event);
      began = { ...placeOf(event, state, size), moved: false, shift: event.shiftKey };
    },
    onPointerMove: (event: PointerEvent) => {
      if (pinch.move(event)) {
        began = undefined;
        return;
      }
      const place = placeOf(event, state, size);
      pointTo(place);
      if (began === undefined || event.pointerType === "touch") return;
      const far = Math.abs(place.x - began.x) + Math.abs(place.y - began.y);
      if (far < MOVED && !began.moved) return;
      if (began.shift) {
        state.move((began.x - place.x) / place.plane.width);
        state.scaleRows(1, (began.y - place.y) / place.plane.height);
        began = { ...began, x: place.x, y: place.y, moved: true };
        return;
      }
      began.moved = true;
      state.area.value = areaBetween(began, place);
    },
    onPointerUp: (event: PointerEvent) => {
      pinch.up(event);
      const start = began;
      began = undefined;
      const place = placeOf(event, state, size);
      if (start === undefined || start.moved || !place.isInside) return;
      const bar = under(place);
      if (bar >= 0) state.select(bar);
      else state.pin(place.at);
    },
    onPointerLeave: (event: PointerEvent) => {
      pinch.up(event);
      began = undefined;
      state.pointer.value = undefined;
      state.hover.value = -1;
    },
    onWheel: (event: WheelEvent) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      state.zoom(event.deltaY > 0 ? 1.25 : 0.8, placeOf(event, state, size).at);
    },
  };
}

const areaBetween = (a: Place, b: Place) => ({
  from: Math.min(a.at, b.at),
  to: Math.max(a.at, b.at),
  top: Math.floor(Math.min(a.row, b.row)),
  bottom: Math.ceil(Math.max(a.row, b.row)),
});
