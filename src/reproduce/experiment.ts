import type { Json } from "../base/json.ts";
import type { Place } from "../base/shape.ts";
import type { Drawing } from "../report/chart/drawing.ts";
import type { Calibration } from "./calibration.ts";
import type { Paper } from "./published.ts";

/** How much runs: `sample` takes a stated part of the largest studies. */
export const SCALES = ["sample", "full"] as const;
export type Scale = (typeof SCALES)[number];

export interface Extent {
  /** Paired seeds of every setting. */
  readonly runs: number;
  readonly scale: Scale;
}

/** A study of one or more figures: independent units of work, and the report on their outcomes. */
export interface Experiment {
  /** Unique: the name of its data file. */
  readonly name: string;
  readonly title: string;
  readonly paper: Paper;
  /** As `reproduction/figures.json` names them. */
  readonly figures: readonly string[];
  /** In a fixed order. A unit is about 0.1 s to 10 s of work, enough to send to a worker. */
  units(extent: Extent): readonly Unit[];
  /** Runs on any worker: the same unit gives the same outcome, of finite numbers. */
  run(unit: Unit): Json;
  /** The outcomes come in the order of the units. */
  report(done: readonly Done[], extent: Extent): ExperimentReport;
}

export interface Unit {
  /** Unique within its experiment, and the same in every session: a resumed run looks it up. */
  readonly key: string;
  /** Expected work, relative to the other units: the longest units begin first. */
  readonly cost: number;
  readonly work: Json;
}

export interface Done {
  readonly unit: Unit;
  readonly outcome: Json;
}

export interface ExperimentReport {
  readonly measured: readonly Measured[];
  readonly drawings: readonly Drawing[];
  /** Notes for the reader: sample sizes, what was left out. */
  readonly notes: readonly string[];
}

/** One measured figure, joined with the published one by figure, setting and metric. */
export interface Measured {
  readonly figure: string;
  readonly setting: string;
  readonly metric: string;
  readonly value: number;
  /** The 95 % interval over paired seeds; both ends equal the value where nothing is random. */
  readonly low: number;
  readonly high: number;
  /** The number of pairs; 1 where nothing is random, or where only one was requested. */
  readonly runs: number;
}

/** Makes experiments of the data files of one kind. */
export interface ExperimentKind {
  /** The value of the file's `kind`. */
  readonly kind: string;
  /** Throws an InputError, with its place, for any mistake in the file. */
  make(file: ExperimentFile): Experiment;
}

export interface ExperimentFile {
  /** The file's name without directory and extension. */
  readonly name: string;
  /** The file's content, with named constants replaced by their values. */
  readonly json: unknown;
  readonly place: Place;
  readonly calibration: Calibration;
}
