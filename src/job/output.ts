/**
 * Where records of output go, and how they are written. `text()` and `ndjson()` are outputs as
 * well.
 */
export interface Output {
  /** The directory; what the command line gives goes before it. */
  readonly path?: string;
  readonly format: OutputFormat;
}

export type OutputFormat =
  /**
   * A line for each record; the elements of an array, and of arrays within it, separated by TAB.
   */
  | { readonly kind: "text" }
  /** Each record as JSON on a line. */
  | { readonly kind: "ndjson" };

/** Lines of columns separated by TAB: `[key, value]` gives `key TAB value`. */
export function tsv(path?: string): Output {
  return { ...(path !== undefined && { path }), format: { kind: "text" } };
}
