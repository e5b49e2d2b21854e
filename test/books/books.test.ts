import { readdirSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { restoreDiscipline } from "../../src/policy/discipline.ts";
import { openTrace } from "../../src/trace/open/open-trace.ts";
import { checkBooks, checkHistory, ofTrace } from "./every-book.ts";
import { checkWorlds } from "./worlds.ts";

const textOf = (path: string): string => {
  const bytes = readFileSync(path);
  return (path.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8");
};

const inFolder = (folder: string): readonly string[] =>
  readdirSync(folder)
    .filter((name) => /\.ndjson(\.gz)?$/.test(name))
    .map((name) => `${folder}/${name}`);

const JOURNALS = [
  ...inFolder("fixtures/page"),
  ...inFolder("fixtures/pairs/engine"),
  ...inFolder("test/replay"),
  ...inFolder("test/replay/yarn"),
];

test.each(JOURNALS)("all books say the same of each attempt: %s", (path) => {
  checkBooks(textOf(path).trimEnd().split("\n"), restoreDiscipline);
});

const HISTORIES = [
  "fixtures/hadoop/binary.jhist",
  "fixtures/hadoop/json.jhist",
  ...readdirSync("fixtures/pairs/hadoop").map((name) => `fixtures/pairs/hadoop/${name}`),
  "fixtures/spark/two-workers.ndjson",
  "fixtures/pairs/spark/off.ndjson.zst",
  "fixtures/pairs/spark/on.ndjson.zst",
];

test.each(HISTORIES)("all books say the same of each attempt: %s", async (path) => {
  const trace = await openTrace(path);
  const host = trace.source.format === "spark" ? "spark" : "hadoop";
  expect(checkHistory(trace, host)).toBeGreaterThan(0);
});

/** Without the reader: the launch and the finish of each task, as the log's lines have them. */
test("the trace of an event log of Spark has the times of its lines", async () => {
  const path = "fixtures/spark/two-workers.ndjson";
  const infos = textOf(path)
    .split("\n")
    .filter((line) => line.includes('"SparkListenerTaskEnd"'))
    .map((line) => JSON.parse(line)["Task Info"]);
  const { jobs, originMs } = await openTrace(path);
  const times = (rows: readonly (readonly number[])[]) => rows.map(String).sort();
  const read = ofTrace({ jobs })
    .filter(({ end }) => end !== "cut-off")
    .map(({ startedAt, endedAt }) => [startedAt + originMs, endedAt + originMs]);
  expect(times(read)).toEqual(
    times(infos.map((info) => [info["Launch Time"], info["Finish Time"]])),
  );
});

test("also of a journal that is cut off", () => {
  const lines = textOf("fixtures/pairs/engine/late.ndjson.gz").trimEnd().split("\n");
  for (const share of [0.3, 0.7]) {
    checkBooks(lines.slice(0, Math.floor(share * lines.length)), restoreDiscipline);
  }
});

test("also of random worlds, in some of which attempts are lost", () => {
  expect(checkWorlds({ first: 0, count: 20 })).toBeGreaterThan(0);
});
