import { type Command, Option } from "commander";
import { InputError } from "../base/input-error.ts";
import { parseOutputChange } from "../data/formats/output-change.ts";
import type { BadRecordsMax, OnBadRecord, OutputChange } from "../hosts/engine/index.ts";
import { paramsFrom } from "./flags.ts";

/** The flags for a job's inputs and outputs. */
export interface InputOutputFlags {
  readonly input?: readonly string[];
  readonly output?: string;
  readonly outputFormat?: OutputChange;
  readonly onBadRecord: "fail" | "skip";
  readonly badRecordsMax?: BadRecordsMax;
}

/** The flags of a job, on each host and on a server. */
export interface JobFlags extends InputOutputFlags {
  readonly reduces?: number;
  readonly splitBytes?: number;
  readonly param?: readonly string[];
  readonly compress?: boolean;
  readonly overwrite?: boolean;
}

export const jobOptions = (flags: JobFlags) => ({
  input: flags.input ?? [],
  params: paramsFrom(flags.param ?? []),
  compress: flags.compress ?? false,
  overwrite: flags.overwrite ?? false,
  onBadRecord: onBadRecord(flags),
  ...(flags.output !== undefined && { output: flags.output }),
  ...(flags.outputFormat !== undefined && { outputChange: flags.outputFormat }),
  ...(flags.reduces !== undefined && { reduces: flags.reduces }),
  ...(flags.splitBytes !== undefined && { splitBytes: flags.splitBytes }),
});

/** What to do with malformed records. InputError for a limit without `skip`. */
function onBadRecord({ onBadRecord, badRecordsMax }: InputOutputFlags): OnBadRecord {
  if (badRecordsMax === undefined || onBadRecord === "skip") return badRecordsMax ?? onBadRecord;
  const expected =
    "expected --on-bad-record skip too; without it the first malformed record fails the job";
  throw new InputError("bad-flag", "--bad-records-max", expected);
}

/** Reads `100` or `0.5%`. */
function parseBadRecordsMax(text: string): BadRecordsMax {
  const [, number, share] = /^(\d+(?:\.\d+)?)(%?)$/.exec(text) ?? [];
  const max = Number(number);
  if (number !== undefined && share === "%" && max <= 100) return { kind: "share", max: max / 100 };
  if (number !== undefined && share === "" && Number.isSafeInteger(max)) {
    return { kind: "count", max };
  }
  const expected = `expected a whole number, or a share such as 1%, found ${text}`;
  throw new InputError("bad-flag", "--bad-records-max", expected);
}

export const withInputAndOutput = (command: Command): Command =>
  command
    .option(
      "-i, --input <glob...>",
      "files, directories, globs, or - for standard input; NAME=GLOB for a job with several inputs",
    )
    .option(
      "--output <dir>",
      "output directory, which must not exist, or - for standard output (default: the job's own)",
    )
    .option(
      "--output-format <format>",
      "text, tsv, csv or ndjson, with .gz to compress; gz compresses the job's own format",
      (text) => parseOutputChange(text),
    )
    .addOption(
      new Option("--on-bad-record <what>", "what to do with malformed records")
        .choices(["fail", "skip"])
        .default("fail"),
    )
    .option(
      "--bad-records-max <n>",
      "with skip: fail the job above this number, or share such as 1%",
      parseBadRecordsMax,
    );
