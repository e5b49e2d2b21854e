import { expect, test } from "vitest";
import type { JsonObject } from "../../base/json.ts";
import { SparkSlots } from "./slots.ts";

const executor = (
  id: string,
  host: string,
  more: Partial<{ cores: number; until: number }> = {},
) => ({
  ...{ id, host, node: 0, executor: Number(id), cores: 8, from: 1_000, until: undefined, ...more },
});

const added = (resources: Readonly<Record<string, number>>, profile = 0): JsonObject => ({
  "Executor Info": {
    Resources: Object.fromEntries(
      Object.entries(resources).map(([name, count]) => [
        name,
        { name, addresses: Array.from({ length: count }, (_, n) => String(n)) },
      ]),
    ),
    "Resource Profile Id": profile,
  },
});

const profile = (id: number, task: Readonly<Record<string, number>>): JsonObject => ({
  "Resource Profile Id": id,
  "Task Resource Requests": Object.fromEntries(
    Object.entries(task).map(([name, amount]) => [name, { Amount: amount }]),
  ),
});

/** The slots of an executor of eight cores on which these were seen. */
function slots(
  properties: Readonly<Record<string, string>>,
  resources: Readonly<Record<string, number>> = {},
): number {
  const made = new SparkSlots();
  made.addExecutor("1", added(resources));
  return made.of([executor("1", "n1")], new Map(Object.entries(properties)), 0).length;
}

test("a slot is as many cores, GPUs and others as a task asks for", () => {
  expect(slots({})).toBe(8);
  expect(slots({ "spark.task.cpus": "2" })).toBe(4);
  expect(slots({ "spark.task.cpus": "3" })).toBe(2);
  const gpu = "spark.task.resource.gpu.amount";
  expect(slots({ [gpu]: "1" }, { gpu: 1 })).toBe(1);
  expect(slots({ [gpu]: "2" }, { gpu: 3 })).toBe(1);
  // A quarter of a GPU: four tasks share each.
  expect(slots({ [gpu]: "0.25" }, { gpu: 1 })).toBe(4);
  expect(slots({ [gpu]: "0.1" }, { gpu: 1 })).toBe(8);
  expect(slots({ [gpu]: "1", "spark.task.cpus": "4" }, { gpu: 4 })).toBe(2);
  // Older logs name no addresses; the executor's own setting does.
  expect(slots({ [gpu]: "1", "spark.executor.resource.gpu.amount": "2" })).toBe(2);
  const fpga = "spark.task.resource.fpga.amount";
  expect(slots({ [gpu]: "1", [fpga]: "1" }, { gpu: 4, fpga: 3 })).toBe(3);
});

test("executors of a profile have slots of their own", () => {
  const made = new SparkSlots();
  expect(made.apply("SparkListenerResourceProfileAdded", profile(0, { cpus: 2 }))).toBe(true);
  made.apply("SparkListenerResourceProfileAdded", profile(1, { cpus: 1, gpu: 0.5 }));
  made.addExecutor("1", added({}));
  made.addExecutor("2", added({ gpu: 1 }, 1));
  const found = made.of([executor("1", "n1"), executor("2", "n2")], new Map(), 0);
  expect(found.map((slot) => [slot.executor, slot.profile])).toEqual([
    ...Array.from({ length: 4 }, () => [1, undefined]),
    ...Array.from({ length: 2 }, () => [2, 1]),
  ]);
});

test("an excluded executor or host has no slots until it is excluded no longer", () => {
  const made = new SparkSlots();
  const spark = "org.apache.spark.scheduler.SparkListener";
  made.apply(`${spark}ExecutorExcluded`, { time: 5_000, executorId: "1" });
  made.apply(`${spark}ExecutorUnexcluded`, { time: 9_000, executorId: "1" });
  made.apply(`${spark}NodeBlacklisted`, { time: 7_000, hostId: "n2" });
  const one = (id: string, host: string) => executor(id, host, { cores: 1 });
  const found = made.of([one("1", "n1"), one("2", "n2"), one("3", "n3")], new Map(), 1_000);
  expect(found.map((slot) => [slot.executor, slot.from, slot.until])).toEqual([
    [1, 0, 4_000],
    [1, 8_000, undefined],
    [2, 0, 6_000],
    [3, 0, undefined],
  ]);
  expect(made.apply("SparkListenerExecutorAdded", {})).toBe(false);
});

test("an executor that is excluded for a stage has no slots until the stage ends", () => {
  const made = new SparkSlots();
  const event = { time: 5_000, executorId: "1", taskFailures: 2, stageId: 4, stageAttemptId: 0 };
  made.apply("org.apache.spark.scheduler.SparkListenerExecutorExcludedForStage", event);
  const one = executor("1", "n1", { cores: 1 });
  const ends = (stage: number) => (stage === 4 ? 8_000 : undefined);
  expect(made.of([one], new Map(), 0, ends).map(({ from, until }) => [from, until])).toEqual([
    [1_000, 5_000],
    [8_000, undefined],
  ]);
});
