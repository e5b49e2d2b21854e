import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { RunError } from "broomwagon/engine";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { Workshop } from "./support/workshop.ts";

/** Promises that the user's code lost, and errors in its callbacks. */
const workshop = new Workshop({ files: 1, bytes: 20_000 });
afterEach(() => workshop.clear());
afterAll(() => workshop.remove());

const REJECTED = "a promise that the code did not await was rejected: RangeError: lost promise";
const LOSE = 'void Promise.reject(new RangeError("lost promise"));';

/** The line of the job file that loses a promise is always line 4. */
const HEAD = 'import { count, defineFlow, defineJob, text, tsv } from "broomwagon/job";';
const lose = (how = LOSE): string => `${HEAD}
let lost = 0;
function lose(): void {
  if (lost++ === 0) { ${how} }
}
`;

async function failureOf(run: Promise<unknown>): Promise<RunError> {
  const error = await run.catch((thrown: unknown) => thrown);
  if (error instanceof RunError) return error;
  throw error;
}

const map = "*map(line: string) { lose(); yield [line, 1] as const; }";

describe("a lost error fails its attempt, with the user's file and line", () => {
  test.each([
    ["map", `defineJob({ ${map}, reduce: count() })`],
    [
      "reduce",
      "defineJob({ map: (line) => [[line, 1]], *reduce(key) { lose(); yield key; }, reduces: 1 })",
    ],
    [
      "combine",
      `defineJob({ map: (line) => [[line, 1]], reduces: 1,
        combine(key, values) { lose(); return values; }, *reduce(key) { yield key; } })`,
    ],
    [
      "fold",
      `defineJob({ map: (line) => [[line, 1]], reduces: 1, reduce: { ...count(), name: "own",
        numbers: undefined, done(so: number) { lose(); return so; } } })`,
    ],
    [
      "key",
      `defineFlow("keyed", (f) => {
        f.read("lines", text()).keyBy((line) => { lose(); return line; }, () => 1)
          .fold("counts", count()).write(tsv());
      })`,
    ],
    [
      "module",
      `defineJob({ map: (line) => [[line, 1]] });
if (!process.getBuiltinModule("node:worker_threads").isMainThread) lose()`,
    ],
  ])("in %s", async (name, job) => {
    const file = workshop.job(name, `${lose()}export default ${job};\n`);
    const { message, result } = await failureOf(workshop.run(file, { nodes: 1 }));
    expect(message).toContain(REJECTED);
    expect(result.failure?.place).toBe(`${file}:4`);
    expect(result.failure?.stack).toContain(`${file}:4`);
    expect(result.totals.failed).toBe(4);
  });

  test("in a timer", async () => {
    const how = 'setTimeout(() => { throw new RangeError("in a timer"); }, 1);';
    // The map ends no earlier than the timer is due.
    const spin = "const end = performance.now() + 5; while (performance.now() < end) {}";
    const text = `${lose(`${how} ${spin}`)}export default defineJob({ ${map}, reduce: count() });`;
    const file = workshop.job("timer", text);
    const { message, result } = await failureOf(workshop.run(file, { nodes: 1 }));
    expect(message).toContain("the code threw in a callback: RangeError: in a timer");
    expect(result.failure?.place).toBe(`${file}:4`);
  });

  test("also if the reason is no Error", async () => {
    const text = `${lose('void Promise.reject("a text");')}export default defineJob({ ${map} });`;
    const { message } = await failureOf(workshop.run(workshop.job("text", text), { nodes: 1 }));
    expect(message).toContain("a promise that the code did not await was rejected: a text");
  });
});

/**
 * Task 0 loses a promise that is rejected when the gate opens, while task 1 keeps the run from
 * ending.
 */
const losesLater = (first: string, second: string): string => `${HEAD}
import { existsSync } from "node:fs"; import { setTimeout as sleep } from "node:timers/promises";
async function reject(): Promise<never> {
  while (!existsSync(${JSON.stringify(workshop.gate)})) await sleep(5);
  throw new RangeError("lost promise");
}
let last = "";
function once(task: number, attempt: number): void {
  const now = task + "#" + attempt;
  if (last === now) return;
  last = now;
  if (task === 0) { ${first} }
  if (task === 1) { ${second} }
}
`;
const LATER_LINE = 5;
/** Both begin at once, each in a thread of its own. */
const TWO_MAPS = { nodes: 1, slots: 2, splitBytes: 10_500 };
const ENDLESS =
  "const clock = new Int32Array(new SharedArrayBuffer(4)); Atomics.wait(clock, 0, 0);";
const MAP = "map(line, ctx) { once(ctx.task, ctx.attempt); return [[line, ctx.task]]; }";

describe("an error that is lost when its attempt has ended", () => {
  const openAfter =
    (kind: "succeeded" | "failed") =>
    (event: { readonly kind: string; readonly how?: unknown }): void => {
      const { how } = event;
      const isEnd = event.kind === "attempt-ended" && typeof how === "object" && how !== null;
      if (isEnd && "kind" in how && how.kind === kind) workshop.openGate();
    };

  test("fails the job if the attempt has succeeded", async () => {
    const code = losesLater("void reject();", ENDLESS);
    const file = workshop.job("later", `${code}export default defineJob({ ${MAP} });`);
    const onEvent = openAfter("succeeded");
    const how = { ...TWO_MAPS, onEvent };
    const { message, result } = await failureOf(workshop.run(file, how));
    expect(message).toContain(
      `failed on n1: its code went on after attempt later/map/0#0 had succeeded: ${REJECTED}`,
    );
    expect(result.outcome).toBe("failed");
    expect(result.failure).toMatchObject({ task: "later/map/0", place: `${file}:${LATER_LINE}` });
    expect(() => workshop.outputFiles()).toThrow(/ENOENT/);
  });

  test("fails the flow while a later one of its jobs runs", async () => {
    const code = losesLater("void reject();", "");
    const flow = `export default defineFlow("two", (f) => {
      f.read("lines", text())
        .map((line, ctx) => { once(ctx.task, ctx.attempt); return line; })
        .keyBy().fold("counts", count())
        .mapAsync(() => new Promise<string>(() => {}))
        .write(tsv());
    });`;
    const file = workshop.job("two", code + flow);
    let jobs = 0;
    const run = workshop.run(file, {
      nodes: 1,
      onEvent(event) {
        if (event.kind === "job-submitted" && ++jobs === 2) workshop.openGate();
      },
    });
    const { message, result } = await failureOf(run);
    expect(message).toContain(REJECTED);
    expect(result.failure).toMatchObject({
      task: "two/lines/0",
      place: `${file}:${LATER_LINE}`,
    });
  });

  test("changes nothing if the attempt has failed, which is tried again", async () => {
    const settled = join(workshop.path, "settled");
    const first = 'if (attempt === 0) { void reject(); throw new Error("first"); }';
    const second = `const clock = new Int32Array(new SharedArrayBuffer(4));
    while (!existsSync(${JSON.stringify(settled)})) Atomics.wait(clock, 0, 0, 20);`;
    const file = workshop.job(
      "failed",
      `${losesLater(first, second)}export default defineJob({ ${MAP} });`,
    );
    const open = openAfter("failed");
    const { result } = await workshop.run(file, {
      ...TWO_MAPS,
      onEvent(event) {
        open(event);
        if (event.kind === "log" && event.line.includes(REJECTED)) writeFileSync(settled, "");
      },
    });
    rmSync(settled);
    expect(result.outcome).toBe("succeeded");
    expect(result.totals.failed).toBe(1);
  });
});
