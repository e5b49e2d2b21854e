import { InputError } from "../../base/input-error.ts";
import { type Compress, csv, ndjson, type Output, text, tsv } from "../../job/index.ts";
import type { Program } from "../../job/program.ts";

/** A run's changes to the output of its job. Plain data. */
export interface OutputChange {
  /** Replaces the job's own format; `records`: values, for a program that reads them. */
  readonly format?: OutputName | "records";
  readonly compress?: Compress;
  /**
   * The parts will be concatenated, so only the first has a header. They stay in the run's
   * directory.
   */
  readonly isOneFile?: boolean;
}

const FORMATS = {
  text: text().format,
  tsv: tsv().format,
  csv: csv().format,
  ndjson: ndjson().format,
} as const;
type OutputName = keyof typeof FORMATS;

const NAMES = Object.keys(FORMATS).join(", ");
const isName = (text: string): text is OutputName => Object.hasOwn(FORMATS, text);

const RECORDS: Output = { format: { kind: "records" } };

/** `csv`, `csv.gz`, or `gz` for the job's own format, compressed. */
export function parseOutputChange(flag: string): OutputChange {
  const [, name = "", ending] = /^(.*?)(?:(?:^|\.)(gz))?$/.exec(flag) ?? [];
  const compress = ending === undefined ? {} : ({ compress: "gzip" } as const);
  if (name === "" && ending !== undefined) return compress;
  if (isName(name)) return { format: name, ...compress };
  const expected = `expected gz, or one of ${NAMES}, with .gz or without, found ${flag}`;
  throw new InputError("bad-flag", "output format", expected);
}

/** The program with the run's changes to its outputs. */
export function changedProgram(program: Program, change: OutputChange): Program {
  const { outputs } = program;
  if (change.isOneFile && outputs.length > 1) {
    const names = outputs.map(({ name }) => name).join(", ");
    throw new InputError("bad-flag", "output -", `expected one output, found ${names}`);
  }
  return {
    ...program,
    outputs: outputs.map(({ name, output }) => ({ name, output: changedOutput(output, change) })),
  };
}

/** The output with the run's changes. */
export function changedOutput(output: Output, change: OutputChange): Output {
  const { format: name, compress = output.compress, isOneFile = false } = change;
  if (name === "records") return RECORDS;
  const format = name === undefined ? output.format : changedFormat(output.format, name);
  return {
    ...(output.path !== undefined && { path: output.path }),
    format: isOneFile && format.kind === "csv" && format.header ? withOneHeader(format) : format,
    ...(compress !== undefined && { compress }),
  };
}

/** The settings of the job's own format are kept if the new format is of the same kind. */
function changedFormat(own: Output["format"], name: OutputName): Output["format"] {
  if (own.kind !== "text") return own.kind === name ? own : FORMATS[name];
  const { kind, encoding, marks = "refused" } = own;
  if (name === "text") return { kind, encoding };
  return name === "tsv" ? { kind, encoding, marks } : FORMATS[name];
}

const withOneHeader = <F extends object>(format: F) => ({ ...format, header: "first" }) as const;
