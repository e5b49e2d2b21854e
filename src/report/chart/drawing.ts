/** A picture of a figure, as data; published values are shown beside measured ones. */
export type Drawing = Bars | Curves | Points;

interface Named {
  readonly figure: string;
  readonly title: string;
}

export interface Axis {
  /** The title with its unit: "response, s". */
  readonly title: string;
  readonly log?: boolean;
  readonly from?: number;
  readonly to?: number;
}

export interface Bars extends Named {
  readonly kind: "bars";
  readonly y: Axis;
  readonly groups: readonly { readonly label: string; readonly bars: readonly Bar[] }[];
}

export interface Bar {
  readonly series: string;
  readonly value: number;
  readonly low?: number;
  readonly high?: number;
  readonly published?: number;
}

/** CDFs, sweeps and curves over time. */
export interface Curves extends Named {
  readonly kind: "curves";
  readonly x: Axis;
  readonly y: Axis;
  /** Whether a value holds until the next point. */
  readonly steps: boolean;
  readonly curves: readonly Curve[];
}

export interface Curve {
  readonly label: string;
  readonly points: readonly Point[];
  /** Points that the paper prints in its text. */
  readonly published?: readonly Point[];
}

export interface Point {
  readonly x: number;
  readonly y: number;
  readonly low?: number;
  readonly high?: number;
}

/** A scatter plot. */
export interface Points extends Named {
  readonly kind: "points";
  readonly x: Axis;
  readonly y: Axis;
  readonly groups: readonly { readonly label: string; readonly points: readonly Point[] }[];
}
