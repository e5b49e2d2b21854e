import type { Settings } from "../../hosts/sim/index.ts";
import type { Axis } from "../../report/chart/drawing.ts";
import type { Heading } from "../heading.ts";
import type { Measure } from "./measure.ts";
import type { Quantity, Statistic } from "./quantity.ts";

/**
 * An experiment that runs scenarios: variants of one scenario, each under several disciplines, over
 * the same seeds. A setting is called "variant/discipline", or by its discipline alone where there
 * are no variants.
 */
export interface ScenariosFile extends Heading {
  /** cluster, jobs, faults; as in a scenario file, without name and study. */
  readonly scenario: unknown;
  /** Changes to the scenario, as JSON merge patches (RFC 7396). */
  readonly variants?: Readonly<Record<string, unknown>>;
  readonly disciplines: Readonly<Record<string, DisciplineInput>>;
  /** By name, as quantities call them: "response of packed/late". */
  readonly measures: Readonly<Record<string, Measure>>;
  readonly rows: readonly RowInput[];
  readonly drawings: readonly DrawingInput[];
  /** Expected work of one run, relative to other experiments'; in seconds if known. */
  readonly cost: number;
  /** Fewer runs than asked for, where they take long; the notes say so. */
  readonly runsMax?: { readonly sample: number; readonly full: number };
}

export interface DisciplineInput {
  /** As on the command line: a name, or a combination. */
  readonly discipline: string;
  readonly set: Settings;
  /** Of the variants, those that it is run in; all if left out. */
  readonly variants?: readonly string[];
}

/** A row of the results: where it belongs, and how it is computed. */
export interface RowInput {
  readonly figure: string;
  readonly setting: string;
  readonly metric: string;
  readonly value: Quantity;
  readonly statistic: Statistic;
}

export interface ValueInput {
  readonly value: Quantity;
  readonly statistic: Statistic;
  readonly published?: number;
}

/** A drawing whose numbers are still to be computed. */
export type DrawingInput = BarsInput | CurvesInput;

interface Named {
  readonly figure: string;
  readonly title: string;
}

export interface BarsInput extends Named {
  readonly kind: "bars";
  readonly y: Axis;
  readonly groups: readonly {
    readonly label: string;
    readonly bars: readonly (ValueInput & { readonly series: string })[];
  }[];
}

export interface CurvesInput extends Named {
  readonly kind: "curves";
  readonly x: Axis;
  readonly y: Axis;
  readonly steps: boolean;
  readonly curves: readonly {
    readonly label: string;
    readonly points: readonly (ValueInput & { readonly x: number })[];
    readonly published?: readonly { readonly x: number; readonly y: number }[];
  }[];
}
