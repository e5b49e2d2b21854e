import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { runProgram } from "../../src/cli/program.ts";
import { parseScenario } from "../../src/hosts/sim/index.ts";
import { simulate } from "../../src/library/simulate.ts";
import { whatIf } from "../../src/library/what-if.ts";
import { why } from "../../src/library/why.ts";
import { parseDiscipline } from "../../src/policy/discipline.ts";
import { openTrace } from "../../src/trace/open/open-trace.ts";
import { paperShell } from "./support/screen.ts";

const SPARK = "fixtures/spark/two-workers.ndjson";
const SCENARIO = "scenarios/late-5.4.3.json";
const STRAGGLER = "scenarios/one-straggler.json";

const folder = mkdtempSync(join(tmpdir(), "broomwagon-library-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** The document that the command prints for programs. */
async function printed(...args: readonly string[]): Promise<unknown> {
  const shell = paperShell();
  expect(await runProgram([...args, "-o", "json"], shell)).toBe(0);
  return JSON.parse(shell.out.text);
}

/** What JSON keeps of a result. */
const asJson = (result: object): unknown => JSON.parse(JSON.stringify(result));

describe("why", () => {
  test("returns the document that the command prints, of a path, a URL or a trace", async () => {
    const document = await printed("why", SPARK, "--no-intervals");
    expect(document).toMatchObject({ schema: "broomwagon/why@4" });
    for (const history of [SPARK, pathToFileURL(SPARK), await openTrace(SPARK)]) {
      expect(asJson(await why(history, { intervals: false }))).toEqual(document);
    }
  });

  test("has the command's options: a job, limits, the length of lists", async () => {
    const flags = ["--set", "lateAbove=1.2", "--set", "peersMin=2", "--top", "2"];
    const found = await why(SPARK, { limits: { lateAbove: 1.2, peersMin: 2 }, top: 2 });
    expect(asJson(found)).toEqual(await printed("why", SPARK, ...flags));
    const { job } = await why(SPARK, { job: found.job.id, intervals: false });
    expect(job).toEqual(found.job);
  });

  test.each([
    [["nope"], "nope: no such file"],
    [[7], "why: expected a run, the path or URL of a history, or what openTrace returned, found 7"],
    [["fixtures/hadoop"], "fixtures/hadoop: expected one history, found 2 in a directory"],
    [["scenarios/chaos"], "scenarios/chaos: expected one history, found "],
    [[SPARK, { job: "x" }], `job x: ${SPARK} has the jobs app-`],
    [[SPARK, { tip: 3 }], "why: tip: unknown; did you mean top? the object of options has job,"],
    [[SPARK, { limits: { lateAbove: 0 } }], "why: limits.lateAbove: expected a number above 0"],
  ])("answers a mistake in the command's words: %#", async (given, message) => {
    await expect(Reflect.apply(why, undefined, given)).rejects.toMatchObject({
      name: "InputError",
      message: expect.stringContaining(message),
      // The call, not a place within the package.
      stack: expect.stringMatching(/^InputError: .*\n {4}at .*library\.test\.ts:/),
    });
  });
});

describe("whatIf", () => {
  test("returns the document that the command prints", async () => {
    const flags = ["--try", "late", "--set", "speculation.speculativeCap=0.3", "--seeds", "2"];
    const document = await printed("whatif", SPARK, ...flags, "--rho", "0.5");
    expect(document).toMatchObject({ schema: "broomwagon/whatif@1" });
    let runs = 0;
    const found = await whatIf(SPARK, {
      ...{ try: "late", set: { "speculation.speculativeCap": 0.3 }, seeds: 2 },
      ...{ rho: 0.5, onRun: () => (runs += 1) },
    });
    expect(asJson(found)).toEqual(document);
    // Five policies; that without copies stands for those that copy nothing here.
    expect(runs).toBeGreaterThanOrEqual(2 * 4);
  });

  test("has the command's options: a second run, another cluster", async () => {
    const flags = ["--again", SPARK, "--nodes", "4", "--seeds", "2", "--try", "none"];
    const again = await openTrace(SPARK);
    const asked = { again, nodes: 4, seeds: 2, try: ["none"] };
    expect(asJson(await whatIf(SPARK, asked))).toEqual(await printed("whatif", SPARK, ...flags));
  });

  test.each([
    [["nope", { try: "lat" }], "discipline lat: no discipline lat; did you mean late"],
    [["nope", { seeds: 1 }], "whatIf: seeds: expected a whole number of 2 or more, found 1"],
    [["nope", { advise: true, slots: 2 }], "whatIf: advise: expected no nodes and slots beside it"],
    [["nope", { try: "late" }], "nope: no such file"],
    [[SPARK, { again: 7 }], "whatIf: expected a run, the path or URL of a history"],
  ])("answers a mistake before it reads a history: %#", async (given, message) => {
    await expect(Reflect.apply(whatIf, undefined, given)).rejects.toThrow(message);
  });
});

describe("simulate", () => {
  test("returns the document that the command prints, of a path, a URL or a scenario", async () => {
    const document = await printed("simulate", SCENARIO);
    expect(document).toMatchObject({ schema: "broomwagon/simulate@1" });
    const content = JSON.parse(readFileSync(SCENARIO, "utf8"));
    for (const scenario of [
      ...[SCENARIO, pathToFileURL(resolve(SCENARIO)), content, parseScenario(content, SCENARIO)],
    ]) {
      expect(asJson(await simulate(scenario))).toEqual(document);
    }
  });

  test("has the command's options: rows, parameters, seeds, other faults", async () => {
    const faults = [{ kind: "slow", at: 0, node: "node-3", factor: 3 }] as const;
    const chaos = join(folder, "chaos.json");
    writeFileSync(chaos, JSON.stringify(faults));
    const flags = ["--discipline", "late", "--set", "speculation.speculativeCap=0.3"];
    const more = ["--chaos", chaos, "--seeds", "2"];
    const runs: string[] = [];
    const document = await simulate(STRAGGLER, {
      ...{ discipline: "late", set: { "speculation.speculativeCap": 0.3 }, faults, seeds: 2 },
      onRun: (done, all) => runs.push(`${done} of ${all}`),
    });
    expect(asJson(document)).toEqual(await printed("simulate", STRAGGLER, ...flags, ...more));
    expect(runs).toEqual(["1 of 2", "2 of 2"]);
  });

  test("takes a discipline that the program has made, and a user's own file", async () => {
    const [named] = (await simulate(STRAGGLER, { discipline: "none,sharing=fair" })).rows;
    const made = { ...parseDiscipline("none,sharing=fair"), name: "mine" };
    const [row] = (await simulate(STRAGGLER, { discipline: made })).rows;
    expect(row).toEqual({ ...named, label: "mine", discipline: "mine" });
    const policies = "examples/your-own-policy.ts";
    const { rows } = await simulate(STRAGGLER, { discipline: "oldest", policies });
    expect(rows.map(({ label, stuck }) => [label, stuck])).toEqual([["oldest", 0]]);
  });

  test("stops when its signal says so", async () => {
    const reason = new Error("enough");
    const before = simulate(STRAGGLER, { signal: AbortSignal.abort(reason) });
    await expect(before).rejects.toBe(reason);
    const controller = new AbortController();
    const onRun = (): void => controller.abort(reason);
    const discipline = parseDiscipline("none");
    const { signal } = controller;
    await expect(simulate(STRAGGLER, { discipline, seeds: 9, signal, onRun })).rejects.toBe(reason);
  });

  test.each([
    [["nope.json"], "nope.json: expected a scenario: no such file or directory"],
    [["README.md"], "README.md: expected JSON: "],
    [[{ name: "x" }], "the scenario: cluster: expected a cluster, found nothing"],
    [[7], "simulate: expected the path of a scenario file, or a scenario, found 7"],
    [[SCENARIO, { disciplin: "late" }], "simulate: disciplin: unknown; did you mean discipline?"],
    [[SCENARIO, { discipline: "lat" }], "discipline lat: no discipline lat; did you mean late"],
    [[SCENARIO, { faults: [{ kind: "kill", at: 0, node: "x" }] }], "simulate: faults[0]"],
  ])("answers a mistake in the command's words: %#", async (given, message) => {
    await expect(Reflect.apply(simulate, undefined, given)).rejects.toThrow(message);
  });
});
