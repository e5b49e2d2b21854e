import type { Json } from "../../base/json.ts";
import type { Shape } from "../../base/shape.ts";
import type { Calibration } from "../calibration.ts";
import type { Extent, Unit } from "../experiment.ts";
import type { Rows, Tables } from "./table.ts";

/**
 * A study: code that fills tables, and a data file that says what is read from them: its measures,
 * rows, drawings and notes.
 */
export interface Study<Setup> {
  /** The `kind` of its data file. */
  readonly kind: string;
  /** The file's `setup`: what the code needs. */
  readonly setup: Shape<Setup>;
  readonly open: (setup: Setup, calibration: Calibration) => OpenStudy;
}

export interface OpenStudy {
  /** The work of a unit may have a number `run`: the run that its rows belong to, 0 without one. */
  readonly units: (extent: Extent) => readonly Unit[];
  /** What a unit adds to each table. */
  readonly run: (work: Json) => Rows;
  /** The numbers that the notes name: "{jobs}". */
  readonly numbers?: (tables: Tables) => Readonly<Record<string, number>>;
}
