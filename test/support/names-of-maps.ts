import { defined } from "../../src/base/assert.ts";
import { ProgramCourse } from "../../src/data/task/course.ts";
import { mapReduceJobs } from "../../src/hosts/yarn/client/map-reduce-jobs.ts";
import { TaskNames } from "../../src/hosts/yarn/client/task-names.ts";
import { defineJob, sum } from "../../src/job/index.ts";
import { programOf } from "../../src/job/program-of.ts";

/**
 * Names of the tasks of a Hadoop job called `job`, with the given number of maps and one reduce.
 */
export function namesOfMaps(maps: number): TaskNames {
  const job = defineJob({ map: (line, ctx) => ctx.emit(line, 1), reduce: sum() });
  const program = programOf(job);
  const splits = Array.from({ length: maps }, (_, index) => {
    const file = { file: "hdfs://m1:8020/in.txt", compression: "none", fileBytes: maps } as const;
    return { ...file, index, start: index, end: index + 1 };
  });
  const inputs = new Map([["input", { splits, totalBytes: maps }]]);
  const course = new ProgramCourse({ program, name: "job", inputs, reduces: 1 });
  const [first] = mapReduceJobs(defined(course.job(), "a job"), program.outputs);
  const whole = defined(first, "a job of Hadoop's");
  const line = { hosts: [], bytes: 1, task: { kind: "pass-on", source: 0, path: "" } } as const;
  return new TaskNames(
    whole,
    whole.maps.map((work) => ({ work, line })),
  );
}
