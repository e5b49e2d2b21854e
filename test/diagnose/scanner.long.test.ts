import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { InputError } from "../../src/base/input-error.ts";
import { isObject, parseJson } from "../../src/base/json.ts";
import { historyBytes } from "../../src/trace/open/history-bytes.ts";
import { FIELD, ParsedFields, ScannedFields } from "../../src/trace/spark/event-fields.ts";

const SHARED = "../shared/data/spark";
const OWN = "fixtures/spark/two-workers.ndjson";
if (!existsSync(SHARED)) console.log(`only our own event log: ${SHARED} is absent`);

function logsIn(directory: string): readonly string[] {
  if (!existsSync(directory)) return [];
  return readdirSync(directory)
    .map((name) => join(directory, name))
    .flatMap((path) => (statSync(path).isDirectory() ? logsIn(path) : [path]))
    .filter((path) => !/expectation|README|appstatus/.test(path));
}

async function linesOf(path: string): Promise<readonly string[]> {
  const pieces: Buffer[] = [];
  try {
    for await (const bytes of historyBytes(path)) pieces.push(Buffer.from(bytes));
  } catch (error) {
    // A damaged end: the lines before it count.
    if (!(error instanceof InputError)) throw error;
  }
  return Buffer.concat(pieces).toString("utf8").split("\n");
}

// Check 1: no field differs from what JSON.parse reads.
test("the scanner reads every job, stage and task as JSON.parse does", async () => {
  const fields = new ScannedFields();
  const different: string[] = [];
  const counts = { taskEnds: 0, scanned: 0, left: 0 };
  for (const path of [OWN, ...logsIn(SHARED)]) {
    for (const line of await linesOf(path)) {
      const kind = /^\{\s*"Event"\s*:\s*"SparkListener(Task|Stage|Job)/.exec(line);
      const parsed = parseJson(line);
      if (kind === null || !parsed.ok || !isObject(parsed.value)) continue;
      const bytes = Buffer.from(line);
      if (!fields.scan(bytes, 0, bytes.length)) {
        counts.left += 1;
        continue;
      }
      counts.scanned += 1;
      if (line.includes("SparkListenerTaskEnd")) counts.taskEnds += 1;
      const expected = new ParsedFields(parsed.value);
      for (const [name, field] of Object.entries(FIELD)) {
        const isSame =
          Object.is(fields.number(field), expected.number(field)) &&
          fields.text(field) === expected.text(field) &&
          fields.isTrue(field) === expected.isTrue(field) &&
          String(fields.numbers(field)) === String(expected.numbers(field));
        if (!isSame) different.push(`${name} of ${path}: ${line.slice(0, 200)}`);
      }
    }
  }
  console.log(
    `${counts.scanned} events scanned, ${counts.taskEnds} task ends; ${counts.left} left`,
  );
  expect(different).toEqual([]);
  expect(counts.scanned).toBeGreaterThan(30);
  expect(counts.left).toBe(0);
});
