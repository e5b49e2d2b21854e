import { cell } from "../../base/rows.ts";
import { kindAt } from "../../history/columns.ts";
import { KIND_NAMES } from "../../report/swimlanes/palette.ts";
import type { Block } from "../arranged.ts";
import type { Surface } from "../canvas.tsx";
import { lookOf } from "../classes.ts";
import { firstIn, linesOf, paint, raster, type Window } from "../raster.ts";
import type { Run } from "../run.ts";
import type { Inks } from "../theme.ts";

/** The least height of a row at which bars show their numbers. */
const NUMBERS_FROM = 11;

/** The width of a digit. */
const DIGIT = 7;

/** The width of the names at the left. */
export const gutterOf = (width: number): number => (width < 560 ? 72 : 124);

/**
 * The previous picture's pixels, reused: a large window has 10 MB, too much to allocate per frame.
 */
let kept: { readonly pixels: ImageData; readonly shown: Uint8Array } | undefined;

/** Bars, with silences and the ground below them. */
export function drawRows(surface: Surface, run: Run, window: Window, inks: Inks): void {
  const { context, width, height, scale } = surface;
  const size = { width: Math.round(width * scale), height: Math.round(height * scale) };
  if (kept?.pixels.width !== size.width || kept.pixels.height !== size.height) {
    const pixels = new ImageData(size.width, size.height);
    kept = { pixels, shown: new Uint8Array(size.width * size.height) };
  }
  const { pixels, shown } = kept;
  const repeats = raster(run.rows.bars, window, size, shown);
  paint(shown, repeats, inks.ground, new Uint32Array(pixels.data.buffer));
  const { e: x, f: y } = context.getTransform();
  context.putImageData(pixels, Math.round(x), Math.round(y));
  context.globalCompositeOperation = "destination-over";
  drawGround(surface, run, window, inks);
  context.globalCompositeOperation = "source-over";
  drawSpans(surface, run, window, { isFault: true, color: inks.late });
  const each = height / (window.bottom - window.top);
  if (each >= NUMBERS_FROM) drawNumbers(surface, run, window);
}

/** Every other block has its own ground; silent nodes have a darker one. */
function drawGround(surface: Surface, run: Run, window: Window, inks: Inks): void {
  const { context, width, height } = surface;
  const each = height / (window.bottom - window.top);
  // What is drawn first lies on top.
  drawSpans(surface, run, window, { isFault: false, color: inks.silent });
  context.fillStyle = inks.stripe;
  for (const [n, { from, to }] of run.rows.blocks.entries()) {
    if (n % 2 === 1) context.fillRect(0, (from - window.top) * each, width, (to - from) * each);
  }
}

/** Spans of nodes: silence covers all rows of the node, a fault is a line within the last row. */
function drawSpans(
  { context, width, height }: Surface,
  { head, rows }: Run,
  window: Window,
  { isFault, color }: { readonly isFault: boolean; readonly color: string },
): void {
  const each = height / (window.bottom - window.top);
  const perMs = width / (window.to - window.from);
  const y = (row: number): number => Math.min(height, (row - window.top) * each);
  context.fillStyle = color;
  for (const { node, from, to } of rows.blocks) {
    if (node < 0 || to < window.top || from > window.bottom) continue;
    for (const span of head.spans) {
      if (span.node !== node || (span.what === "fault") !== isFault) continue;
      const x0 = Math.max(0, (span.from - window.from) * perMs);
      const wide = Math.min(width, (span.to - window.from) * perMs) - x0;
      const top = isFault ? y(to) - Math.max(2, Math.min(9, each / 3)) : y(from);
      if (wide > 0) context.fillRect(x0, top, wide, isFault ? 2 : y(to) - top);
    }
  }
}

function drawNumbers({ context, width, height }: Surface, run: Run, window: Window): void {
  const { attempts, rows } = run;
  const { first, startedAt, endedAt } = rows.bars;
  const perMs = width / (window.to - window.from);
  context.textAlign = "left";
  context.textBaseline = "middle";
  const last = Math.min(rows.count, Math.ceil(window.bottom));
  let drawn = 0;
  for (let row = Math.max(0, Math.floor(window.top)); row < last; row++) {
    const end = cell(first[row + 1]);
    for (let n = firstIn(rows.bars, row, window.from); n < end && drawn < 4_000; n++) {
      const i = cell(rows.attemptAt[n]);
      const start = startedAt[n]!;
      if (start > window.to) break;
      const x0 = Math.max(0, (start - window.from) * perMs);
      const x1 = Math.min(width, (endedAt[n]! - window.from) * perMs);
      if (x1 - x0 < 12) continue;
      const letter = KIND_NAMES[kindAt(attempts, i)][1];
      const text = `${letter === "" ? "" : `${letter} `}${attempts.task[i]}`;
      // Measuring thousands of texts takes longer than all the rest.
      const wide = DIGIT * text.length;
      if (wide + 6 > x1 - x0) continue;
      const [y0, y1] = linesOf(row, window, height);
      if (lookOf(run.shown(i)).isHatched) {
        context.fillStyle = "#ffffffd9";
        context.fillRect(x0 + 2, y0 + 1, wide + 4, y1 - y0 - 2);
      }
      context.fillStyle = "#10161d";
      context.fillText(text, x0 + 4, (y0 + y1) / 2 + 0.5);
      drawn += 1;
    }
  }
}

/** Names of nodes left of the rows; nodes that the diagnosis calls slow have their factor. */
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
  for (const { from, to, name: text, node } of blocks) {
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
    context.fillText(fitted(context, text, width - 12), 4, y);
    context.textAlign = "right";
    // Where there is little room, only the name is shown, and the edge marks the node as slow.
    const isWide = context.measureText(`${text} ${shown}`).width < width - 12;
    if (isWide) context.fillText(shown, width - 6, y);
    free = y + 6;
  }
}

/** Names of blocks, or the names that neighbours share where a block has too little room. */
function blocksOf(run: Run, each: number): readonly Block[] {
  const { rows } = run;
  const groups = new Set(rows.blocks.map(({ group }) => group));
  const isOfNodes = rows.by === "slot";
  const isTight = each * (rows.count / Math.max(1, rows.blocks.length)) < 6;
  if (!isTight || groups.size < 2) {
    if (!isOfNodes) return rows.blocks;
    return rows.blocks.map((block) => ({ ...block, name: run.shortName(block.name) }));
  }
  const blocks: Block[] = [];
  for (const block of rows.blocks) {
    const last = blocks.at(-1);
    if (last?.group !== block.group) blocks.push({ ...block, name: block.group, node: -1 });
    else blocks[blocks.length - 1] = { ...last, to: block.to };
  }
  return blocks;
}

/** The text, without its middle if too long, because names of nodes differ at their ends. */
function fitted(context: CanvasRenderingContext2D, text: string, room: number): string {
  if (context.measureText(text).width <= room) return text;
  for (let cut = text.length - 2; cut > 2; cut--) {
    const head = Math.floor(cut / 3);
    const short = `${text.slice(0, head)}…${text.slice(text.length - (cut - head))}`;
    if (context.measureText(short).width <= room) return short;
  }
  return text.slice(-2);
}
