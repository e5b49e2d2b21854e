/** How far the reading is: of the records that have passed all steps. */
export interface ReadSoFar {
  readonly score: number;
  readonly bytesRead: number;
  readonly records: number;
}

/** What passes between steps: a record, or the news that an input record has passed. */
export type Passing =
  | { readonly kind: "record"; readonly record: unknown; readonly from: InputRecord }
  | { readonly kind: "passed"; readonly from: InputRecord };

/** The input record that others were made of. */
export interface InputRecord extends ReadSoFar {
  readonly record: unknown;
  place(): string;
}
