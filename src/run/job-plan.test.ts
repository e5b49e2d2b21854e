import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { ProgramCourse } from "../data/task/course.ts";
import { jobId } from "../model/ids.ts";
import { describeJob, planJob } from "./job-plan.ts";

const folder = mkdtempSync(join(tmpdir(), "broomwagon-plan-"));
afterAll(() => rmSync(folder, { recursive: true }));

const JOB = (reduces: string): string => `
import { defineJob, sum } from "broomwagon/job";
export default defineJob({ ${reduces} map: (line) => [[line, 1] as const], reduce: sum() });
`;

function plan(text: string, reduces?: number) {
  const jobFile = join(folder, `job-${text.length}.ts`);
  writeFileSync(jobFile, text);
  const own = { job: { file: jobFile }, input: [jobFile], output: join(folder, "out") };
  return planJob({ ...own, ...(reduces !== undefined && { reduces }) }, join(folder, "prepared"));
}

test("a shuffle has at most as many partitions as the kernels can tell apart", async () => {
  const flag = "reduces: expected at most 65536 reduces, found 65537";
  await expect(plan(JOB(""), 65_537)).rejects.toThrow(flag);
  const file = /job-\d+\.ts: expected at most 65536 reduces, found 300000/;
  await expect(plan(JOB("reduces: 300_000,"))).rejects.toThrow(file);
  expect(await plan(JOB(""), 65_536)).toMatchObject({ reduces: 65_536 });
});

test("the job of a step that forbids copies forbids them, no other job of its flow", async () => {
  const planned = await plan(`import { count, defineFlow, text, tsv } from "broomwagon/job";
export default defineFlow("effects", (f) => {
  f.read("lines", text())
    .mapAsync(async (line) => line, { speculate: false })
    .keyBy().fold("counts", count()).write(tsv());
});`);
  const { program, name, inputs } = planned;
  const plans = new Map(inputs.map((read) => [read.name, read.input]));
  const course = new ProgramCourse({ program, name, inputs: plans, reduces: 1 });
  const ids = { job: jobId(0), phase: 0, task: 0 };
  const speculate: (boolean | undefined)[] = [];
  for (let job = course.job(); job !== undefined; job = course.job()) {
    speculate.push(describeJob(planned, job, ids, 0).speculate);
    course.ended({ counters: {}, datasets: new Map([[0, []]]) });
  }
  expect(speculate).toEqual([false, undefined]);
});
