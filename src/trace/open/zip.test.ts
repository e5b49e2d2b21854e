import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryDirectory } from "../../../test/support/temporary-directory.ts";
import { zip } from "../../../test/support/zip.ts";
import { InputError } from "../../base/input-error.ts";
import { openTrace } from "./open-trace.ts";
import { historiesInArchive } from "./zip.ts";

const temporary = temporaryDirectory();
const log = readFileSync("fixtures/spark/two-workers.ndjson");

function written(name: string, entries: Readonly<Record<string, Uint8Array>>): string {
  const path = join(temporary, name);
  writeFileSync(path, zip(entries));
  return path;
}

const half = log.subarray(0, log.indexOf("\n", 90_000) + 1);

test.each([
  ["one log", { "app-1": log }],
  ["one in directories", { "2026/09/30/app-1": log }],
  ["a rolling log", { "e/events_2_a": log.subarray(half.length), "e/events_1_a": half }],
])("an archive of %s is read as that is", async (name, entries) => {
  const plain = await openTrace("fixtures/spark/two-workers.ndjson");
  const found = await openTrace(written(name, entries));
  expect(found.jobs).toEqual(plain.jobs);
});

test.each([
  [
    "of several",
    { a: log, b: log },
    "expected one history in the archive, found 2: a, b; name one, such as",
  ],
  ["of none", { "x.md": log }, "the archive has no event log"],
  ["that leads elsewhere", { "../x": log }, "expected a zip archive of event logs: invalid"],
])("an archive %s is refused", async (name, entries, said) => {
  await expect(openTrace(written(name, entries))).rejects.toThrow(said);
});

test("an archive of several has their paths, and each is read by its own", async () => {
  const jhist = readFileSync("fixtures/hadoop/json.jhist");
  const entries = {
    "x.md": log,
    "day/job_1.jhist": jhist,
    "e/events_2_a": log,
    "e/events_1_a": half,
  };
  const path = written("several", { ...entries, "e/events_2_a": log.subarray(half.length) });
  expect(await historiesInArchive(path)).toEqual([join(path, "day/job_1.jhist"), join(path, "e")]);
  const opened = await openTrace(join(path, "e"));
  expect(opened.jobs).toEqual((await openTrace("fixtures/spark/two-workers.ndjson")).jobs);
  const hadoop = await openTrace(join(path, "day/job_1.jhist"));
  expect(hadoop.jobs).toEqual((await openTrace("fixtures/hadoop/json.jhist")).jobs);
  await expect(openTrace(join(path, "gone"))).rejects.toThrow(`${path}: the archive has no`);
  expect(await historiesInArchive(written("one", { a: log }))).toEqual([join(temporary, "one")]);
});

test("a damaged archive is refused with its name, and never as a bug", async () => {
  const whole = zip({ "app-1": log });
  const path = join(temporary, "damaged");
  const plain = await openTrace("fixtures/spark/two-workers.ndjson");
  let refused = 0;
  for (let n = 0; n < 30; n++) {
    const damaged = Buffer.from(whole);
    const at = 4 + Math.floor(((whole.length - 4) * (n + 0.5)) / 30);
    damaged[at] = (damaged[at] ?? 0) ^ (1 << (n % 8));
    writeFileSync(path, n % 2 === 0 ? damaged : whole.subarray(0, at));
    const found = await openTrace(path).catch((error: unknown) => error);
    // A bit that no reader needs, such as a time of the entry's, may be any.
    if (found instanceof Error) {
      expect(found).toBeInstanceOf(InputError);
      expect(found.message).toContain(path);
      refused += 1;
    } else expect(found).toMatchObject({ jobs: plain.jobs });
  }
  expect(refused).toBeGreaterThan(25);
});

test("a directory of directories has its histories, wherever they are", async () => {
  const { historiesIn } = await import("./histories-in.ts");
  const root = join(temporary, "done");
  const day = join(root, "2026/09/30/000000");
  mkdirSync(day, { recursive: true });
  mkdirSync(join(root, "2026/10/eventlog_v2_a"), { recursive: true });
  for (const name of ["job_1.jhist", "job_1_conf.xml", ".job_1.jhist.crc"]) {
    writeFileSync(join(day, name), "");
  }
  writeFileSync(join(root, "2026/10/eventlog_v2_a/appstatus_a"), "");
  expect(historiesIn(root)).toEqual([
    join(day, "job_1.jhist"),
    join(root, "2026/10/eventlog_v2_a"),
  ]);
});

test("directories that link to each other are each looked through once", async () => {
  const { historiesIn } = await import("./histories-in.ts");
  const root = join(temporary, "links");
  // Of 12 directories, each linked to all others, there are 12! ways through.
  const names = Array.from({ length: 12 }, (_, n) => `d${10 + n}`);
  for (const name of names) mkdirSync(join(root, name), { recursive: true });
  for (const from of names) {
    for (const to of names) symlinkSync(join("..", to), join(root, from, `to-${to}`));
    writeFileSync(join(root, from, "job_1.jhist"), "");
  }
  expect(historiesIn(root)).toHaveLength(12);
});
