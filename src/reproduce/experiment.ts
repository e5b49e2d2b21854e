import type { Json } from "../base/json.ts";
import type { Place } from "../base/shape.ts";
import type { Drawing } from "../report/chart/drawing.ts";
import type { Calibration } from "./calibration.ts";
import type { Paper } from "./published.ts";

/** How much is run: `sample` takes a stated part of the largest studies. */
export const SCALES = ["sample", "full"] as const;
export type Scale = (typeof SCALES)[number];

export interface Extent {
  /** Paired seeds of every setting. */
  readonly runs: number;
  readonly scale: Scale;
}

/** A study of one or more figures: independent units of work, and what comes of them together. */
export interface Experiment {
  /** Unique: the name of its data file. */
  readonly name: string;
  readonly title: string;
  readonly paper: Paper;
  /** As `reproduction/figures.json` names them. */
  readonly figures: readonly string[];
  /** In a fixed order. A unit is worth a worker's trip: about 0.1 s to 10 s of work. */
  units(extent: Extent): readonly Unit[];
  /** On any worker: the same unit, the same outcome, of finite numbers. */
  run(unit: Unit): Json;
  /** The outcomes stand in the order of the units. */
  report(done: readonly Done[], extent: Extent): ExperimentReport;
}

export interface Unit {
  /** Unique within its experiment, the same in every session: what a resumed run looks for. */
  readonly key: string;
  /** Expected work, relative to the other units: the longest are begun first. */
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
  /** What a reader must know: sample sizes, what was left out. */
  readonly notes: readonly string[];
}

/** One measured figure: joined with the published one by figure, setting and metric. */
export interface Measured {
  readonly figure: string;
  readonly setting: string;
  readonly metric: string;
  readonly value: number;
  /** The 95 % interval over paired seeds; both are the value where nothing is drawn by chance. */
  readonly low: number;
  readonly high: number;
  /** Pairs; 1 where nothing is drawn by chance, or where no more were asked for. */
  readonly runs: number;
}

/** How the data files of one kind become experiments. */
export interface ExperimentKind {
  /** What the file's `kind` says. */
  readonly kind: string;
  /** Throws an InputError, with its place, for all that is wrong in the file. */
  make(file: ExperimentFile): Experiment;
}

export interface ExperimentFile {
  /** Without folder and ending. */
  readonly name: string;
  /** With the constants that it names put in. */
  readonly json: unknown;
  readonly place: Place;
  readonly calibration: Calibration;
}
