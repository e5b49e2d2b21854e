import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../base/json.ts";
import { readTrace } from "../read-trace.ts";
import { Applications } from "./applications.ts";

const log = (version: string): JsonObject => ({
  Event: "SparkListenerLogStart",
  "Spark Version": version,
});
const start = (id: string, attempt?: string): JsonObject => ({
  Event: "SparkListenerApplicationStart",
  "App ID": id,
  ...(attempt !== undefined && { "App Attempt ID": attempt }),
  Timestamp: 5,
});

const versions = (...events: readonly JsonObject[]) => {
  const all = new Applications();
  for (const event of events) all.apply(event);
  return all.end().map(({ id, version }) => `${id} ${version}`);
};

describe("the applications of a log", () => {
  test("are told apart by their starts, each with the events before its start", () => {
    expect(versions(log("3.5"), start("a"), log("4.0"), start("b"))).toEqual(["a 3.5", "b 4.0"]);
  });

  test("count once, however often their starts stand in the log", () => {
    expect(versions(log("3.5"), log("3.5"), start("a"), start("a"))).toEqual(["a 3.5"]);
    expect(versions(log("3.5"), start("a"), log("3.5"), start("a"))).toEqual(["a 3.5"]);
    expect(versions(start("a"), log("3.5"))).toEqual(["a 3.5"]);
  });

  test("are others if YARN started them again", () => {
    expect(versions(log("3.5"), start("a", "1"), log("3.5"), start("a", "2"))).toHaveLength(2);
  });

  test("have the tasks that follow, also after a start that nobody names", () => {
    const all = new Applications();
    for (const event of [log("3.5"), start("a"), log("4.0")]) all.apply(event);
    expect(all.current.id).toBe("a");
  });
});

const lines = readFileSync("fixtures/spark/two-workers.ndjson", "utf8").trimEnd().split("\n");
const ID = "app-20261121223656-0000";

/** The same run by another name, 90 s later. */
const others = lines.map((line) =>
  line.replaceAll(ID, "app-2").replaceAll(/\b1795\d{9}\b/g, (at) => String(Number(at) + 90_000)),
);

const jobsOf = (all: readonly string[]) =>
  readTrace([new TextEncoder().encode(`${all.join("\n")}\n`)], { place: "log" }).jobs;

/** The n-th line of each in turn. */
const inTurn = lines.flatMap((line, n) => [line, others[n] ?? ""]);

/** In the order of some of their lines: a piece of one, then a piece of the other. */
const inPieces = (size: number): readonly string[] =>
  Array.from({ length: Math.ceil(lines.length / size) }, (_, n) => [
    ...lines.slice(n * size, (n + 1) * size),
    ...others.slice(n * size, (n + 1) * size),
  ]).flat();

describe("a file with two applications", () => {
  test("one after the other has two jobs, also if the first is cut off", () => {
    const ids = [ID, "app-2"];
    expect(jobsOf([...lines, ...others]).map(({ id }) => id)).toEqual(ids);
    expect(jobsOf([...lines.slice(0, 40), ...others]).map(({ id }) => id)).toEqual(ids);
  });

  test("with each line twice has two jobs", () => {
    const twice = [...lines, ...others].flatMap((line) => [line, line]);
    expect(jobsOf(twice).map(({ id }) => id)).toEqual([ID, "app-2"]);
  });

  test.each([
    ["line by line", inTurn],
    ["in pieces of 20 lines", inPieces(20)],
  ])("mixed %s is refused, with their names", (_, all) => {
    expect(() => jobsOf(all)).toThrow(
      `log: expected all lines of an application before those of the next, but lines of ${ID} and `,
    );
  });
});
