import { checkWord } from "./described.ts";
import type { TextEncoding } from "./text-encoding.ts";

/**
 * Where records of output go, and how they are written. `text()`, `csv()` and `ndjson()` are
 * outputs as well.
 */
export interface Output {
  /** The directory; what the command line gives goes before it. */
  readonly path?: string;
  readonly format: OutputFormat;
  /** Each part file is compressed as a whole. */
  readonly compress?: Compress;
}

export type Compress = "gzip";

export type OutputFormat =
  /**
   * A line for each record; the elements of an array, and of arrays within it, separated by TAB.
   */
  | {
      readonly kind: "text";
      readonly encoding: TextEncoding;
      /**
       * What becomes of a TAB or a line end within a column: it is refused, or written as an
       * escape. Absent: it is written as it is.
       */
      readonly marks?: "refused" | "escaped";
    }
  /** RFC 4180, with a line feed at the end of each record. */
  | {
      readonly kind: "csv";
      readonly separator: string;
      /** Each part begins with the columns' names, if they are known, or the first alone. */
      readonly header: boolean | "first";
      /** Which fields of an object, in order. */
      readonly columns?: readonly string[];
    }
  /** Each record as JSON on a line. */
  | { readonly kind: "ndjson" }
  /** As values, for a program that runs the job; a job file cannot ask for it. */
  | { readonly kind: "records" };

export interface OutputOptions {
  /** `gzip`: each part file is compressed as a whole. */
  readonly compress?: Compress;
}

export interface TsvOptions extends OutputOptions {
  /**
   * TAB, line feed, carriage return and backslash within a column are written as `\t`, `\n`, `\r`
   * and `\\`; by default the first three fail the job.
   */
  readonly escape?: boolean;
}

/** Lines of columns separated by TAB: `[key, value]` gives `key TAB value`. */
export function tsv(path?: string, options: TsvOptions = {}): Output {
  const marks = options.escape ? "escaped" : "refused";
  return outputAt(path, options, { kind: "text", encoding: "utf8", marks } as const);
}

/** What all outputs are made by. */
export function outputAt<F>(path: string | undefined, { compress }: OutputOptions, format: F) {
  checkWord(compress, ["gzip"], "output: compress");
  return { ...(path !== undefined && { path }), ...(compress && { compress }), format };
}
