import { describe, expect, test } from "vitest";
import { count, defineFlow, type Flow, sum, text, tsv } from "../../job/index.ts";
import type { InputPlan } from "../index.ts";
import { type CourseJob, ProgramCourse } from "./course.ts";

const inputOf = (splits: number): InputPlan => ({
  totalBytes: 10 * splits,
  splits: Array.from({ length: splits }, (_, index) => ({
    ...{ index, file: `/in/${index}`, compression: "none", start: 0, end: 10, fileBytes: 10 },
  })),
});

const courseOf = (flow: Flow, splits: number, reduces = 2): ProgramCourse =>
  new ProgramCourse({
    ...{ program: flow.program, name: "flow", reduces },
    inputs: new Map([
      ["lines", inputOf(splits)],
      ["more", inputOf(1)],
    ]),
  });

/** `name(tasks)` of each phase. */
const shown = (job: CourseJob | undefined): string =>
  job === undefined
    ? "over"
    : `${job.name}: ${job.phases.map(({ name, tasks }) => `${name}(${tasks.length})`).join(" ")}`;

/** Ends the job under way: each of its tasks that writes a dataset has made a part. */
function end(course: ProgramCourse, counters: Readonly<Record<string, number>> = {}): void {
  const datasets = new Map<number, { readonly path: string; readonly bytes: number }[]>();
  for (const { program, tasks, firstPart } of course.job()?.phases ?? []) {
    if (program.writes.kind !== "dataset") continue;
    const { dataset } = program.writes;
    const parts = tasks.map((_, i) => ({ path: `/${dataset}/${firstPart + i}`, bytes: 1 }));
    datasets.set(dataset, [...(datasets.get(dataset) ?? []), ...parts]);
  }
  course.ended({ counters, datasets });
}

/** All jobs, one after the other. */
function walk(course: ProgramCourse): readonly string[] {
  const jobs: string[] = [];
  for (let job = course.job(); job !== undefined; job = course.job()) {
    jobs.push(shown(job));
    end(course);
  }
  return jobs;
}

describe("a flow's course", () => {
  test("has each task's sources, numbered over the job, and its parts", () => {
    const flow = defineFlow("flow", (f) => {
      const all = f.read("lines", text()).union(f.read("more", text()));
      all.keyBy().fold("counts", count()).write(tsv(), "counts");
      all.write(text(), "all");
    });
    const job = courseOf(flow, 3).job();
    expect(shown(job)).toBe("flow: lines(3) more(1) counts(2) write lines(3) write more(1)");
    const [lines, , counts, , more] = job?.phases ?? [];
    expect(lines?.partitions).toBe(2);
    expect([counts?.sources, counts?.firstTask]).toEqual([[[0, 1, 2, 3]], 4]);
    expect([more?.firstPart, more?.tasks.map(({ kind }) => kind)]).toEqual([3, ["split"]]);
  });

  test("reads a dataset where it was written, and counts an output's parts over all jobs", () => {
    const flow = defineFlow("flow", (f) => {
      const lines = f.read("lines", text());
      const counts = lines.keyBy().fold("counts", count());
      const texts = counts.map(([line]) => line);
      counts
        .map(([, n]) => n)
        .total("all", sum())
        .write(tsv(), "sum");
      lines.union(texts).write(text(), "texts");
    });
    const course = courseOf(flow, 3);
    expect(shown(course.job())).toBe("flow: lines(3) counts(2) write lines(3)");
    end(course);
    const job = course.job();
    expect(shown(job)).toBe("flow write counts: all: read counts(2) all(1) write counts(2)");
    expect(job?.phases[0]?.tasks).toMatchObject([
      { kind: "part", part: { path: "/0/0" } },
      { kind: "part", part: { path: "/0/1" } },
    ]);
    expect(job?.phases[2]?.firstPart).toBe(3);
    end(course);
    expect(course.job()).toBeUndefined();
  });

  test("leaves out a sample where there is one partition", () => {
    const flow = defineFlow("flow", (f) => {
      f.read("lines", text()).sortBy("sorted").write(text());
    });
    expect(walk(courseOf(flow, 3, 2))).toEqual([
      "flow: sorted: sample(3)",
      "flow sorted: lines(3) sorted(2)",
    ]);
    const one = courseOf(flow, 3, 1);
    expect(one.job()?.phases[0]?.tables).toEqual([{ dataset: 0, files: [] }]);
    expect(walk(one)).toEqual(["flow: lines(3) sorted(1)"]);
  });
});

describe("a loop's course", () => {
  const looping = (until?: (round: { readonly counters: object }) => boolean): Flow =>
    defineFlow({ name: "flow", counters: ["moved"] }, (f) => {
      const start = f.read("lines", text()).keyBy();
      const rounds = { most: 3, ...(until !== undefined && { until }) };
      f.loop("round", start, rounds, (state) =>
        state
          .mapValues((line) => line)
          .reduce("next", (key, lines) => [...lines].map((line) => [key, line] as const)),
      ).write(tsv());
    });

  test("has a job for each round, which reads the previous round's output", () => {
    expect(walk(courseOf(looping(), 3))).toEqual([
      "flow: lines(3)",
      "flow round 1: round(3) next(2)",
      "flow round 2: round(2) next(2)",
      "flow round 3: round(2) next(2)",
      "flow write round: write round(2)",
    ]);
  });

  test("ends after the round whose counters say so", () => {
    const told: object[] = [];
    const flow = looping(({ counters }) => {
      told.push(counters);
      return "moved" in counters && counters.moved === 0;
    });
    const course = courseOf(flow, 1);
    for (const moved of [0, 5, 0]) end(course, { moved });
    expect(told).toEqual([{ moved: 5 }, { moved: 0 }]);
    expect(shown(course.job())).toBe("flow write round: write round(2)");
  });

  test("names the loop whose until throws", () => {
    const course = courseOf(
      looping(() => {
        throw new TypeError("no such thing");
      }),
      1,
    );
    end(course);
    expect(() => end(course)).toThrow("loop round: until, round 1: no such thing");
  });
});
