import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { InputError } from "../../src/base/input-error.ts";
import { diagnose } from "../../src/diagnose/why.ts";
import { openTrace } from "../../src/trace/open/open-trace.ts";
import { adds } from "./support/idle-count.ts";

const SPARK = "../shared/data/spark";
const IS_THERE = existsSync(SPARK);
if (!IS_THERE) console.log(`skipped: the parts of others' logs, since ${SPARK} is absent`);

function filesIn(directory: string): readonly string[] {
  if (!IS_THERE) return [];
  return readdirSync(directory)
    .map((name) => join(directory, name))
    .flatMap((path) => (statSync(path).isDirectory() ? filesIn(path) : [path]))
    .filter((path) => !/expectation|README|appstatus/.test(path));
}

if (!IS_THERE) test.skip("the parts of others' logs add up");

test.each(filesIn(SPARK))("the parts of %s add up", async (path) => {
  const trace = await openTrace(path).catch((error: unknown) => {
    if (error instanceof InputError) return undefined;
    throw error;
  });
  for (const job of trace?.jobs ?? []) {
    const found = diagnose(trace ?? { notes: [] }, job, { intervals: false, audit: false });
    expect(["why", "empty"]).toContain(found.kind);
    if (found.kind === "why") adds(found.why, job, path);
  }
});
