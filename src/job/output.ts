import { checkWord } from "./described.ts";
import type { TextEncoding } from "./text-encoding.ts";

/**
 * The place and the format of a job's output. `text()`, `csv()` and `ndjson()` are outputs as well.
 */
export interface Output {
  /** The directory; the command line takes precedence. */
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
       * How a TAB or a line end within a column is treated: refused, or written as an escape. If
       * absent, it is written unchanged.
       */
      readonly marks?: "refused" | "escaped";
    }
  /** RFC 4180, with a line feed at the end of each record. */
  | {
      readonly kind: "csv";
      readonly separator: string;
      /**
       * Whether each part begins with the columns' names, if they are known; "first": only the
       * first part.
       */
      readonly header: boolean | "first";
      /** The fields of an object to write, in order. */
      readonly columns?: readonly string[];
    }
  /** Each record as JSON on a line. */
  | { readonly kind: "ndjson" }
  /** Values, for a program that runs the job; a job file cannot ask for this format. */
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

/** Makes every output. */
export function outputAt<F>(path: string | undefined, { compress }: OutputOptions, format: F) {
  checkWord(compress, ["gzip"], "output: compress");
  return { ...(path !== undefined && { path }), ...(compress && { compress }), format };
}
