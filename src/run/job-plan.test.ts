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

let files = 0;

function plan(text: string, reduces?: number) {
  const jobFile = join(folder, `job-${++files}.ts`);
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

/** What the first jobs of a run say of copies: for the job, and for each phase. */
async function copied(text: string): Promise<readonly (readonly (boolean | undefined)[])[]> {
  const planned = await plan(text);
  const { program, name, inputs } = planned;
  const plans = new Map(inputs.map((read) => [read.name, read.input]));
  const course = new ProgramCourse({ program, name, inputs: plans, reduces: 1 });
  const ids = { job: jobId(0), phase: 0, task: 0 };
  const said: (boolean | undefined)[][] = [];
  for (let job = course.job(); job !== undefined; job = course.job()) {
    const { phases, speculate } = describeJob(planned, job, ids, 0);
    said.push([speculate, ...phases.map((phase) => phase.speculate)]);
    course.ended({ counters: {}, datasets: new Map([[0, []]]) });
  }
  return said;
}

test("a step that forbids copies forbids them for its phase alone", async () => {
  const flow = `import { count, defineFlow, text, tsv } from "broomwagon/job";
export default defineFlow("effects", (f) => {
  f.read("lines", text())
    .mapAsync(async (line) => line, { speculate: false })
    .keyBy().fold("counts", count()).write(tsv());
});`;
  expect(await copied(flow)).toEqual([
    [false, false],
    [undefined, undefined, undefined],
  ]);
  const job = `import { defineJob, mapAsync, sum } from "broomwagon/job";
const map = mapAsync(async (line) => [[line, 1] as const], { speculate: false });
export default defineJob({ map, reduce: sum() });`;
  expect(await copied(job)).toEqual([[undefined, false, undefined]]);
});

test("a job forbids copies of all its tasks, of its maps or of its reduces", async () => {
  expect(await copied(JOB("speculate: true,"))).toEqual([[undefined, undefined, undefined]]);
  expect(await copied(JOB("speculate: false,"))).toEqual([[false, false, false]]);
  expect(await copied(JOB("speculate: { map: false },"))).toEqual([[undefined, false, undefined]]);
  const reduces = JOB("speculate: { map: true, reduce: false },");
  expect(await copied(reduces)).toEqual([[undefined, undefined, false]]);
});
