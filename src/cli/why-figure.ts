import { join } from "node:path";
import { InputError } from "../base/input-error.ts";
import { csvFields } from "../data/formats/csv-line.ts";
import { QUICKLY, whyOf } from "../library/explain.ts";
import { type AskedJob, jobOf, type Opened } from "../library/job-of-history.ts";
import { drawAlone } from "../report/chart/draw.ts";
import type { Drawing, Point } from "../report/chart/drawing.ts";
import { PAPER_FIGURES, type PaperFigure } from "../report/paper-figures.ts";
import { makeFolder } from "./files.ts";
import { writeWhole } from "./picture-file.ts";

/** `--figure mantri-fig4`. */
export function figureNamed(text: string): PaperFigure {
  const found = PAPER_FIGURES.find(({ name }) => name === text);
  if (found !== undefined) return found;
  const names = PAPER_FIGURES.map(({ name }) => name).join(", ");
  throw new InputError("bad-flag", `--figure ${text}`, `expected one of ${names}`);
}

/** Draws the figure of the history, with its values beside it; returns the paths of both files. */
export function drawFigure(
  figure: PaperFigure,
  opened: Opened,
  { asked, out }: { readonly asked: AskedJob; readonly out: string },
): readonly string[] {
  const { name } = figure;
  const drawing = drawingOf(figure, opened, asked);
  if (drawing === undefined) {
    throw new InputError("bad-input", opened.place, `expected something that ${name} shows`);
  }
  makeFolder(out);
  const [svg, csv] = [join(out, `${name}.svg`), join(out, `${name}.csv`)];
  writeWhole("--out", svg, drawAlone(drawing));
  writeWhole("--out", csv, csvOf(drawing));
  return [svg, csv];
}

function drawingOf(figure: PaperFigure, opened: Opened, asked: AskedJob): Drawing | undefined {
  if (figure.of === "job") return figure.draw(jobOf(opened, asked));
  const isAsked = Object.values(asked).some((one) => one !== undefined);
  const jobs = isAsked ? [jobOf(opened, asked)] : opened.trace.jobs;
  if (figure.of === "history") return figure.draw(jobs);
  const ran = jobs.filter(({ phases }) => phases.some(({ attempts }) => attempts.length > 0));
  return figure.draw(ran.map((job) => ({ job, delayMs: whyOf(opened, job, QUICKLY).delayMs })));
}

/** RFC 4180: a line for each point, or for each bar. */
function csvOf(drawing: Drawing): string {
  const lines = [["series", "x", "y"], ...valuesOf(drawing)];
  return [...lines.map((line) => csvFields(line, ",")), ""].join("\r\n");
}

function valuesOf(drawing: Drawing): readonly (readonly string[])[] {
  const pointsOf = ({ label, points }: { label: string; points: readonly Point[] }) =>
    points.map(({ x, y }) => [label, String(x), String(y)]);
  switch (drawing.kind) {
    case "bars":
      return drawing.groups.flatMap(({ label, bars }) =>
        bars.map(({ series, value }) => [series, label, String(value)]),
      );
    case "curves":
      return drawing.curves.flatMap(pointsOf);
    default:
      return drawing.groups.flatMap(pointsOf);
  }
}
