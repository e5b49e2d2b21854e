import { spawn } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { RunError, type RunEvent, resume } from "broomwagon/engine";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { childrenOf } from "./support/processes.ts";
import { type Answer, type Asked, Service } from "./support/service.ts";
import { disciplineOf, only, Workshop } from "./support/workshop.ts";

/** Jobs and flows that call a real service. */
let workshop: Workshop;
let service: Service;
beforeEach(() => {
  workshop = new Workshop({ files: 1, bytes: 0 });
  writeFileSync(join(workshop.input, "text-0.txt"), LINES.map((line) => `${line}\n`).join(""));
});
afterEach(() => {
  service.stop();
  workshop.remove();
});

const LINES = Array.from({ length: 60 }, (_, i) => `line ${i} ${"x".repeat(i % 7)}`);

/** Each answer takes another time, so that calls end in another order than they begin. */
const shuffled = ({ of }: Asked): Answer => {
  const afterMs = (Number(/\d+/.exec(of)?.[0]) * 7) % 11;
  return { status: 200, text: of.toUpperCase(), afterMs };
};

const start = async (answer: (asked: Asked) => Answer): Promise<void> => {
  service = await Service.start(answer);
};

/** Code that asks the service about a text; its line 5 throws where the service refuses. */
const ask = (): string => `import * as job from "broomwagon/job";
const { defineFlow, defineJob, mapAsync, count, ndjson, text, tsv } = job;
async function ask(of: string, { signal }: { signal: AbortSignal }): Promise<string> {
  const response = await fetch("${service.url}/" + encodeURIComponent(of), { signal });
  if (!response.ok) throw new RangeError("status " + response.status);
  return response.text();
}
`;

/** A job whose output is a line for each line of the input. */
const jobText = (options: string, before = ""): string => `${ask()}
export default defineJob({
  counters: ["calls"],
  map: mapAsync(async (line, ctx) => {
    ${before}
    const answer = await ask(line, ctx);
    ctx.count("calls");
    return [[answer, line.length]];
  }, ${options}),
});
`;

const meant = LINES.map((line) => `${line.toUpperCase()}\t${line.length}`);
const outputLines = (directory = workshop.output): readonly string[] =>
  readdirSync(directory)
    .filter((name) => name.startsWith("part-"))
    .sort()
    .flatMap((name) => readFileSync(join(directory, name), "utf8").split("\n").slice(0, -1));

async function failureOf(run: Promise<unknown>): Promise<RunError> {
  const error = await run.catch((thrown: unknown) => thrown);
  if (error instanceof RunError) return error;
  throw error;
}

describe("a job that calls a service", () => {
  test("makes as many calls at once as it may, and keeps the order of the records", async () => {
    await start(shuffled);
    const job = workshop.job("calls", jobText("{ concurrency: 4 }"));
    const { result } = await workshop.run(job, { nodes: 1 });
    expect(outputLines()).toEqual(meant);
    expect(service.openMost).toBe(4);
    expect(service.requests).toBe(LINES.length);
    expect(result.counters).toEqual({ calls: LINES.length });
    expect(result.phases[0]?.inputRecords).toBe(LINES.length);
  });

  test("makes one call at a time in each task unless it says more", async () => {
    await start(shuffled);
    const job = workshop.job("one", jobText("{}"));
    await workshop.run(job, { nodes: 2, splitBytes: 400 });
    expect(outputLines()).toEqual(meant);
    expect(service.openMost).toBeLessThanOrEqual(2);
  });

  test("hangs up when a call's time is over, and calls again", async () => {
    const isSlow = (of: string): boolean => Number(/\d+/.exec(of)?.[0]) % 20 === 3;
    await start(({ of, before }) => {
      if (isSlow(of) && before === 0) return "never";
      return { status: 200, text: of.toUpperCase() };
    });
    const options = "{ concurrency: 8, timeoutMs: 150, retries: 3, backoffMs: 1 }";
    const job = workshop.job("slow", jobText(options));
    const { result } = await workshop.run(job, { nodes: 1 });
    expect(outputLines()).toEqual(meant);
    const slow = LINES.filter(isSlow);
    expect(slow).toHaveLength(3);
    expect([...service.hungUp].sort()).toEqual(expect.arrayContaining([...slow].sort()));
    expect(result.totals.failed).toBe(0);
    expect(result.counters).toEqual({ calls: LINES.length });
  });

  test("fails with the user's line, the record, and the number of tries", async () => {
    const bad = LINES[41] ?? "";
    await start((asked) => (asked.of === bad ? { status: 503, text: "" } : shuffled(asked)));
    const options = "{ concurrency: 8, retries: 1, backoffMs: 1 }";
    const job = workshop.job("refused", jobText(options));
    const { result } = await failureOf(workshop.run(job, { nodes: 1 }));
    const input = join(workshop.input, "text-0.txt");
    expect(result.failure?.message).toBe(
      `${input}:42: RangeError: status 503, in "${bad}", after 2 tries`,
    );
    expect(result.failure?.place).toBe(`${job}:5`);
    expect(result.totals.failed).toBe(4);
    expect(service.asked.get(bad)).toBe(8);
  });

  test("fails with the line of its function where an error has no line of the user's", async () => {
    await start(shuffled);
    const job = workshop.job("late", jobText("{ timeoutMs: 50 }", "await new Promise(() => {});"));
    const { result } = await failureOf(workshop.run(job, { nodes: 1 }));
    expect(result.failure?.message).toContain(
      'text-0.txt:1: TimeoutError: the call took longer than 50 ms, its timeoutMs, in "line 0 "',
    );
    expect(result.failure?.place).toBe(`${job}:${lineOf(job, "map: mapAsync(")}`);
  });

  test("fails when its function loses a promise", async () => {
    await start(shuffled);
    const before = 'if (ctx.index === 3) void Promise.reject(new RangeError("lost promise"));';
    const job = workshop.job("lost", jobText("{ concurrency: 4 }", before));
    const { result } = await failureOf(workshop.run(job, { nodes: 1 }));
    expect(result.failure?.message).toBe(
      "a promise that the code did not await was rejected: RangeError: lost promise",
    );
    expect(result.failure?.place).toBe(`${job}:${lineOf(job, "lost promise")}`);
  });

  test("skips malformed records as other jobs do", async () => {
    await start(shuffled);
    const text = ["1", "{", "2", "x", "3"].join("\n");
    writeFileSync(join(workshop.input, "text-0.txt"), text);
    const job = workshop.job(
      "malformed",
      `${ask()}export default defineJob({
        input: ndjson(undefined, (value) => Number(value)),
        map: mapAsync(async (n: number, ctx) => [[await ask("n" + n, ctx), n]], { concurrency: 2 }),
      });`,
    );
    const { result } = await workshop.run(job, { nodes: 1, onBadRecord: "skip" });
    expect(outputLines()).toEqual(["N1\t1", "N2\t2", "N3\t3"]);
    expect(result.badRecords.samples.map(({ place }) => place.split(":")[1])).toEqual(["2", "4"]);
  });
});

test("the job that docs/jobs.md shows runs as it stands there", async () => {
  await start(({ of }) => ({ status: of.startsWith("line 1") ? 404 : 200, text: "" }));
  const urls = LINES.map((line) => `${service.url}/${encodeURIComponent(line)}`);
  writeFileSync(join(workshop.input, "text-0.txt"), urls.join("\n"));
  const docs = readFileSync(new URL("../../docs/jobs.md", import.meta.url), "utf8");
  const [, code = ""] = /## Steps that wait\n[\s\S]*?```ts\n([\s\S]*?)```/.exec(docs) ?? [];
  await workshop.run(workshop.job("status", code), { nodes: 2 });
  expect(outputLines()).toEqual(
    urls.map((url, i) => `${url}\t${LINES[i]?.startsWith("line 1") ? 404 : 200}`),
  );
});

describe("a call in flight", () => {
  /** A thread that starts on a busy machine must not seem still either. */
  const TASK_MS = 4_000;
  const slow =
    (first: Answer) =>
    ({ of, before }: Asked): Answer =>
      of === LINES[5] && before === 0 ? first : { status: 200, text: of.toUpperCase() };

  test("is a sign of life until its own time is over", async () => {
    await start(slow({ status: 200, text: (LINES[5] ?? "").toUpperCase(), afterMs: 2 * TASK_MS }));
    const job = workshop.job("alive", jobText("{ timeoutMs: 60_000 }"));
    const { result } = await workshop.run(job, { nodes: 1, taskTimeoutMs: TASK_MS });
    expect(outputLines()).toEqual(meant);
    expect(result.totals.failed).toBe(0);
  });

  test("without a limit is none: the task's time decides, and it is tried again", async () => {
    await start(slow("never"));
    const job = workshop.job("unlimited", jobText("{}"));
    const { result } = await workshop.run(job, { nodes: 1, taskTimeoutMs: TASK_MS });
    expect(outputLines()).toEqual(meant);
    const failed = result.attempts.filter(({ end }) => end.kind === "failed");
    expect(failed).toMatchObject([{ end: { cause: "timeout", message: "no progress for 4 s" } }]);
    expect(service.hungUp).toContain(LINES[5]);
  });
});

describe("a node that dies among calls", () => {
  test("loses its calls: they are made again elsewhere, and the output is the same", async () => {
    let isKilled = false;
    await start(({ of }) => {
      const isHeld = service.requests > 20 && !isKilled;
      return isHeld ? "never" : { status: 200, text: of.toUpperCase() };
    });
    const options = "{ concurrency: 2, timeoutMs: 1_000, retries: 9, backoffMs: 1 }";
    const job = workshop.job("killed", jobText(options));
    const discipline = disciplineOf("none", ["detection.expiryMs=1000"]);
    const how = { nodes: 2, splitBytes: 400, discipline };
    const run = workshop.run(job, how, async ({ inject }) => {
      // Both nodes wait for calls.
      await service.until(() => service.requests >= 24);
      inject({ kind: "kill", at: 0, node: "n2" });
      isKilled = true;
    });
    const { result, events } = await run;
    expect(only(events, "node-lost")).toHaveLength(1);
    expect(outputLines()).toEqual(meant);
    expect(result.counters).toEqual({ calls: LINES.length });
    expect(service.requests).toBeGreaterThan(LINES.length);
    expect(service.hungUp.length).toBeGreaterThan(0);
  });
});

describe("copies of a task that makes calls", () => {
  /** The original of task 0 waits for ever; a copy does not. */
  const straggling = (options: string): string =>
    jobText(options, "if (ctx.task === 0 && ctx.attempt === 0) await new Promise(() => {});");
  const eager = disciplineOf("late", [
    "speculation.runtimeMsMin=300",
    "speculation.slowNodeThreshold=0",
    "speculation.slowTaskThreshold=1",
  ]);
  const how = { nodes: 3, splitBytes: 300, discipline: eager } as const;

  test("are made as for any other", async () => {
    await start(shuffled);
    const job = workshop.job("copied", straggling("{ concurrency: 4 }"));
    const { result } = await workshop.run(job, how);
    expect(outputLines()).toEqual(meant);
    expect(result.totals.speculativeWon).toBeGreaterThan(0);
  });

  test("are not made where the step forbids them", async () => {
    await start(shuffled);
    const job = workshop.job("alone", straggling("{ concurrency: 4, speculate: false }"));
    const { result } = await workshop.run(job, { ...how, taskTimeoutMs: 2_000 });
    expect(outputLines()).toEqual(meant);
    expect(result.totals).toMatchObject({ speculative: 0, failed: 1 });
    const refusals = readFileSync(result.journal, "utf8").match(/job-forbids-copies/g);
    expect(refusals?.length).toBeGreaterThan(0);
  });
});

describe("a flow that calls a service", () => {
  /** Calls before and after a shuffle, a sort that samples, several readers. */
  const flowText = (): string => `${ask()}
export default defineFlow("calls", (f) => {
  const found = f.read("lines", text())
    .flatMap(function* (line) { yield "a " + line; yield "b " + line; })
    .mapAsync(ask, { concurrency: 3 })
    .map((line) => line.toLowerCase())
    .mapAsync((line, ctx) => ask("again " + line, ctx), { concurrency: 2 });
  found.sortBy("sorted").write(text(), "sorted");
  found.keyBy((line) => line.slice(0, 7)).fold("counts", count())
    .mapAsync(async ([key, times], ctx) => [await ask("key " + key, ctx), times] as const)
    .write(tsv(), "counts");
});
`;
  const twice = LINES.flatMap((line) => [`AGAIN A ${line}`, `AGAIN B ${line}`]);
  const sorted = twice.map((line) => line.toUpperCase()).sort();

  async function checkOutputs(): Promise<void> {
    expect(outputLines(join(workshop.output, "sorted"))).toEqual(sorted);
    expect(outputLines(join(workshop.output, "counts")).toSorted()).toEqual([
      "KEY AGAIN A\t60",
      "KEY AGAIN B\t60",
    ]);
  }

  test("asks about each record once, for whatever readers and samples", async () => {
    await start(shuffled);
    const job = workshop.job("flow", flowText());
    await workshop.run(job, { nodes: 2, splitBytes: 400 });
    await checkOutputs();
    const often = [...service.asked].filter(([, times]) => times !== 1);
    expect(often).toEqual([]);
    expect(service.requests).toBe(4 * LINES.length + 2);
  });

  test("goes on after its master was killed, without the calls of finished tasks", async () => {
    let answers = 0;
    let isResumed = false;
    await start((asked) => (answers++ < 150 || isResumed ? shuffled(asked) : "never"));
    const job = workshop.job("resumed", flowText());
    const run = await killedRun(job, () => answers > 150);
    isResumed = true;
    const events: RunEvent[] = [];
    const { outcome } = await resume(run, { onEvent: (event) => void events.push(event) });
    expect(outcome).toBe("succeeded");
    await checkOutputs();
    const done = only(events, "run-resumed")[0]?.done ?? 0;
    expect(done).toBeGreaterThan(0);
    expect([...service.asked.values()].filter((times) => times === 1).length).toBeGreaterThan(0);
    expect(childrenOf(process.pid)).toEqual([]);
    expect(workshop.litter()).toEqual([]);
  });
});

const lineOf = (path: string, text: string): number =>
  1 +
  readFileSync(path, "utf8")
    .split("\n")
    .findIndex((line) => line.includes(text));

/** Runs the job in a process of its own, and kills that process. Returns the run's directory. */
async function killedRun(jobFile: string, when: () => boolean): Promise<string> {
  const packaged = (name: string): string =>
    JSON.stringify(createRequire(import.meta.url).resolve(`broomwagon/${name}`));
  const options = {
    ...{ input: workshop.input, output: workshop.output, runDirectory: workshop.runs },
    ...{ splitBytes: 100, nodes: 2, reduces: 3, heartbeatMs: 100, discipline: "none" },
  };
  const program = `import { run } from ${packaged("engine")};
await run(${JSON.stringify(jobFile)}, ${JSON.stringify(options)});`;
  mkdirSync(workshop.runs, { recursive: true });
  const child = spawn(process.execPath, ["--input-type=module", "--eval", program]);
  const ended = new Promise((resolve) => child.on("exit", (_, signal) => resolve(signal)));
  await service.until(when);
  child.kill("SIGKILL");
  expect(await ended).toBe("SIGKILL");
  const [made = ""] = readdirSync(workshop.runs);
  return join(workshop.runs, made);
}
