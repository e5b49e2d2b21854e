import { ATTEMPT_KINDS } from "../../model/attempt.ts";
import { KIND_NAMES } from "../../report/swimlanes/palette.ts";
import type { Surface } from "../canvas.tsx";
import { firstIn, linesOf, paint, raster, type Window } from "../raster.ts";
import type { Run } from "../run.ts";
import type { Inks } from "../theme.ts";

/** Bars have their numbers from this height of a row on. */
const NUMBERS_FROM = 11;

/** Ground, silences and bars. */
export function drawRows(surface: Surface, run: Run, window: Window, inks: Inks): void {
  const { context, width, height, scale } = surface;
  drawGround(surface, run, window, inks);
  const size = { width: Math.round(width * scale), height: Math.round(height * scale) };
  const shown = new Uint8Array(size.width * size.height);
  raster(run.bars, window, size, shown);
  const image = new OffscreenCanvas(size.width, size.height);
  const pixels = new ImageData(size.width, size.height);
  paint(shown, size.width, inks.ground, new Uint32Array(pixels.data.buffer));
  image.getContext("2d")?.putImageData(pixels, 0, 0);
  context.drawImage(image, 0, 0, width, height);
  const each = height / (window.bottom - window.top);
  if (each >= NUMBERS_FROM) drawNumbers(surface, run, window);
}

/** Every other node has a ground of its own; silent nodes a darker one. */
function drawGround(
  { context, width, height }: Surface,
  { head }: Run,
  window: Window,
  inks: Inks,
): void {
  const each = height / (window.bottom - window.top);
  const perMs = width / (window.to - window.from);
  const y = (row: number): number => (row - window.top) * each;
  let block = 0;
  for (let row = 0; row < head.rows.length; ) {
    const node = head.rows[row]?.node;
    let end = row + 1;
    while (end < head.rows.length && head.rows[end]?.node === node) end += 1;
    if (block % 2 === 1) {
      context.fillStyle = inks.stripe;
      context.fillRect(0, y(row), width, (end - row) * each);
    }
    for (const span of head.spans) {
      if (span.node !== node || span.to < window.from || span.from > window.to) continue;
      const x0 = Math.max(0, (span.from - window.from) * perMs);
      const x1 = Math.min(width, (span.to - window.from) * perMs);
      context.fillStyle = span.what === "fault" ? inks.stripe : inks.silent;
      if (span.what !== "fault") context.fillRect(x0, y(row), x1 - x0, (end - row) * each);
      context.fillStyle = span.what === "fault" ? inks.late : inks.faint;
      if (span.what === "fault") context.fillRect(x0, y(end) - 2, x1 - x0, 2);
    }
    row = end;
    block += 1;
  }
}

function drawNumbers({ context, width, height }: Surface, run: Run, window: Window): void {
  const { bars, attempts, head } = run;
  const perMs = width / (window.to - window.from);
  context.textAlign = "left";
  context.textBaseline = "middle";
  const last = Math.min(head.rows.length, Math.ceil(window.bottom));
  let drawn = 0;
  for (let row = Math.max(0, Math.floor(window.top)); row < last; row++) {
    const end = bars.first[row + 1] ?? 0;
    for (let i = firstIn(bars, row, window.from); i < end && drawn < 4_000; i++) {
      const start = attempts.startedAt[i] ?? 0;
      if (start > window.to) break;
      const x0 = Math.max(0, (start - window.from) * perMs);
      const x1 = Math.min(width, ((attempts.endedAt[i] ?? 0) - window.from) * perMs);
      if (x1 - x0 < 12) continue;
      const letter = KIND_NAMES[ATTEMPT_KINDS[attempts.as[i] ?? 0] ?? "original"][1];
      const text = `${letter === "" ? "" : `${letter} `}${attempts.task[i]}`;
      if (context.measureText(text).width + 6 > x1 - x0) continue;
      const [y0, y1] = linesOf(row, window, height);
      const isHatched = run.endOf(i) === "killed" || run.endOf(i) === "lost";
      if (isHatched) {
        context.fillStyle = "#ffffffd9";
        context.fillRect(x0 + 2, y0 + 1, context.measureText(text).width + 4, y1 - y0 - 2);
      }
      context.fillStyle = "#10161d";
      context.fillText(text, x0 + 4, (y0 + y1) / 2 + 0.5);
      drawn += 1;
    }
  }
}

/** Names of nodes left of the rows; those the diagnosis calls slow have their factor. */
export function drawGutter(
  { context, width, height }: Surface,
  run: Run,
  window: Window,
  inks: Inks,
): void {
  const { head } = run;
  const each = height / (window.bottom - window.top);
  context.textBaseline = "middle";
  let free = 0;
  const blocks = blocksOf(run, each);
  for (const { from, to, text, node } of blocks) {
    const top = Math.max(0, (from - window.top) * each);
    const bottom = Math.min(height, (to - window.top) * each);
    const y = (top + bottom) / 2;
    if (bottom <= 0 || top >= height) continue;
    const name = head.nodes[node]?.name ?? "";
    const isSlow = run.isSlow.has(name);
    if (isSlow) {
      context.fillStyle = inks.late;
      context.fillRect(width - 3, top, 3, Math.max(1, bottom - top - 1));
    }
    if (y - 6 < free) continue;
    const factor = head.why?.nodes.find((one) => one.node === name)?.factor;
    const shown = isSlow && factor !== undefined ? `×${factor.toFixed(1)}` : "";
    context.fillStyle = isSlow ? inks.late : inks.ink;
    context.textAlign = "left";
    const room = width - 12 - (shown === "" ? 0 : context.measureText(shown).width + 8);
    context.fillText(fitted(context, text, room), 4, y);
    context.textAlign = "right";
    context.fillText(shown, width - 6, y);
    free = y + 6;
  }
}

/** Nodes, or racks where nodes have too little room. */
function blocksOf(run: Run, each: number) {
  const { head } = run;
  const racks = new Set(head.nodes.map(({ rack = "" }) => rack));
  const perNode = head.rows.length / Math.max(1, head.nodes.length);
  const isByRack = racks.size > 1 && each * perNode < 6;
  const keyOf = (row: number): string => {
    const node = head.rows[row]?.node ?? -1;
    return isByRack ? (head.nodes[node]?.rack ?? "") : String(node);
  };
  const blocks: { from: number; to: number; text: string; node: number }[] = [];
  for (let row = 0; row < head.rows.length; row++) {
    const last = blocks.at(-1);
    if (last !== undefined && keyOf(row) === keyOf(last.from)) {
      last.to = row + 1;
      continue;
    }
    const node = head.rows[row]?.node ?? -1;
    const text = isByRack ? keyOf(row) : run.shortNode(node);
    blocks.push({ from: row, to: row + 1, text, node: isByRack ? -1 : node });
  }
  return blocks;
}

/** The text, without its middle if it is too long: names of nodes differ at their ends. */
function fitted(context: CanvasRenderingContext2D, text: string, room: number): string {
  if (context.measureText(text).width <= room) return text;
  for (let cut = text.length - 2; cut > 2; cut--) {
    const head = Math.floor(cut / 3);
    const short = `${text.slice(0, head)}…${text.slice(text.length - (cut - head))}`;
    if (context.measureText(short).width <= room) return short;
  }
  return text.slice(-2);
}
