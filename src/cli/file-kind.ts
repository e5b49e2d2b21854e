import { existsSync, statSync } from "node:fs";
import { detect, type FileFormat } from "../trace/detect.ts";
import { compressionOf, headOf } from "../trace/open/file-bytes.ts";
import { isUrl } from "../trace/open/server/address.ts";

/** What a file is, and the commands that take such a file, the likeliest first. */
export interface FileKind {
  readonly what: string;
  readonly commands: readonly [first: string, ...others: string[]];
}

const DIAGNOSES = ["why", "whatif", "compare", "report", "page"] as const;

const FORMATS: Readonly<Record<FileFormat, FileKind>> = {
  jhist: { what: "a job history of Hadoop 2 or 3", commands: DIAGNOSES },
  jobtracker: { what: "a job history of Hadoop 0.20 or 1", commands: DIAGNOSES },
  spark: { what: "an event log of Spark", commands: DIAGNOSES },
  rumen: { what: "a job trace of Rumen", commands: DIAGNOSES },
  journal: { what: "a journal of Broomwagon", commands: [...DIAGNOSES, "replay"] },
};

const HEAD_BYTES = 16_384;

/** Undefined if there is no such file, it cannot be read, or it is of no known kind. */
export function kindOf(path: string): FileKind | undefined {
  if (isUrl(path)) return { what: "a URL", commands: DIAGNOSES };
  if (!existsSync(path)) return undefined;
  const stat = statSync(path);
  if (stat.isDirectory()) return { what: "a directory", commands: [...DIAGNOSES, "resume"] };
  try {
    return stat.isFile() ? kindByContent(path) : undefined;
  } catch {
    return undefined;
  }
}

/** A job file is known by its name: it is a module. */
function kindByContent(path: string): FileKind | undefined {
  const head = headOf(path, HEAD_BYTES);
  const compression = compressionOf(head, path);
  if (compression !== "none") {
    return { what: `a file compressed with ${compression}`, commands: DIAGNOSES };
  }
  const format = detect(head);
  if (format !== undefined) return FORMATS[format];
  if (/\.[cm]?[jt]s$/.test(path)) return { what: "a job file", commands: ["run", "submit"] };
  const isScenario = /^\s*\{.*"(?:cluster|study)"\s*:/s.test(Buffer.from(head).toString());
  return isScenario ? { what: "a scenario", commands: ["simulate"] } : undefined;
}
