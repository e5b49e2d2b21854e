import { existsSync, readdirSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, test } from "vitest";
import { ByteLines } from "../../src/trace/byte-lines.ts";
import { textOf } from "../../src/trace/byte-text.ts";
import type { Contents, Inventory } from "../../src/trace/inventory.ts";
import { unwrapped } from "../../src/trace/jhist/events.ts";
import { JHIST_INVENTORY } from "../../src/trace/jhist/inventory.ts";
import { historyBytes } from "../../src/trace/open/history-bytes.ts";
import { openTrace } from "../../src/trace/open/open-trace.ts";
import { FIELD_PATHS } from "../../src/trace/spark/event-fields.ts";
import { kindOf, SPARK_INVENTORY } from "../../src/trace/spark/inventory.ts";

const SHARED = "../shared/data";
const IS_THERE = existsSync(SHARED);
if (!IS_THERE) console.log(`skipped: the fields of others' histories, since ${SHARED} is absent`);

const filesIn = (path: string): readonly string[] =>
  statSync(path).isDirectory()
    ? readdirSync(path).flatMap((name) => filesIn(join(path, name)))
    : [path];
const isLog = (path: string): boolean =>
  !/\.(md|py|xml|zip|txt|json|csv)$|appstatus|truth/.test(basename(path)) ||
  basename(path) === "delight-spark-3.0.txt";

const SPARK = ["fixtures/spark", "fixtures/pairs/spark", `${SHARED}/spark`];
const HADOOP = ["fixtures/hadoop", "fixtures/pairs/hadoop", `${SHARED}/hadoop/jhist`];
const logsIn = (folders: readonly string[]) =>
  folders
    .filter((path) => existsSync(path))
    .flatMap(filesIn)
    .filter(isLog);

/** All keys of the event that are neither read nor set aside, a plain walk over the lists. */
function unlistedIn({ events, objects }: Inventory, kind: string, event: object): string[] {
  const contents = events.get(kind);
  if (contents === undefined) return [kind];
  return typeof contents === "string" ? [] : keysBeside(contents, event, kind, objects);
}

function keysBeside(
  { used, aside }: Contents,
  value: object,
  name: string,
  objects: Inventory["objects"],
): string[] {
  const apart = Object.values(aside).flat();
  return Object.entries(value).flatMap(([key, inner]) => {
    if (key === "Event" || apart.includes(key) || apart.includes("*")) return [];
    if (!used.includes(key)) return [`${name}: ${key}`];
    const below = objects.get(key);
    const isObject = typeof inner === "object" && inner !== null && !Array.isArray(inner);
    return below !== undefined && isObject ? keysBeside(below, inner, key, objects) : [];
  });
}

/** The objects of JSON in the lines of a log; what is damaged or no object is left out. */
async function objectsIn(path: string): Promise<readonly Record<string, unknown>[]> {
  const found: Record<string, unknown>[] = [];
  const lines = new ByteLines((bytes, from, to) => {
    const text = textOf(bytes, from, to);
    if (!text.startsWith("{")) return;
    try {
      found.push(JSON.parse(text));
    } catch {}
  });
  for await (const bytes of historyBytes(path)) lines.push(bytes);
  lines.end();
  return found;
}

describe("every event and field of a log is read, or set aside with a reason", () => {
  test.each(logsIn(SPARK))("%s", async (path) => {
    const found = new Set<string>();
    for (const event of await objectsIn(path)) {
      const kind = kindOf(String(event.Event ?? ""));
      for (const one of unlistedIn(SPARK_INVENTORY, kind, event)) found.add(one);
    }
    expect([...found]).toEqual([]);
  });

  test.each(logsIn(HADOOP))("%s", async (path) => {
    const found = new Set<string>();
    for (const { type, event } of await objectsIn(path)) {
      if (typeof type !== "string" || type === "record") continue;
      const fields = unwrapped(JSON.parse(JSON.stringify(event))) ?? {};
      for (const one of unlistedIn(JHIST_INVENTORY, type, Object(fields))) found.add(one);
    }
    expect([...found]).toEqual([]);
    // Binary ones have no lines of JSON: their reader looks itself.
    const notes = await openTrace(path).then(
      (trace) => trace.notes,
      () => [],
    );
    expect(notes.filter(({ kind }) => kind === "unknown")).toEqual([]);
  });
});

test("what the reader of Spark's logs reads is listed as read", () => {
  const used = new Set([...SPARK_INVENTORY.events.values()].flatMap(usedIn));
  for (const path of FIELD_PATHS) {
    const [key = "", parent] = [...path].reverse();
    const contents = parent === undefined ? undefined : SPARK_INVENTORY.objects.get(parent);
    expect(parent === undefined ? [...used] : usedIn(contents ?? ""), path.join(".")).toContain(
      key,
    );
  }
});

const usedIn = (contents: Contents | string): readonly string[] =>
  typeof contents === "string" ? [] : contents.used;

test("a run tells what its log holds that the list has not", async () => {
  const lines = [
    { Event: "SparkListenerLogStart", "Spark Version": "9.0" },
    ...[1, 2].map((n) => ({ Event: "SparkListenerDreamt", n })),
    { Event: "org.apache.spark.sql.execution.SparkListenerNewPlan" },
    { Event: "SparkListenerApplicationEnd", Timestamp: 5, Mood: "good" },
    { Event: "SparkListenerTaskEnd", "Stage ID": 0, "Task Info": { "Task ID": 0, Colour: 1 } },
  ];
  const { readTrace } = await import("../../src/trace/index.ts");
  const text = lines.map((line) => JSON.stringify(line)).join("\n");
  const { notes } = readTrace([new TextEncoder().encode(text)]);
  const said = notes.filter(({ kind }) => kind === "unknown").map((note) => note.text);
  expect(said).toEqual([
    "events of 2 unknown kinds: SparkListenerDreamt: 2, SparkListenerNewPlan: 1",
    "fields of unknown names: SparkListenerApplicationEnd: Mood, Task Info: Colour",
  ]);
});
