import { cell } from "../../base/rows.ts";
import type { Surface } from "../canvas.tsx";
import { linesOf, type Window } from "../raster.ts";
import type { Run } from "../run.ts";
import type { PageState } from "../state.ts";
import type { Inks } from "../theme.ts";

/** What lies over the bars: the selected task, the moment, the pointer, an area. */
export function drawMarks(surface: Surface, state: PageState, inks: Inks): void {
  const { context, width, height } = surface;
  const window = state.window.value;
  const { run } = state;
  const x = (at: number): number => ((at - window.from) / (window.to - window.from)) * width;
  drawEnd(surface, run, window, inks);
  const selected = state.attempt.value;
  if (selected >= 0) {
    const boxes = run.ofTask(selected).map((i) => {
      const [y0, y1] = linesOf(cell(run.rows.rowOf[i]), window, height);
      const [from, to] = [x(run.attempts.startedAt[i]!), x(run.heardTo(i))];
      return { i, x: from, y: y0, width: Math.max(2, to - from), height: Math.max(2, y1 - y0) };
    });
    context.strokeStyle = inks.ink;
    context.setLineDash([4, 3]);
    for (const [n, box] of boxes.entries()) {
      const next = boxes[n + 1];
      if (next === undefined) continue;
      context.beginPath();
      context.moveTo(next.x, box.y + box.height / 2);
      context.lineTo(next.x, next.y + next.height / 2);
      context.stroke();
    }
    context.setLineDash([]);
    for (const box of boxes) {
      context.lineWidth = box.i === selected ? 3 : 1.5;
      context.strokeRect(box.x, box.y, box.width, box.height);
    }
    context.lineWidth = 1;
  }
  const pinned = state.pinned.value;
  if (pinned !== undefined) {
    context.strokeStyle = inks.accent;
    context.setLineDash([3, 3]);
    line(context, x(pinned), height);
    context.setLineDash([]);
  }
  const pointer = state.pointer.value;
  if (pointer !== undefined) {
    context.strokeStyle = inks.faint;
    line(context, x(pointer), height);
  }
  const area = state.area.value;
  if (area !== undefined) {
    const each = height / (window.bottom - window.top);
    const box = [x(area.from), (area.top - window.top) * each] as const;
    const size = [x(area.to) - box[0], (area.bottom - area.top) * each] as const;
    context.fillStyle = `${inks.accent}22`;
    context.fillRect(...box, ...size);
    context.strokeStyle = inks.accent;
    context.strokeRect(...box, ...size);
  }
}

/** A line where the run ends. */
export function drawEnd(
  { context, width, height }: Surface,
  { head: { endsAt } }: Run,
  { from, to }: Window,
  inks: Inks,
): void {
  context.fillStyle = inks.faint;
  const x = ((endsAt - from) / (to - from)) * width;
  if (endsAt <= to) context.fillRect(Math.round(x), 0, 1, height);
}

function line(context: CanvasRenderingContext2D, x: number, height: number): void {
  context.beginPath();
  context.moveTo(Math.round(x) + 0.5, 0);
  context.lineTo(Math.round(x) + 0.5, height);
  context.stroke();
}
