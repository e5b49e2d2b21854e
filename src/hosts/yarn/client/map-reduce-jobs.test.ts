import { expect, test } from "vitest";
import { type CourseJob, ProgramCourse } from "../../../data/task/course.ts";
import { count, defineFlow, defineJob, sum, text, tsv } from "../../../job/index.ts";
import { programOf } from "../../../job/program-of.ts";
import type { Speculate } from "../../../job/speculate.ts";
import { jobFiles } from "./job-files.ts";
import { mapReduceJobs, speculatesIn } from "./map-reduce-jobs.ts";
import { TaskNames } from "./task-names.ts";

const FILE = "hdfs://m1:8020/in.txt";

/** An input of splits of these sizes. */
function inputOf(...sizes: readonly number[]) {
  const fileBytes = sizes.reduce((sum, size) => sum + size, 0);
  let end = 0;
  const splits = sizes.map((size, index) => {
    end += size;
    const start = end - size;
    return { index, file: FILE, compression: "none", start, end, fileBytes } as const;
  });
  return { splits, totalBytes: fileBytes };
}

function firstJob(what: Parameters<typeof programOf>[0], inputs: readonly string[]) {
  const program = programOf(what);
  const plans = new Map(inputs.map((name) => [name, inputOf(10, 30, 20)]));
  const course = new ProgramCourse({ program, name: "job", inputs: plans, reduces: 2 });
  const job: CourseJob | undefined = course.job();
  if (job === undefined) throw new Error("expected a job");
  return mapReduceJobs(job, program.outputs);
}

const FACTS = {
  program: { entry: "0-job.mjs", file: "/job.ts" },
  params: {},
  onBadRecord: "fail",
  compress: false,
  memory: { map: 1, reduce: 1 },
  hosts: new Map(),
  runs: new Map([
    ["run-1/part-00000", { path: "hdfs://m1:8020/run-0", bytes: 7 }],
    ["run-1/part-00001", { path: "hdfs://m1:8020/run-1", bytes: 9 }],
  ]),
} as const;

test("a plain job is one Hadoop job, with its maps in Hadoop's order, the largest first", () => {
  const job = defineJob({ map: (line, ctx) => ctx.emit(line, 1), reduce: sum() });
  const jobs = firstJob(job, ["input"]);
  expect(jobs).toHaveLength(1);
  const [only] = jobs;
  if (only === undefined) return;
  const { lines, job: told } = jobFiles(only, FACTS);
  expect(lines.map(({ line }) => line.bytes)).toEqual([30, 20, 10]);
  expect(told.reduces).toMatchObject({ firstTask: 3, sources: [[0, 1, 2]] });
  expect(told.reduces?.parts).toEqual(["output-0/part-00000", "output-0/part-00001"]);
  const names = new TaskNames(only, lines);
  expect(names.task("m_000000")).toEqual({ name: "job/map/1", phase: "map", index: 1 });
  expect(names.attempt("m_000002_1")).toBe("job/map/0#1");
  expect(names.attempt("r_000001_0")).toBe("job/reduce/1#0");
});

test("maps pass on to a second reduce what the first has stored", () => {
  const flow = defineFlow("two", (f) => {
    f.read("lines", text())
      .keyBy((line) => line)
      .fold("sums", count())
      .keyBy(
        ([, times]) => times,
        () => 1,
      )
      .fold("again", sum())
      .write(tsv());
  });
  const [first, second, ...more] = firstJob(flow, ["lines"]);
  expect(more).toEqual([]);
  expect(first?.parts.map(({ name }) => name)).toEqual(["run-1/part-00000", "run-1/part-00001"]);
  expect(second?.name).toBe("job again");
  if (second === undefined) return;
  const { lines, job } = jobFiles(second, FACTS);
  expect(job.maps).toEqual([]);
  expect(lines.map(({ line }) => line.task)).toEqual([
    { kind: "pass-on", source: 4, path: "hdfs://m1:8020/run-1" },
    { kind: "pass-on", source: 3, path: "hdfs://m1:8020/run-0" },
  ]);
  expect(new TaskNames(second, lines).phases).toEqual([
    { name: "pass-on", tasks: 2 },
    { name: "again", tasks: 2 },
  ]);
});

test("maps that write the output are a job without reduces", () => {
  const jobs = firstJob(defineJob({ input: text(), map: (line) => [[line, null]] }), ["input"]);
  expect(jobs).toHaveLength(1);
  expect(jobs[0]?.reduces).toBeUndefined();
  expect(jobs[0]?.maps.map(({ part }) => part?.name)).toEqual([
    "output-0/part-00000",
    "output-0/part-00001",
    "output-0/part-00002",
  ]);
});

test("a Hadoop job copies tasks of the kinds that its program allows", () => {
  const flow = (speculate: Speculate) =>
    defineFlow({ name: "two", speculate }, (f) => {
      const counts = f.read("a", text()).keyBy().fold("counts", count());
      counts
        .keyBy(([line]) => line.length)
        .fold("lengths", count())
        .write(tsv());
    });
  const copied = (speculate: Speculate) => {
    const two = flow(speculate);
    return firstJob(two, ["a"]).map((job) => speculatesIn(two.program, job));
  };
  const [both, maps, reduces, none] = [
    { map: true, reduce: true },
    { map: true, reduce: false },
    { map: false, reduce: true },
    { map: false, reduce: false },
  ];
  expect(copied(true)).toEqual([both, both]);
  expect(copied({ reduce: false })).toEqual([maps, maps]);
  expect(copied({ map: false })).toEqual([reduces, reduces]);
  expect(copied(false)).toEqual([none, none]);
});
