import { existsSync, readFileSync } from "node:fs";
import { RunError, run } from "broomwagon";
import { parseJournal } from "broomwagon/journal";
import { parseDiscipline } from "broomwagon/policies";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { gated, wordCount } from "./support/jobs.ts";
import { childrenOf } from "./support/processes.ts";
import { ProgramFolder } from "./support/program-folder.ts";
import { Workshop } from "./support/workshop.ts";

const workshop = new Workshop({ files: 2, bytes: 100_000 });
afterEach(() => workshop.clear());
afterAll(() => workshop.remove());

const folder = new ProgramFolder();
afterAll(() => folder.remove());

/** A program that uses `running`, a run of this job file. */
const using = (job: string, uses: string): string => `import { run } from "broomwagon";
const running = run("${job}", { input: "in", output: "out", nodes: 1 });
${uses}
`;

folder.write(
  "fails.mjs",
  `import { defineJob } from "broomwagon/job";
export default defineJob({ map(line) { throw new Error("no use for " + line); } });
`,
);
folder.write(
  "counts.mjs",
  `import { defineJob, sum } from "broomwagon/job";
export default defineJob({ map: (line) => [[line, 1]], reduce: sum() });
`,
);

/** Node prints the line of code in which an error arose, and ours are long. */
const longest = (text: string): number =>
  text.split("\n").reduce((most, line) => Math.max(most, line.length), 0);

describe("the failure of a run", () => {
  test("that is not handled ends the process, and names the call", () => {
    const { code, out, err } = folder.program(
      "unseen.mjs",
      using("nope.mjs", 'console.log("on");'),
    );
    expect([code, out]).toEqual([1, "on\n"]);
    expect(err).toMatch(/InputError: \/.*\/nope\.mjs: no such job file\n {4}at .*unseen\.mjs:2:17/);
    expect(longest(err)).toBeLessThan(300);
  });

  test("of a job, not handled, does so too, without the details of the run", () => {
    const { code, err } = folder.program("unseen-job.mjs", using("fails.mjs", ""));
    expect(code).toBe(1);
    expect(err).toMatch(
      /RunError: job fails: fails\/map\/0 failed 4 times, last on n1: .*: no use for to be or/,
    );
    expect(err).toContain("unseen-job.mjs:2:17");
    expect(err).not.toContain("attempts");
    expect(longest(err)).toBeLessThan(400);
  });

  test.each([
    ["awaits", "try { await running; } catch (error) { console.log(error.name); }"],
    ["catches", "running.catch((error) => console.log(error.name));"],
    ["gathers", "Promise.all([running]).catch((error) => console.log(error.name));"],
    [
      "reads its events",
      "try { for await (const _ of running.events); } catch (error) { console.log(error.name); }",
    ],
    [
      "reads its records",
      "try { for await (const _ of running.records()); } catch ({ name }) { console.log(name); }",
    ],
  ])("goes to the program that %s", (_, uses) => {
    expect(folder.program("seen.mjs", using("fails.mjs", uses))).toEqual({
      ...{ code: 0, out: "RunError\n", err: "" },
    });
  });

  test("goes to the one that awaits the run, and ends the loops over its events", () => {
    const uses = `let count = 0;
async function watch() { for await (const _ of running.events) count++; return "watched"; }
const watching = watch();
await running.catch((error) => console.log(error.name));
console.log(await watching, count > 5);`;
    const { code, out, err } = folder.program("both.mjs", using("fails.mjs", uses));
    expect([code, out, err]).toEqual([0, "RunError\nwatched true\n", ""]);
  });

  test("surfaces although a loop over the events was left early", () => {
    const uses = "for await (const _ of running.events) break;";
    const { code, err } = folder.program("left.mjs", using("fails.mjs", uses));
    expect(code).toBe(1);
    expect(err).toContain("RunError: job fails");
  });

  test("is thrown where a loop over the events is left after it", () => {
    const uses = `try {
  for await (const { kind } of running.events) {
    if (kind !== "run-started") continue;
    // The run is over when nothing else is left to do.
    await new Promise((resolve) => process.once("beforeExit", resolve));
    break;
  }
} catch (error) { console.log(error.name); }`;
    const { code, out } = folder.program("late.mjs", using("fails.mjs", uses));
    expect([code, out]).toEqual([0, "RunError\n"]);
  });

  test("that was handled leaves the process as it is, and a success is a result", () => {
    const uses = `const { outcome, totals } = await running;
for await (const _ of running.events) console.log("none is left");
console.log(outcome, totals.succeeded);`;
    expect(folder.program("succeeds.mjs", using("counts.mjs", uses))).toEqual({
      ...{ code: 0, out: "succeeded 2\n", err: "" },
    });
  });
});

describe("the options of a run", () => {
  const job = workshop.job("word-count", wordCount());
  const made = parseDiscipline("none");

  test.each([
    [{ nodez: 3 }, "run: nodez: unknown; did you mean nodes? the object of options has input, "],
    [{ nodes: 0 }, "run: nodes: expected a whole number of 1 or more, found 0"],
    [{ nodes: "4" }, 'run: nodes: expected a whole number of 1 or more, found "4"'],
    [{ input: 7 }, "run: input: expected a list: a text that is not empty each, found 7"],
    [{ memoryBytes: 5 }, "run: memoryBytes: expected a whole number of 64000000 or more, found 5"],
    [{ signal: "now" }, 'run: signal: expected an AbortSignal, found "now"'],
    [{ onEvent: 1 }, "run: onEvent: expected a function, found 1"],
    [{ params: { a: [] } }, "run: params: expected an object of texts, numbers, and true or false"],
    [{ discipline: "lat" }, "discipline lat: no discipline lat; did you mean late"],
    [{ discipline: {} }, "run: discipline: expected what parseDiscipline returned, found {}"],
    [{ set: { "speculation.cap": 1 } }, "set speculation.cap=1: late has no parameter cap; known:"],
    [{ discipline: made, set: {} }, "run: set: expected none beside a discipline"],
    [{ faults: [{ kind: "slwo" }] }, 'run: faults[0].kind: expected one of "slow", "pause"'],
    [{ faults: [{ kind: "kill", at: 0, node: "n9" }] }, "expected a node from n1 to n4, found n9"],
    [{ racks: 9 }, "racks: expected at most 4, one for each node, found 9"],
    [{ discipline: "elephant-copies" }, "racks: expected 2 racks or more, as copy-outputs copies"],
    [{ collect: true, output: "out" }, "collect: expected no output beside it"],
    [{ policies: "none.ts" }, "none.ts: no such policies file"],
    [5, "run: expected the object of options, found 5"],
  ])("are checked before anything starts: %#", async (options, message) => {
    await expect(Reflect.apply(run, undefined, [job, options])).rejects.toThrow(message);
    expect(existsSync(workshop.runs)).toBe(false);
  });

  test.each([[{ job: "count.ts" }], [""], [undefined], [new URL("https://localhost/job.ts")]])(
    "stand behind the job: %#",
    async (what) => {
      const expected = "run: expected the path of a job file, or what defineJob or defineFlow";
      await expect(Reflect.apply(run, undefined, [what])).rejects.toThrow(expected);
    },
  );

  test("may name the job by its URL, and the discipline by its name and parameters", async () => {
    const { href } = new URL(`file://${job}`);
    const result = await run(new URL(href), {
      ...{ input: workshop.input, output: workshop.output, runDirectory: workshop.runs },
      ...{ nodes: 1, set: { "speculation.speculativeCap": 0.3 } },
    });
    expect(result.discipline).toBe("late");
    const [header = ""] = readFileSync(result.journal, "utf8").split("\n");
    const { discipline } = parseJournal([header], result.journal).setup;
    expect(discipline).toMatchObject({
      speculation: { params: { speculativeCap: 0.3 } },
      detection: { params: { expiryMs: 10_000 } },
    });
  });
});

describe("an AbortSignal", () => {
  const job = (): string =>
    workshop.job("gated", gated({ gate: workshop.gate, tasks: "ctx.task === 0" }));
  /** The failure of a run with this signal. */
  async function aborted(signal: AbortSignal, abort = (): void => {}): Promise<RunError> {
    const running = run(job(), {
      ...{ input: workshop.input, output: workshop.output, runDirectory: workshop.runs },
      ...{ nodes: 2, signal },
    });
    try {
      for await (const event of running.events) if (event.kind === "attempt-started") abort();
    } catch (error) {
      if (error instanceof RunError) return error;
      throw error;
    }
    throw new Error("expected the run to be aborted");
  }

  test("ends the run, and its reason is the cause of the failure", async () => {
    const controller = new AbortController();
    const reason = new Error("enough");
    const error = await aborted(controller.signal, () => controller.abort(reason));
    expect(error).toMatchObject({ message: "job word-count was stopped", cause: reason });
    expect(error.result.outcome).toBe("killed");
    expect(childrenOf(process.pid)).toEqual([]);
    expect(existsSync(workshop.output)).toBe(false);
  });

  test("that was aborted before starts no process", async () => {
    const { cause, result } = await aborted(AbortSignal.abort());
    expect(result).toMatchObject({ outcome: "killed", attempts: [] });
    expect(cause).toMatchObject({ name: "AbortError" });
    const lines = existsSync(result.journal) ? readFileSync(result.journal, "utf8") : "";
    expect(lines).not.toContain('"kind":"process"');
  });

  test("of a time limit ends the run when the time is over", async () => {
    const { cause, result } = await aborted(AbortSignal.timeout(1_000));
    expect(result.outcome).toBe("killed");
    expect(cause).toMatchObject({ name: "TimeoutError" });
  });
});
