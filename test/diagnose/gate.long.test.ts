import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { InputError } from "../../src/base/input-error.ts";
import { openTrace } from "../../src/trace/open/open-trace.ts";
import { tryPolicies } from "../../src/whatif/try-policies.ts";

const SHARED = "../shared/data";
const IS_THERE = existsSync(SHARED);
if (!IS_THERE) console.log(`skipped: the gate on the jobs of others, since ${SHARED} is absent`);

/** Files and rolling directories. */
function historiesIn(directory: string): readonly string[] {
  const names = readdirSync(directory);
  if (names.some((name) => /^events_\d+_/.test(name))) return [directory];
  return names
    .map((name) => join(directory, name))
    .flatMap((path) => (statSync(path).isDirectory() ? historiesIn(path) : [path]))
    .filter((path) => !/expectation|README|\.xml$/.test(path));
}

/** The share of jobs that must come out, of those with 20 attempts or more. */
const REACHED = 0.85;

describe.skipIf(!IS_THERE)("recorded jobs with 20 attempts or more", () => {
  test("come out within 5 % under their own policy", async () => {
    const errors = new Map<string, number>();
    for (const path of historiesIn(SHARED)) {
      const trace = await openTrace(path).catch((error: unknown) => {
        if (error instanceof InputError) return undefined;
        throw error;
      });
      for (const job of trace?.jobs ?? []) {
        const attempts = job.phases.reduce((sum, phase) => sum + phase.attempts.length, 0);
        if (attempts < 20 || errors.has(job.id)) continue;
        errors.set(job.id, tryPolicies(job, { policies: [], seeds: 2 }).gate.error);
      }
    }
    const good = [...errors.values()].filter((error) => Math.abs(error) <= 0.05).length;
    console.log(`gate: ${good} of ${errors.size} jobs within 5 %`);
    expect(errors.size).toBeGreaterThan(30);
    expect(good / errors.size).toBeGreaterThanOrEqual(REACHED);
  });
});
