import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import {
  ERROR_PREFIX,
  type InputCopy,
  type MapTask,
  type TaskError,
  type TaskJob,
  type TaskLine,
} from "../../src/hosts/yarn/task/task-list.ts";
import { frame, framesOf, STORE, StreamingTwin } from "../support/streaming.ts";

const root = mkdtempSync(join(tmpdir(), "broomwagon-streaming-failures-"));
afterAll(() => rmSync(root, { recursive: true }));

/** One map of a job, with its container's files. */
async function oneMap(code: string) {
  const own = mkdtempSync(join(root, "map-"));
  const file = join(own, "job.ts");
  writeFileSync(file, code);
  const twin = new StreamingTwin(own);
  const program = await twin.ship(file);
  const lines = join(own, "lines.txt");
  writeFileSync(lines, "one\ntwo\nthree\n");
  const fileBytes = statSync(lines).size;
  const split = { index: 0, file: `${STORE}${lines}`, compression: "none" as const };
  const range = { start: 0, end: fileBytes, fileBytes };
  const task: MapTask = {
    ...{ kind: "narrow", phase: 0, index: 0, source: 0 },
    reads: { kind: "split", split: { ...split, ...range } },
  };
  const phase = { phase: 0, partitions: 1, tables: [] };
  const about: TaskJob = {
    ...{ version: 1, program, params: {}, onBadRecord: "fail", compress: false },
    ...{ memory: { map: 4e6, reduce: 4e6 }, maps: [phase] },
    reduces: { ...phase, phase: 1, firstTask: 1, sources: [[0]], parts: ["output-0/part-00000"] },
  };
  const copy: InputCopy = {
    ...{ path: split.file, fileBytes, head: 0, from: 0, to: fileBytes },
    toLineEnd: true,
  };
  const line: TaskLine = { hosts: [], bytes: fileBytes, copy, task };
  const input = frame(Buffer.alloc(0), Buffer.from(JSON.stringify(line)));
  return { file, ...twin.container({ job: about, tables: [], role: "map", input, copy }) };
}

function errorIn(stderr: string): TaskError {
  const line = stderr.split("\n").find((one) => one.startsWith(ERROR_PREFIX)) ?? "";
  return JSON.parse(line.slice(ERROR_PREFIX.length));
}

const mapJob = (body: string): string => `import { count, defineJob } from "broomwagon/job";
export default defineJob({
  map(line, ctx) {
    ${body}
    return [[line, 1]];
  },
  reduce: count(),
});
`;

describe("a failure in a container", () => {
  test("is reported with the user's file and line, the record and the node", async () => {
    const body = `if (line === "two") throw new RangeError("not " + line);`;
    const { file, status, stderr } = await oneMap(mapJob(body));
    expect(status).toBe(1);
    const error = errorIn(stderr);
    expect(error.place).toBe(`${file}:4`);
    expect(error.message).toMatch(
      /^hdfs:\/\/twin:1\/.*\/lines\.txt:2: RangeError: not two, in "two"$/,
    );
    expect(error).toMatchObject({
      cause: "error",
      host: "n1",
      attempt: "attempt_1_0001_m_000000_0",
    });
  });

  test("is reported for a call, with the record and the number of tries", async () => {
    const { file, status, stderr } =
      await oneMap(`import { defineJob, mapAsync } from "broomwagon/job";
export default defineJob({
  map: mapAsync(async (line) => {
    await new Promise((resolve) => setTimeout(resolve, 1));
    if (line === "two") throw new RangeError("not " + line);
    return [[line, 1]];
  }, { concurrency: 3, retries: 1, backoffMs: 1 }),
});
`);
    expect(status).toBe(1);
    const error = errorIn(stderr);
    expect(error.place).toBe(`${file}:5`);
    expect(error.message).toMatch(
      /^hdfs:\/\/twin:1\/.*\/lines\.txt:2: RangeError: not two, in "two", after 2 tries$/,
    );
  });

  test("is reported if the user's code ends the process with success", async () => {
    const { status, stderr } = await oneMap(mapJob(`if (line === "two") process.exit(0);`));
    expect(status).toBe(1);
    expect(errorIn(stderr).message).toMatch(/the code ended its process/);
  });

  test("is reported for a promise that is not awaited", async () => {
    const body = `if (line === "two") Promise.reject(new Error("late"));`;
    const { file, status, stderr } = await oneMap(mapJob(body));
    expect(status).toBe(1);
    const error = errorIn(stderr);
    expect(error.message).toBe("a promise that the code did not await was rejected: Error: late");
    expect(error.place).toBe(`${file}:4`);
  });

  test("is reported for a timer that is due when the task's work is over", async () => {
    const body = `if (line !== "two") return [];
    setTimeout(() => { throw new Error("in a timer"); }, 1);
    for (const end = performance.now() + 5; performance.now() < end; ) {}`;
    const { file, status, stderr } = await oneMap(mapJob(body));
    expect(status).toBe(1);
    const error = errorIn(stderr);
    expect(error.message).toBe("the code threw in a callback: Error: in a timer");
    expect(error.place).toBe(`${file}:5`);
  });

  test("is neither the code's output nor a timer that it has left", async () => {
    const body = `console.log("reads", line, ctx.file); process.stdout.write("half");
      setInterval(() => {}, 1000);`;
    const { status, output, stderr } = await oneMap(mapJob(body));
    expect(status).toBe(0);
    expect(stderr).toMatch(/^reads two hdfs:\/\/twin:1\/.*\/lines\.txt$/m);
    expect(stderr).toMatch(/half\nreporter:/);
    expect(framesOf(output).length).toBeGreaterThan(1);
  });
});
