import { cell } from "../../base/rows.ts";
import type { Surface } from "../canvas.tsx";
import { lookOf } from "../classes.ts";
import type { Run } from "../run.ts";
import type { Inks } from "../theme.ts";
import { bottomAxis, type Frame, leftAxis, nameAxis } from "./axes.ts";

export interface DotOptions {
  readonly of: readonly number[];
  readonly selected: readonly number[];
  readonly inks: Inks;
  readonly frame: Frame;
}

export interface Dot {
  readonly i: number;
  readonly x: number;
  readonly y: number;
}

const ALIKE = 1.3;

/** Whether the inputs of a family differ enough for a plot over bytes. */
export function isByBytes(run: Run, of: readonly number[]): boolean {
  // A killed attempt has read only a part.
  const whole = of.filter((i) => run.endOf(i) === "succeeded");
  const bytes = whole.map((i) => run.readBytes(i)).filter((one) => one > 0);
  if (bytes.length < 0.8 * whole.length || bytes.length < 3) return false;
  bytes.sort((a, b) => a - b);
  const at = (share: number): number => cell(bytes[Math.floor(share * (bytes.length - 1))]);
  return at(0.95) > ALIKE * at(0.05);
}

/** Durations over bytes read, with the expected time; over the node where inputs are alike. */
export function drawDurations(
  surface: Surface,
  run: Run,
  { of, selected, inks, frame }: DotOptions,
): readonly Dot[] {
  const { context } = surface;
  const most = 1.04 * Math.max(1, ...chunked(of, (i) => run.ownMs(i)));
  leftAxis(surface, frame, { to: most, per: 1_000, unit: "s" }, inks);
  const isBytes = isByBytes(run, of);
  const x = isBytes
    ? bytesAxis(surface, run, { of, inks, frame })
    : nodeAxis(surface, run, { inks, frame });
  const y = (ms: number): number => frame.bottom - (ms / most) * (frame.bottom - frame.top);
  const dots: Dot[] = [];
  const isMany = of.length > 2_000;
  for (const i of of) {
    const dot = { i, x: x(i), y: y(run.ownMs(i)) };
    dots.push(dot);
    const isLate = run.isLate(i);
    const color = isLate ? inks.late : lookOf(run.shown(i)).color;
    const half = isLate ? 3 : isMany ? 1 : 2.5;
    context.globalAlpha = isLate ? 1 : isMany ? 0.5 : 0.85;
    if (run.endOf(i) === "succeeded") {
      context.fillStyle = color;
      context.fillRect(dot.x - half, dot.y - half, 2 * half, 2 * half);
    } else {
      context.strokeStyle = color;
      context.strokeRect(dot.x - half, dot.y - half, 2 * half, 2 * half);
    }
  }
  context.globalAlpha = 1;
  context.strokeStyle = inks.ink;
  context.lineWidth = 2;
  for (const dot of dots) {
    if (selected.includes(dot.i)) context.strokeRect(dot.x - 5, dot.y - 5, 10, 10);
  }
  context.lineWidth = 1;
  expectedLine(context, run, { of, inks, frame, isBytes, x, y });
  return dots;
}

function bytesAxis(surface: Surface, run: Run, { of, inks, frame }: Omit<DotOptions, "selected">) {
  const bytes = (i: number): number => Math.max(0, run.readBytes(i)) || 0;
  const most = 1.03 * Math.max(1, ...chunked(of, bytes));
  const [per, unit] =
    most > 2e9 ? [1e9, "GB read"] : most > 2e6 ? [1e6, "MB read"] : [1e3, "kB read"];
  bottomAxis(surface, frame, { from: 0, to: most, per, unit }, inks);
  return (i: number): number => frame.left + (bytes(i) / most) * (frame.right - frame.left);
}

/** Nodes from left to right; the attempts of one node side by side. */
function nodeAxis(
  { context }: Surface,
  run: Run,
  { inks, frame }: Pick<DotOptions, "inks" | "frame">,
) {
  const count = Math.max(1, run.head.nodes.length);
  const each = (frame.right - frame.left) / count;
  context.textAlign = "center";
  context.textBaseline = "top";
  let free = frame.left;
  for (let node = 0; node < count; node++) {
    const middle = frame.left + (node + 0.5) * each;
    const text = run.shortNode(node);
    const half = context.measureText(text).width / 2;
    context.fillStyle = run.isSlow.has(run.head.nodes[node]?.name ?? "") ? inks.late : inks.faint;
    if (middle - half < free || middle + half > frame.right) continue;
    context.fillText(text, middle, frame.bottom + 5);
    free = middle + half + 8;
  }
  nameAxis(context, frame, "node", inks);
  return (i: number): number => {
    const within = (((cell(run.attempts.task[i]) * 0.618) % 1) - 0.5) * 0.7;
    return frame.left + (cell(run.attempts.node[i]) + 0.5 + within) * each;
  };
}

interface LineOptions extends Omit<DotOptions, "selected"> {
  readonly isBytes: boolean;
  readonly x: (i: number) => number;
  readonly y: (ms: number) => number;
}

/** The diagnosis's expectation, and the limit beyond which an attempt is late. */
function expectedLine(
  context: CanvasRenderingContext2D,
  run: Run,
  { of, inks, frame, isBytes, x, y }: LineOptions,
): void {
  const { expectedMs } = run.attempts;
  const known = of.filter((i) => cell(expectedMs[i]) > 0 && (!isBytes || run.readBytes(i) > 0));
  if (known.length === 0) return;
  const expected = (i: number): number => cell(expectedMs[i]);
  const rising = known.toSorted((a, b) => expected(a) - expected(b));
  const middle = cell(rising[Math.floor(rising.length / 2)]);
  const first = cell(known[0]);
  const fit = run.head.phases[run.phaseOf(first)]?.fit;
  const draw = (factor: number, color: string, dash: number[]): void => {
    context.strokeStyle = color;
    context.setLineDash(dash);
    context.beginPath();
    if (isBytes && fit !== undefined) {
      const end = known.reduce((a, b) => (run.readBytes(b) > run.readBytes(a) ? b : a), first);
      const most = run.readBytes(end);
      context.moveTo(frame.left, y(factor * fit.alphaMs));
      context.lineTo(x(end), y(factor * (fit.alphaMs + fit.msPerByte * most)));
    } else {
      context.moveTo(frame.left, y(factor * expected(middle)));
      context.lineTo(frame.right, y(factor * expected(middle)));
    }
    context.stroke();
    context.setLineDash([]);
  };
  context.save();
  context.beginPath();
  context.rect(frame.left, frame.top, frame.right - frame.left, frame.bottom - frame.top);
  context.clip();
  draw(1, inks.ink, []);
  draw(run.lateAbove, inks.late, [5, 4]);
  context.restore();
}

const chunked = (of: readonly number[], value: (i: number) => number): readonly number[] => [
  of.reduce((most, i) => Math.max(most, value(i)), 0),
];
