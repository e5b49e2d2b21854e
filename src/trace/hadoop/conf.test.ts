import { describe, expect, test } from "vitest";
import { isOfJobTracker } from "./clocks.ts";
import { addSettings, recordedOf, slowstartOf } from "./conf.ts";
import { newJob } from "./history.ts";

const property = (name: string, value: string): string =>
  `<property><!--Loaded from job.xml--><name>${name}</name><value>${value}</value></property>\n`;

function job(id: string, conf: string) {
  const made = newJob(id);
  addSettings(`<?xml version="1.0"?><configuration>\n${conf}</configuration>`, made.settings);
  return made;
}

describe("the settings of a job", () => {
  test("are the ones that matter for stragglers", () => {
    const made = job(
      "job_1329348432655_0001",
      property("mapreduce.map.speculative", "true") +
        property("mapreduce.job.reduce.slowstart.completedmaps", " 0.8 ") +
        property("mapreduce.job.queuename", "unrelated") +
        property("mapreduce.map.maxattempts", "&lt;4&gt;"),
    );
    expect(Object.fromEntries(made.settings)).toEqual({
      "mapreduce.map.speculative": "true",
      "mapreduce.job.reduce.slowstart.completedmaps": "0.8",
      "mapreduce.map.maxattempts": "<4>",
    });
    expect(slowstartOf(made)).toBe(0.8);
  });

  test("name the rules of speculation, by the system and its version", () => {
    const on = property("mapreduce.map.speculative", "true");
    const old = property("mapred.map.tasks.speculative.execution", "true");
    const off = property("mapreduce.map.speculative", "false");
    const threshold = property("mapreduce.job.speculative.slownodethreshold", "1.0");
    const rules = (id: string, conf: string) => {
      const { speculation, discipline } = recordedOf(job(id, conf), isOfJobTracker(id));
      return [speculation, discipline];
    };
    expect(rules("job_1329348432655_0001", on)).toEqual([true, "yarn"]);
    expect(rules("job_200904211745_0001", old)).toEqual([true, "hadoop"]);
    expect(rules("job_201102040848_0119", on + threshold)).toEqual([true, "late-0.21"]);
    expect(rules("job_1329348432655_0001", off)).toEqual([false, "none"]);
    expect(rules("job_1329348432655_0001", "")).toEqual([undefined, undefined]);
  });

  test("have Hadoop's slowstart where none, or an invalid share, is set", () => {
    expect(slowstartOf(newJob("job_1_1"))).toBe(0.05);
    const odd = property("mapred.reduce.slowstart.completed.maps", "soon");
    expect(slowstartOf(job("job_200904211745_0001", odd))).toBe(0.05);
  });
});
