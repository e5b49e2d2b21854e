import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { InputError } from "../../src/base/input-error.ts";
import { diagnose } from "../../src/diagnose/why.ts";
import { JobHistoryReader } from "../../src/trace/jhist/read-jhist.ts";
import { openTrace } from "../../src/trace/open/open-trace.ts";
import type { TraceReader } from "../../src/trace/reader.ts";
import { SparkReader } from "../../src/trace/spark/read-spark.ts";

const SHARED = "../shared/data";
const IS_THERE = existsSync(SHARED);
if (!IS_THERE) console.log(`skipped: the histories of others, since ${SHARED} is absent`);

function filesIn(directory: string): readonly string[] {
  if (!IS_THERE) return [];
  return readdirSync(directory)
    .map((name) => join(directory, name))
    .flatMap((path) => (statSync(path).isDirectory() ? filesIn(path) : [path]));
}

const OWN = ["fixtures/hadoop/json.jhist", "fixtures/hadoop/binary.jhist"];
const OTHERS = [...filesIn(`${SHARED}/spark`), ...filesIn(`${SHARED}/hadoop`)].filter(
  (path) => !/expectation|README|appstatus|_conf\.xml/.test(path),
);

describe("every history", () => {
  // Check 7: a history that is not reproduced to the millisecond would be a contradiction.
  test.each([...OWN, ...OTHERS])("%s is reproduced and diagnosed, or refused", async (path) => {
    const trace = await openTrace(path).catch((error: unknown) => {
      if (error instanceof InputError) return undefined;
      throw error;
    });
    for (const job of trace?.jobs ?? []) {
      const found = diagnose(trace ?? { notes: [] }, job, { intervals: false, audit: false });
      expect(["why", "empty"]).toContain(found.kind);
      if (found.kind !== "why") continue;
      const sum = found.why.causes.reduce((total, { ms }) => total + ms, 0);
      expect(sum).toBeCloseTo(found.why.delayMs, 3);
    }
  });
});

describe("a damaged history", () => {
  const DAMAGED: readonly (readonly [string, (place: string) => TraceReader])[] = [
    ["fixtures/hadoop/json.jhist", (place) => new JobHistoryReader(place)],
    ["fixtures/hadoop/binary.jhist", (place) => new JobHistoryReader(place)],
    ...(IS_THERE
      ? [
          [
            `${SHARED}/spark/sparklint/event_log_1`,
            (place: string) => new SparkReader(place),
          ] as const,
        ]
      : []),
  ];

  // Check 6. The places are spread by a fixed stride, so that a failure can be repeated.
  test.each(DAMAGED)("%s cut anywhere gives an answer or an InputError", (path, reader) => {
    const bytes = readFileSync(path);
    for (let n = 1; n <= 20; n++)
      answers(bytes.subarray(0, (n * 7_919_123) % bytes.length), reader);
  });

  test.each(DAMAGED)("%s with a flipped byte gives an answer or an InputError", (path, reader) => {
    const whole = readFileSync(path);
    for (let n = 1; n <= 20; n++) {
      const bytes = Buffer.from(whole);
      const at = (n * 15_485_863) % bytes.length;
      bytes[at] = (bytes[at] ?? 0) ^ (1 << (n % 8));
      answers(bytes, reader);
    }
  });

  function answers(bytes: Uint8Array, reader: (place: string) => TraceReader): void {
    const one = reader("file");
    try {
      one.push(bytes);
      const trace = one.end();
      for (const job of trace.jobs) diagnose(trace, job, { intervals: false });
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
    }
  }
});
