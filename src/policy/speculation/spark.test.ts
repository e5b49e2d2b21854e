import { describe, expect, test } from "vitest";
import { Line } from "../../../test/golden/format.ts";
import { slowOriginals } from "../../../test/support/curves.ts";
import { requestsOf, scriptOfRequests } from "../../../test/support/requests.ts";
import { World, type WorldOptions } from "../../../test/support/world.ts";
import { rateOf } from "./spark.ts";

/** Tasks take 20 s, the numbered ones longer in their first attempt. */
const slow = (takesS: Readonly<Record<number, number>>) => slowOriginals(20, takesS);

function world(options: WorldOptions): World {
  return new World({ discipline: "spark-3.5", nodes: 4, slots: [1, 0], ...options });
}

test("at least quantile * tasks must be done, cut to whole tasks, and at least one", () => {
  // 0.75 of five is cut to three.
  const five = world({ nodes: 5, runs: slow({ 3: 300, 4: 300 }) });
  five.submit({ maps: 5 });
  expect(requestsOf(five.advance(40_000))).toEqual(["30.1s 3", "30.1s 4"]);
  const four = world({ runs: slow({ 2: 300, 3: 300 }) });
  four.submit({ maps: 4 });
  expect(requestsOf(four.advance(40_000))).toEqual([]);
  const none = world({ sets: ["speculation.quantile=0"], runs: slow({ 1: 300, 2: 300, 3: 300 }) });
  none.submit({ maps: 4 });
  expect(requestsOf(none.advance(40_000))).toEqual(["30.1s 1", "30.1s 2", "30.1s 3"]);
});

test("Spark 4 waits for nine tenths and for three times the median", () => {
  const one = world({ discipline: "spark-4", nodes: 10, runs: slow({ 9: 300 }) });
  one.submit({ maps: 10 });
  expect(requestsOf(one.advance(100_000))).toEqual(["60.1s 9"]);
  const two = world({ discipline: "spark-4", nodes: 10, runs: slow({ 8: 300, 9: 300 }) });
  two.submit({ maps: 10 });
  expect(requestsOf(two.advance(100_000))).toEqual([]);
});

test("the median of an even number of tasks is the upper of the two in the middle", () => {
  const one = world({ nodes: 5, runs: slow({ 0: 10, 1: 20, 2: 40, 3: 50, 4: 300 }) });
  one.submit({ maps: 5 });
  // Three are done at 40 s, past 1.5 * 20 s. With four the threshold would be 60 s.
  expect(requestsOf(one.advance(100_000))).toEqual(["40s 3", "40s 4"]);
  const sets = ["speculation.quantile=0.8"];
  const four = world({ nodes: 5, sets, runs: slow({ 0: 10, 1: 20, 2: 40, 3: 50, 4: 300 }) });
  four.submit({ maps: 5 });
  expect(requestsOf(four.advance(100_000))).toEqual(["60.1s 4"]);
});

test("no task is copied before minTaskRuntime", () => {
  const sets = ["speculation.minTaskRuntimeMs=50000"];
  const one = world({ sets, runs: slow({ 3: 300 }) });
  one.submit({ maps: 4 });
  expect(requestsOf(one.advance(100_000))).toEqual(["50.1s 3"]);
});

test("a copy never runs where the task has run, and waits for another node", () => {
  const one = world({ nodes: 1, slots: [4, 0], runs: slow({ 3: 300 }) });
  one.submit({ maps: 4 });
  one.advance(100_000);
  expect(requestsOf(one)).toEqual(["30.1s 3"]);
  expect(one.copies()).toEqual([]);
  one.join();
  one.advance(101_000);
  expect(one.copies()).toEqual(["map/3 n2"]);
});

describe("task.duration.threshold", () => {
  const small = (maps: number, ...sets: string[]): string[] => {
    const one = world({
      sets: ["speculation.taskDurationThresholdMs=60000", ...sets],
      runs: slow({ 0: 300, 1: 300 }),
    });
    one.submit({ maps });
    return requestsOf(one.advance(100_000));
  };

  test("copies a single task, which has no peers to judge it by", () => {
    expect(small(1)).toEqual(["60.1s 0"]);
  });

  test("copies no more tasks than one executor has slots", () => {
    expect(small(2)).toEqual([]);
    expect(small(2, "speculation.executorSlots=2")).toEqual(["60.1s 0", "60.1s 1"]);
  });

  test("counts only while too few are done", () => {
    const one = world({
      sets: ["speculation.taskDurationThresholdMs=25000", "speculation.executorSlots=4"],
      runs: slow({ 3: 300 }),
    });
    one.submit({ maps: 4 });
    expect(requestsOf(one.advance(100_000))).toEqual(["30.1s 3"]);
  });
});

test("getTaskProcessRate: records per second; 0 without records or without time", () => {
  expect(rateOf(11_000, 30_000)).toBeCloseTo(366.67, 2);
  expect(rateOf(15_000, 30_000)).toBe(500);
  expect(rateOf(0, 30_000)).toBe(0);
  expect(rateOf(10, 0)).toBe(0);
});

/** The time and the task of each request. */
function requestsIn(commands: readonly string[]): readonly string[] {
  const { requests, script } = scriptOfRequests();
  for (const command of commands) script.run(new Line(command));
  return requests;
}

test("a copy that ends after its twin has won does not count", () => {
  const twins = (...ended: readonly string[]): readonly string[] =>
    requestsIn([
      "discipline spark-3.5 speculation.quantile=0.25 speculation.efficiencyEnabled=false",
      "manual kill",
      "nodes n1 n2 n3 n4 n5 n6 n7 n8 n9 n10 n11 n12 n13 n14 n15 n16 map=1",
      "job j map*8",
      "until 20s",
      "succeed j/map/0#0 j/map/1#0",
      "until 25s",
      "fail j/map/7#0",
      "until 40s",
      `succeed ${ended.join(" ")}`,
      "until 90s",
    ]).slice(5);
  // The upper median of 20, 20, 40 and 40 s; with the 9.9 s of the copies it would be 20 s.
  expect(twins("j/map/2#0", "j/map/3#0")).toEqual(["85.1s 7"]);
  expect(twins("j/map/2#0", "j/map/3#0", "j/map/2#1", "j/map/3#1")).toEqual(["85.1s 7"]);
});

describe("SPARK-32170: three of five tasks have read 10,000 records in 20 s", () => {
  /**
   * The time of the copy of the fourth task, which has read `records` in 30 s; the fifth reads like
   * the others.
   */
  const copied = (records: number, set = ""): readonly string[] =>
    requestsIn([
      `discipline spark-3.5 ${set}`,
      "nodes n1 n2 n3 n4 n5 map=1",
      "job j map*5",
      ...readings(records),
    ]);

  const readings = (records: number): string[] => [
    "until 20s",
    ...[0, 1, 2].map((index) => `progress j/map/${index}#0 1 records=10000`),
    "succeed j/map/0#0 j/map/1#0 j/map/2#0",
    "until 30s",
    `progress j/map/3#0 0.5 records=${records}`,
    "progress j/map/4#0 0.8 records=15000",
    "until 62s",
  ];

  test("three quarters of their rate is enough, less is not", () => {
    expect(copied(11_250)).toEqual(["60.1s 3", "60.1s 4"]);
    expect(copied(11_249)).toEqual(["30.1s 3", "60.1s 4"]);
  });

  test("processRateMultiplier sets the share", () => {
    expect(copied(11_250, "speculation.processRateMultiplier=0.8")).toEqual(["30.1s 3", "60.1s 4"]);
  });

  test("rates count from the start of an attempt, durations from its launch", () => {
    const started = (records: number): readonly string[] =>
      requestsIn([
        "discipline spark-3.5",
        "manual start",
        "nodes n1 n2 n3 n4 n5 map=1",
        "job j map*5",
        "until 10s",
        "start j/map/0#0 j/map/1#0 j/map/2#0 j/map/3#0 j/map/4#0",
        ...readings(records),
      ]);
    // 1,000 per second; 15,000 in 20 s are three quarters of that.
    expect(started(15_000)).toEqual(["60.1s 3", "60.1s 4"]);
    expect(started(14_999)).toEqual(["30.1s 3", "60.1s 4"]);
  });

  test("longRunTaskFactor sets when the rate no longer matters", () => {
    expect(copied(15_000, "speculation.longRunTaskFactor=1.5")).toEqual(["45.1s 3", "45.1s 4"]);
  });

  test("without efficiency.enabled the rate does not matter", () => {
    expect(copied(15_000, "speculation.efficiencyEnabled=false")).toEqual(["30.1s 3", "30.1s 4"]);
  });
});

test("a job that forbids copies gets none", () => {
  const one = world({ runs: slow({ 3: 300 }) });
  one.submit({ maps: 4, speculate: false });
  expect(requestsOf(one.advance(100_000))).toEqual([]);
});
