import { existsSync, readFileSync } from "node:fs";
import { describe } from "vitest";
import type { Cause } from "../../../src/diagnose/cause.ts";
import type { Why } from "../../../src/diagnose/document.ts";
import type { TraceJob } from "../../../src/history/model.ts";
import { QUICKLY, whyOf } from "../../../src/library/explain.ts";
import { jobOf } from "../../../src/library/job-of-history.ts";
import { openTrace } from "../../../src/trace/open/open-trace.ts";
import { readTrace } from "../../../src/trace/read-trace.ts";

/** Inputs with their right values, beside the repository. */
export const CASES = "../shared/cases";
const ARE_THERE = existsSync(CASES);
if (!ARE_THERE) console.log(`skipped: tests of cases, since ${CASES} is absent`);

export const describeCases = describe.runIf(ARE_THERE);

/** The diagnosis of a case, without intervals. */
export async function whyOfCase(path: string): Promise<Why> {
  const trace = await openTrace(`${CASES}/${path}`);
  const opened = { trace, place: path };
  return whyOf(opened, jobOf(opened), { ...QUICKLY, audit: true });
}

export const jobsOfCase = async (path: string): Promise<readonly TraceJob[]> =>
  (await openTrace(`${CASES}/${path}`)).jobs;

/** Of a case that is not compressed. */
export const linesOfCase = (path: string): readonly string[] =>
  readFileSync(`${CASES}/${path}`, "utf8").trimEnd().split("\n");

/** The diagnosis of a history of these lines. */
export function whyOfLines(lines: readonly string[]): Why {
  const trace = readTrace([new TextEncoder().encode(`${lines.join("\n")}\n`)]);
  const opened = { trace, place: "made" };
  return whyOf(opened, jobOf(opened), { ...QUICKLY, audit: true });
}

/** The seconds of a cause. */
export const secondsOf = ({ causes }: Why, cause: Cause): number =>
  (causes.find((row) => row.cause === cause)?.ms ?? Number.NaN) / 1_000;

export const headOf = ({ verdict }: Why): string => verdict.split("\n")[0] ?? "";
