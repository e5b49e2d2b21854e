import { cell } from "../../base/rows.ts";
import type { Surface } from "../canvas.tsx";
import { faultsOf } from "../faults.ts";
import { span } from "../format.ts";
import type { NodeSpeed } from "../node-speed.ts";
import type { Run } from "../run.ts";
import type { Inks } from "../theme.ts";
import { bottomAxis } from "./axes.ts";

export interface MatrixOptions {
  readonly rows: readonly NodeSpeed[];
  /** The height of a row. */
  readonly each: number;
  readonly gutter: number;
  /** Room for the verdicts at the right. */
  readonly margin: number;
  readonly inks: Inks;
}

/** Nodes by time, the slowest first: orange is slower than peers at that moment, blue faster. */
export function drawMatrix(
  surface: Surface,
  run: Run,
  { rows, each, gutter, margin, inks }: MatrixOptions,
): void {
  const { context, width } = surface;
  const { endsAt, spans, nodes } = run.head;
  const wide = width - gutter - margin;
  const height = rows.length * each;
  const frame = { left: gutter, right: gutter + wide, top: height, bottom: height };
  bottomAxis(surface, frame, { from: 0, to: endsAt, per: 1_000, unit: "s" }, inks);
  for (const [n, { node, speed }] of rows.entries()) {
    const y = n * each;
    for (const one of spans) {
      if (one.node !== node || one.what === "fault") continue;
      context.fillStyle = inks.silent;
      const x = gutter + (one.from / endsAt) * wide;
      context.fillRect(x, y, ((one.to - one.from) / endsAt) * wide, each - gapOf(each));
    }
    for (let bin = 0; bin < speed.length; bin++) {
      const color = colorOf(cell(speed[bin]));
      if (color === undefined) continue;
      context.fillStyle = color;
      const x = gutter + (bin / speed.length) * wide;
      context.fillRect(x, y, wide / speed.length + 0.6, each - gapOf(each));
    }
    if (each < 11) continue;
    const name = nodes[node]?.name ?? "";
    context.textBaseline = "middle";
    context.textAlign = "left";
    context.fillStyle = run.isSlow.has(name) ? inks.late : inks.ink;
    context.fillText(run.shortNode(node), 4, y + each / 2, gutter - 8);
    context.fillStyle = run.isSlow.has(name) ? inks.late : inks.faint;
    context.fillText(
      verdictText(run, rows[n], margin),
      gutter + wide + 10,
      y + each / 2,
      margin - 12,
    );
  }
}

const gapOf = (each: number): number => (each >= 6 ? 1 : 0);

/** What the diagnosis says of the node; short where there is little room. */
export function verdictText(
  run: Run,
  row: NodeSpeed | undefined,
  margin: number = Number.POSITIVE_INFINITY,
): string {
  if (row === undefined) return "";
  const one = row.told;
  const lost = run.head.spans.find(({ node, what }) => node === row.node && what === "lost");
  const isNarrow = margin < 200;
  const gone = lost === undefined ? "" : `, lost at ${span(lost.from)}`;
  const faults = faultsOf(run.head, row.node).map(({ text }) => text);
  const told = isNarrow ? "" : [gone, ...faults].join("; fault: ");
  if (one === undefined || one.verdict === "too-few") {
    const count = one?.attempts ?? row.attempts;
    const few = isNarrow ? "" : one === undefined ? ", none to compare" : ": too few to judge";
    return `– ${count} ${count === 1 ? "attempt" : "attempts"}${few}${told}`;
  }
  const ratio = `×${row.factor.toFixed(2)}`;
  if (isNarrow) return ratio;
  const [factor, low, high] = [one.factor, one.lowFactor, one.highFactor].map((x) => x.toFixed(2));
  const isHigh = one.factor >= (run.head.why?.limits.slowNodeMin ?? Number.POSITIVE_INFINITY);
  const said = one.verdict === "usual" && isHigh ? ", within chance" : VERDICTS[one.verdict];
  return `${ratio} (${factor} [${low}, ${high}]) ${one.attempts} attempts${said}${told}`;
}

const VERDICTS = {
  slow: ", slow in this job",
  lasting: ", slow all the time",
  usual: "",
  "too-few": "",
} as const;

/** Orange for half the speed and less, blue for twice and more; no colour for usual speed. */
function colorOf(speed: number): string | undefined {
  if (Number.isNaN(speed)) return undefined;
  const power = Math.min(1, Math.abs(Math.log2(speed)) / 1.3);
  const alpha = (0.1 + 0.85 * power).toFixed(2);
  return speed < 1 ? `rgb(199 98 10 / ${alpha})` : `rgb(95 150 215 / ${alpha})`;
}
