import { type Command, Option } from "commander";
import { parseOutputChange } from "../hosts/engine/data/formats/output-change.ts";
import type { OnBadRecord, OutputChange } from "../hosts/engine/index.ts";

/** What a job reads and writes, and how. */
export interface InputOutputFlags {
  readonly input?: readonly string[];
  readonly output?: string;
  readonly outputFormat?: OutputChange;
  readonly onBadRecord?: OnBadRecord;
}

export const withInputAndOutput = (command: Command): Command =>
  command
    .option(
      "-i, --input <glob...>",
      "files, directories, globs or -, after the job; NAME=GLOB if it has several inputs",
    )
    .option(
      "--output <dir>",
      "directory to be made for the part files, or -; in place of the job's own",
    )
    .option(
      "--output-format <format>",
      "text, tsv, csv or ndjson, compressed with .gz; gz compresses the job's own",
      (text) => parseOutputChange(text),
    )
    .addOption(
      new Option("--on-bad-record <what>", "what becomes of malformed records")
        .choices(["fail", "skip"])
        .default("fail"),
    );
