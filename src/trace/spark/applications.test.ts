import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../base/json.ts";
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
