import { defined, never } from "../../base/assert.ts";
import type { Json } from "../../base/json.ts";
import { pow } from "../../base/math.ts";
import { ascending } from "../../base/order.ts";
import { cell } from "../../base/rows.ts";
import type { Place, Shape } from "../../base/shape.ts";
import { studentT975, sum } from "../../base/stats.ts";
import type { Drawing, Point } from "../../report/chart/drawing.ts";
import type { Calibration } from "../calibration.ts";
import type {
  Done,
  ExperimentKind,
  ExperimentReport,
  Extent,
  Measured,
  Unit,
} from "../experiment.ts";
import { around, type Estimate, exactly, jackknife } from "../scenarios/estimate.ts";
import { Measures } from "./measure.ts";
import { readStudy, type StudyDrawing, type StudyFile, type StudyRow } from "./shape.ts";
import { packed, type Rows, type Table, type Tables, tablesOf } from "./table.ts";

/**
 * A study: code that fills tables, and a data file that says what is read from them: its measures,
 * rows, drawings and notes.
 */
export interface Study<Setup> {
  /** The `kind` of its data file. */
  readonly kind: string;
  /** The file's `setup`: what the code needs. */
  readonly setup: Shape<Setup>;
  /** Throws an InputError for a mistake that the shape does not see. */
  readonly open: (setup: Setup, calibration: Calibration, place: Place) => OpenStudy;
}

export interface OpenStudy {
  /** The work of a unit may have a number `run`: the run that its rows belong to, 0 without one. */
  readonly units: (extent: Extent) => readonly Unit[];
  /** What a unit adds to each table. */
  readonly run: (work: Json) => Rows;
  /** The numbers that the notes name: "{jobs}". */
  readonly numbers?: (tables: Tables) => Readonly<Record<string, number>>;
}

/** The kind of experiment that a study is: every study is read, run and reported by this. */
export const studyKind = <Setup>({ kind, setup: shape, open }: Study<Setup>): ExperimentKind => ({
  kind,
  make: ({ name, json, place, calibration }) => {
    const { file, setup } = readStudy(json, place, shape);
    const study = open(setup, calibration, place);
    return {
      name,
      title: file.title,
      paper: file.paper,
      figures: file.figures,
      units: study.units,
      run: ({ work }) => packed(study.run(work)),
      report: (done, extent) => report(file, study, { done, extent }),
    };
  },
});

function report(
  file: StudyFile,
  study: OpenStudy,
  { done, extent }: { readonly done: readonly Done[]; readonly extent: Extent },
): ExperimentReport {
  const tables = tablesOf(done);
  const measures = new Measures(file.measures, tables);
  const numbers = study.numbers?.(tables) ?? {};
  const notes = file.notes
    .filter(({ scale = extent.scale }) => scale === extent.scale)
    .map(({ text }) =>
      text.replace(/\{(\w+)\}/g, (_, name: string) => String(defined(numbers[name], name))),
    );
  return {
    measured: file.rows.map((row) => measured(row, measures)),
    drawings: file.drawings.map((drawing) => drawn(drawing, measures, tables)),
    notes: file.about === undefined ? notes : [file.about, ...notes],
  };
}

function measured(row: StudyRow, measures: Measures): Measured {
  const { figure, setting, metric, value, statistic } = row;
  const whole = () => measures.value(value);
  const parts = () => measures.runsOf(value).map((run) => measures.value(value, run));
  const made = (estimate: Estimate, runs: number): Measured => {
    return { figure, setting, metric, ...estimate, runs };
  };
  switch (statistic) {
    case "exact":
      return made(exactly(whole()), 1);
    case "mean": {
      const values = parts();
      return made(around(values), values.length);
    }
    case "largest of ten": {
      const values = parts();
      const without = (out: number) => largestOfTen(values.filter((_, run) => run !== out));
      return made(jackknife(values.length, largestOfTen(values), without), values.length);
    }
    case "parts": {
      const own = parts();
      const known = own.filter(Number.isFinite);
      return made(sectioned(whole(), known, own.length), known.length);
    }
    default:
      return never(statistic);
  }
}

/** The expected largest of ten of the values. */
function largestOfTen(values: readonly number[]): number {
  const rising = Float64Array.from(values).sort();
  const below = (count: number) => pow(count / rising.length, 10);
  return sum(Array.from(rising, (value, i) => value * (below(i + 1) - below(i))));
}

/**
 * A statistic over what all runs drew together, such as a quantile. The 95 % interval comes from
 * each run's part: sectioning (Asmussen and Glynn, Stochastic Simulation, III.5). A part that is
 * off because it is small widens the interval; an empty part is left out, and if only one part is
 * left, there is no interval: its ends are NaN.
 */
export function sectioned(value: number, known: readonly number[], runs: number): Estimate {
  const { length } = known;
  const squares = sum(known.map((part) => (part - value) * (part - value)));
  const halfWidth =
    runs === 1
      ? 0
      : length < 2
        ? Number.NaN
        : studentT975(length - 1) * Math.sqrt(squares / (length - 1) / length);
  return { value, low: value - halfWidth, high: value + halfWidth };
}

function drawn(input: StudyDrawing, measures: Measures, tables: Tables): Drawing {
  const { figure, title, x } = input;
  switch (input.kind) {
    case "cumulative": {
      const { from, to, times } = input;
      const shares = Array.from({ length: to - from + 1 }, (_, i) => from + i);
      return {
        ...{ kind: "curves", figure, title, x, steps: false },
        y: { title: "cumulative share, %", from: 0, to: 100 },
        curves: input.curves.map((curve) => {
          const values = measures.quantiles(curve, shares);
          const points = shares.map((y, i) => ({ x: times * cell(values[i]), y }));
          return { label: curve.label, points };
        }),
      };
    }
    case "functions": {
      const { y, steps } = input;
      const curves = input.curves.map(({ label, table, column }) => {
        return { label, points: pointsOf(tables(table), column) };
      });
      return { kind: "curves", figure, title, x, y, steps, curves };
    }
    case "points": {
      const { y, by, called } = input;
      const table = tables(input.table);
      const numbers = table.column(by);
      const all = pointsOf(table, "y");
      const groups = [...new Set(numbers)].sort(ascending((number) => number)).map((number) => ({
        label: `${called} ${number}`,
        points: all.filter((_, i) => numbers[i] === number),
      }));
      return { kind: "points", figure, title, x, y, groups };
    }
    default:
      return never(input);
  }
}

function pointsOf(table: Table, column: string): readonly Point[] {
  const [xs, ys] = [table.column("x"), table.column(column)];
  return xs.map((x, i) => ({ x, y: cell(ys[i]) }));
}
