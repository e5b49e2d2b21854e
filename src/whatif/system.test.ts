import { describe, expect, test } from "vitest";
import { TrueJob } from "../../test/diagnose/support/true-job.ts";
import type { Recorded, TraceJob } from "../history/model.ts";
import { parseDiscipline } from "../policy/discipline.ts";
import { recordedSets, settingText, systemOf } from "./system.ts";

const made = new TrueJob(1, 0);
const log = made.logOf(made.run("none", 1));
const jobWith = (settings: Recorded, kind: "map" | "stage" = "stage"): TraceJob => ({
  ...log,
  phases: log.phases.map((phase) => ({ ...phase, kind })),
  settings,
});
const OFF: Recorded = { speculation: false, discipline: "none", values: {} };

describe("the system that ran a job", () => {
  test("Spark 4 and earlier ones have other defaults", () => {
    const of = (version: string) => systemOf(jobWith(OFF), { format: "spark", version });
    expect(of("4.1.1")).toMatchObject({ policy: "spark-4" });
    expect(of("3.5.0")).toMatchObject({ policy: "spark-3.5" });
    expect(of("4.1.1")?.defaults.get("multiplier")).toBe(3);
  });

  test("Hadoop 1 can only switch copies on and off; LATE's thresholds came with 0.21", () => {
    const hadoop1 = systemOf(jobWith(OFF, "map"), { format: "jobtracker" });
    expect(hadoop1?.settings).toEqual([]);
    const late = jobWith({ ...OFF, discipline: "late-0.21" }, "map");
    expect(systemOf(late, { format: "jobtracker" })?.settings).toHaveLength(3);
    expect(systemOf(jobWith(OFF, "map"), { format: "jhist" })?.settings).toHaveLength(5);
  });

  test("a run of Broomwagon has no such system", () => {
    expect(systemOf(jobWith(OFF), { format: "journal" })).toBeUndefined();
  });

  test("every setting is a parameter of the policy, whose default is among the values", () => {
    const jobs = [
      jobWith(OFF),
      jobWith(OFF, "map"),
      jobWith({ ...OFF, discipline: "late-0.21" }, "map"),
    ];
    for (const job of jobs) {
      const system = systemOf(job, undefined);
      if (system === undefined) throw new Error("a system");
      for (const { parameter, values } of system.settings) {
        const standard = system.defaults.get(parameter);
        expect(values).toContain(standard);
        const sets = [`speculation.${parameter}=${standard}`];
        const { params } = parseDiscipline(system.policy, sets).speculation;
        const { params: defaults } = parseDiscipline(system.policy).speculation;
        expect(params, parameter).toEqual(defaults);
      }
    }
  });
});

test("recorded settings, with their units, are those of the baseline", () => {
  const job = jobWith({
    speculation: true,
    discipline: "spark-3.5",
    values: { "spark.speculation.multiplier": "1.2", "spark.speculation.minTaskRuntime": "2s" },
  });
  expect(recordedSets(job, systemOf(job, { format: "spark", version: "3.5" }))).toEqual([
    "speculation.multiplier=1.2",
    "speculation.minTaskRuntimeMs=2000",
  ]);
});

test("a setting is written as its system reads it", () => {
  const setting = { name: "spark.speculation.minTaskRuntime", parameter: "", values: [] };
  expect(settingText({ ...setting, unit: "s" }, 10_000)).toBe(`${setting.name}=10s`);
  expect(settingText({ ...setting, unit: "s" }, 100)).toBe(`${setting.name}=100ms`);
  expect(settingText(setting, 1.5)).toBe(`${setting.name}=1.5`);
});
