import { readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { InputError } from "../../base/input-error.ts";
import type { LogEvidence } from "../../history/evidence.ts";
import type { Trace } from "../../history/model.ts";
import { textOf } from "../byte-text.ts";
import { fileBytes } from "./file-bytes.ts";

/** Spark names the logs of an application that YARN started again `ID_1`, `ID_2` and so on. */
const NUMBERED = /^(.+)_(\d+)((?:\.\w+)*)$/;
/** An application's start stands within this many bytes. */
const HEAD_MAX = 4_000_000;

/** A trace of an application's attempt, with what the logs beside it say of the others. */
export async function withOtherAttempts(trace: Trace, path: string): Promise<Trace> {
  const [job, ...others] = trace.jobs;
  const [, id, number = ""] = NUMBERED.exec(basename(path)) ?? [];
  if (trace.source.format !== "spark" || job === undefined || others.length > 0) return trace;
  if (job.id !== id) return trace;
  const beside = attemptsBeside(path, job.id);
  const attempt = Number(number);
  const [first] = beside;
  if (first === undefined || beside.length < 2) return trace;
  const beganAt = first.number < attempt ? await beginOf(first.path) : undefined;
  const evidence: LogEvidence = {
    ...job.evidence,
    ...{ attempt, attempts: Math.max(...beside.map((one) => one.number)) },
    ...(beganAt !== undefined && {
      sinceFirstMs: trace.originMs + job.endedAt - beganAt,
    }),
  };
  return { ...trace, jobs: [{ ...job, evidence }] };
}

interface Beside {
  readonly number: number;
  readonly path: string;
}

/** The logs of the application's attempts, by their numbers. */
function attemptsBeside(path: string, id: string): readonly Beside[] {
  const folder = dirname(path);
  return readdirSync(folder)
    .flatMap((name): Beside[] => {
      const [, own, number = ""] = NUMBERED.exec(name) ?? [];
      return own === id ? [{ number: Number(number), path: join(folder, name) }] : [];
    })
    .sort((a, b) => a.number - b.number);
}

/** When the application of a log began, in ms since 1970; undefined if its head does not say. */
async function beginOf(path: string): Promise<number | undefined> {
  let text = "";
  try {
    for await (const bytes of fileBytes(path, {})) {
      text += textOf(bytes, 0, bytes.length);
      const [, at] = /"SparkListenerApplicationStart"[^\n]*"Timestamp": ?(\d+)/.exec(text) ?? [];
      if (at !== undefined) return Number(at);
      if (text.length > HEAD_MAX) return undefined;
    }
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
  }
  return undefined;
}
