import { describe, expect, test } from "vitest";
import { Line } from "../../../test/golden/format.ts";
import type { Script } from "../../../test/golden/script.ts";
import { type Run, slowOriginals, steadily } from "../../../test/support/curves.ts";
import { buildJob } from "../../../test/support/jobs.ts";
import { requestsOf, scriptOfRequests } from "../../../test/support/requests.ts";
import { type Launch, World, type WorldOptions } from "../../../test/support/world.ts";
import { nodeId } from "../../model/ids.ts";
import { compareTimed } from "./flink.ts";

/** Tasks take 50 s, the numbered ones longer in their first attempt. */
const slow = (takesS: Readonly<Record<number, number>>) => slowOriginals(50, takesS);

function world(options: WorldOptions): World {
  return new World({ discipline: "flink", nodes: 4, slots: [1, 0], ...options });
}

describe("findSlowTasks", () => {
  test("testFinishedTaskNotExceedRatio: too few are done", () => {
    const one = world({ runs: slow({ 2: 300, 3: 300 }) });
    one.submit({ maps: 4 });
    expect(requestsOf(one.advance(200_000))).toEqual([]);
  });

  test("testFinishedTaskExceedRatio: all that run as long as the baseline are slow", () => {
    const sets = ["speculation.baselineRatio=0.3", "speculation.baselineMultiplier=1"];
    const one = world({ nodes: 3, sets, runs: slow({ 0: 300, 1: 300, 2: 70 }) });
    one.submit({ maps: 3 });
    expect(requestsOf(one.advance(100_000))).toEqual(["70s 0", "70s 1"]);
  });

  test("testLargeLowerBound: nothing is slow before the lower bound", () => {
    const one = world({ sets: ["speculation.baselineLowerBoundMs=90000"], runs: slow({ 3: 300 }) });
    one.submit({ maps: 4 });
    expect(requestsOf(one.advance(100_000))).toEqual(["90s 3"]);
  });

  test("testLargeMultiplier: nothing exceeds a baseline of a million medians", () => {
    const one = world({ sets: ["speculation.baselineMultiplier=1000000"], runs: slow({ 3: 300 }) });
    one.submit({ maps: 4 });
    expect(requestsOf(one.advance(290_000))).toEqual([]);
  });

  test("the median is of the fastest N * R, not of all finished tasks", () => {
    // Of eight, four: 10 20 30 40, and the third of them is 30 s.
    const runs = slow({ 0: 10, 1: 20, 2: 30, 3: 40, 4: 50, 5: 60, 6: 70, 7: 300 });
    const sets = ["speculation.baselineRatio=0.5", "speculation.baselineMultiplier=4"];
    const one = world({ nodes: 8, sets, runs });
    one.submit({ maps: 8 });
    expect(requestsOf(one.advance(200_000))).toEqual(["120s 7"]);
  });
});

describe("the baseline", () => {
  test("N * R is rounded: of ten, eight", () => {
    // Of 10 to 80 s the fifth, where of seven it would be the fourth.
    const runs = slow({ 0: 10, 1: 20, 2: 30, 3: 40, 4: 50, 5: 60, 6: 70, 7: 80, 8: 300, 9: 300 });
    const one = world({ nodes: 10, sets: ["speculation.baselineMultiplier=2"], runs });
    one.submit({ maps: 10 });
    expect(requestsOf(one.advance(200_000))).toEqual(["100s 8", "100s 9"]);
  });

  test("is cut to whole milliseconds", () => {
    // 1.5 times 48,667 ms are 73,000.5.
    const one = world({ runs: slow({ 0: 48.667, 1: 48.667, 2: 48.667, 3: 300 }) });
    one.submit({ maps: 4 });
    expect(requestsOf(one.advance(100_000))).toEqual(["73s 3"]);
  });

  // getCurrentExecutions: 1.5 times 1 s is below the lower bound.
  test("a recomputed task counts with its latest time", () => {
    const commands = [
      "nodes n1 n2 n3 n4 n5 map=1 reduce=1",
      "run j/map/* takes=50s",
      "run j/map/0#1 takes=1s",
      "run j/map/1#1 takes=1s",
      "run j/map/2#1 takes=1s",
      "run j/map/4#0 takes=150s",
      "job j map*5 reduce*1<map@0.1",
      "until 51s",
      "output-lost j/map/0 on=n1",
      "output-lost j/map/1 on=n2",
      "output-lost j/map/2 on=n3",
      "until 100s",
    ];
    expect(requestsIn(commands)).toEqual(["60s 4"]);
  });
});

describe("judged tasks", () => {
  test("a young copy of one task does not hide a slow task that was launched later", () => {
    const runs = ({ task }: Launch): Run => steadily((task.index < 7 ? 50 : 300) * 1_000);
    const one = world({ nodes: 8, runs });
    one.submit({ maps: 9 });
    expect(requestsOf(one.advance(130_000))).toEqual(["75s 7", "125s 8"]);
  });

  test("if several attempts of a task are slow, the first requests the missing copies", () => {
    const runs = ({ task }: Launch): Run => steadily((task.index < 3 ? 50 : 900) * 1_000);
    const one = world({ sets: ["speculation.maxConcurrentExecutions=3"], runs });
    one.submit({ maps: 4 });
    one.advance(200_000);
    expect(one.copies()).toEqual(["map/3 n1", "map/3 n2"]);
    one.kill(one.attempt("map", 3));
    expect(requestsOf(one.advance(202_000))).toEqual(["75s 3", "75s 3", "201s 3"]);
  });
});

describe("ExecutionTimeWithInputBytes", () => {
  const compare = (a: readonly [number, number?], b: readonly [number, number?]): number =>
    compareTimed({ ms: a[0], bytes: a[1] }, { ms: b[0], bytes: b[1] });

  test("testSortedExecutionTimeWithInputBytes: by time per byte, by time without bytes", () => {
    expect(compare([10, 20], [10, 10])).toBe(-1);
    expect(compare([10, 10], [20, 10])).toBe(-1);
    expect(compare([10], [20])).toBe(-1);
    expect(compare([15], [15])).toBe(0);
    expect(compare([1, 0], [10, 10])).toBe(1);
    expect(compare([0, 0], [10, 10])).toBe(-1);
  });
});

/** Reduces of 50 s each and a last one of 150 s; the maps write the given bytes for each. */
function reduces(parts: string, job = "job j map*1 reduce*4<map"): readonly string[] {
  return requestsIn([
    "nodes n1 n2 n3 n4 map=1 reduce=1",
    "run j/reduce/* takes=50s",
    "run j/reduce/3#0 takes=150s",
    job,
    `succeed j/map/0#0 parts=${parts}`,
    "until 140s",
  ]);
}

function requestsIn(commands: readonly string[], sizes?: readonly number[]): readonly string[] {
  const { requests, script } = scriptOfRequests();
  script.run(new Line("discipline flink"));
  for (const command of commands) {
    if (command === "job of these sizes") submit(script, sizes ?? []);
    else script.run(new Line(command));
  }
  return requests;
}

function submit({ host, setup, nextIds }: Script, sizes: readonly number[]): void {
  const around = {
    kinds: setup.slotKinds,
    submittedAt: host.now,
    name: "j",
    node: () => nodeId(0),
  };
  const job = buildJob({ maps: sizes.length }, nextIds, around);
  const phases = job.phases.map((phase) => ({
    ...phase,
    tasks: Array.from(phase.tasks, (task) => ({ ...task, inputBytes: sizes[task.index] ?? 0 })),
  }));
  host.feed({ kind: "job-submitted", job: { ...job, phases } });
}

test("testBalancedInput: with inputs of one size the time decides", () => {
  expect(reduces("100,100,100,100")).toEqual(["75s 3"]);
});

test("testUnbalancedInput: a task with twice the input may take twice the time", () => {
  expect(reduces("100,100,100,180")).toEqual(["135s 3"]);
  expect(reduces("100,100,100,200")).toEqual([]);
});

test("inputs are not weighed before all their sizes are known", () => {
  expect(reduces("100,100,100,200", "job j map*2 reduce*4<map@0.5")).toEqual(["75s 3"]);
});

test("the inputs of a source are unknown to Flink", () => {
  const commands = [
    "nodes n1 n2 n3 n4 map=1",
    "run j/map/* takes=50s",
    "run j/map/3#0 takes=150s",
    "job of these sizes",
    "until 140s",
  ];
  expect(requestsIn(commands, [100, 100, 100, 200])).toEqual(["75s 3"]);
});

test("waiting tasks get slots first", () => {
  const one = world({ sets: ["speculation.baselineRatio=0.3"], runs: slow({ 3: 300 }) });
  one.submit({ maps: 10 });
  expect(requestsOf(one.advance(120_000))).toEqual(["101s 3"]);
});

test("inputs of unreported size are not weighed", () => {
  expect(reduces("0,0,0,0")).toEqual(["75s 3"]);
});

describe("notifySlowTasks", () => {
  test("copies are made up to the limit on concurrent executions", () => {
    const sets = ["speculation.maxConcurrentExecutions=3"];
    const one = world({ sets, runs: slow({ 3: 300 }) });
    one.submit({ maps: 4 });
    one.advance(80_000);
    expect(requestsOf(one)).toEqual(["75s 3", "75s 3"]);
    expect(one.copies()).toEqual(["map/3 n1", "map/3 n2"]);
  });

  test("a duration of 0 blocks no node", () => {
    const one = world({
      nodes: 1,
      slots: [4, 0],
      sets: ["speculation.blockSlowNodeMs=0"],
      runs: slow({ 3: 300 }),
    });
    one.submit({ maps: 4 });
    one.advance(80_000);
    expect(one.copies()).toEqual(["map/3 n1"]);
  });

  test("a node with a slow task of one job gets no copy for another job", () => {
    const runs = ({ task }: Launch): Run => steadily((task.index % 4 < 3 ? 50 : 300) * 1_000);
    const one = world({ nodes: 2, slots: [4, 0], runs });
    one.submit({ maps: 4 });
    one.submit({ maps: 4 });
    one.advance(80_000);
    // Each job has its own node.
    expect(requestsOf(one)).toEqual(["75s 3", "75s 7"]);
    expect(one.copies()).toEqual([]);
  });

  test("a node on which a copy of one task is slow gets no copy of another", () => {
    const one = world({ nodes: 2, slots: [4, 0], runs: slow({ 3: 300, 7: 400 }) });
    one.submit({ maps: 8 });
    one.advance(80_000);
    // 3 runs on n1 and 7 on n2: both are blocked.
    expect(requestsOf(one)).toEqual(["75s 3", "75s 7"]);
    expect(one.copies()).toEqual([]);
  });
});
