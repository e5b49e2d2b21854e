import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { packed } from "../support/packed.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
/** The oldest compiler that understands the package's types. */
const OLDEST_TYPESCRIPT = "5.7.3";
/** This compiler is ten times as fast. */
const OUR_COMPILER = join(ROOT, "node_modules/typescript/bin/tsc");

/** The package as it is published, installed into an empty project. */
describe("the package", () => {
  const made = packed();
  const project = mkdtempSync(join(tmpdir(), "broomwagon-package-"));
  const write = (name: string, text: string): void => writeFileSync(join(project, name), text);
  /** Returns the program's output; fails with the output if the program fails. */
  const runNode = (...args: readonly string[]): string => {
    const ran = spawnSync(process.execPath, args, { cwd: project, encoding: "utf8" });
    expect(ran.status, `${args.join(" ")}\n${ran.stdout}${ran.stderr}`).toBe(0);
    return ran.stdout;
  };
  const broomwagon = (...args: readonly string[]): string =>
    runNode("node_modules/broomwagon/bin/broomwagon.js", ...args);

  beforeAll(() => {
    write("package.json", '{ "name": "empty", "private": true, "type": "module" }');
    const quick = ["--prefer-offline", "--no-audit", "--no-fund"];
    const install = (...args: readonly string[]): void => {
      execFileSync("npm", ["install", ...quick, ...args], { cwd: project, stdio: "pipe" });
    };
    install(made().tarball);
    install("--save-dev", `typescript@${OLDEST_TYPESCRIPT}`, "@types/node@20");
    mkdirSync(join(project, "in"));
    write("in/text.txt", "to be or not to be\n".repeat(1_000));
  });

  afterAll(() => rmSync(project, { recursive: true }));

  test("brings one other package along", () => {
    const listed = execFileSync("npm", ["ls", "--all", "--parseable", "--omit", "dev"], {
      ...{ cwd: project, encoding: "utf8" },
    });
    const names = listed
      .trim()
      .split("\n")
      .map((path) => path.split("node_modules/")[1]);
    expect(names.slice(1).sort()).toEqual(["broomwagon", "fzstd"]);
  });

  test("has everything that its documents and its output point to", () => {
    const paths = new Set(made().paths);
    const shown = broomwagon("policies", "-o", "json") + broomwagon("policies");
    const pages = [...shown.matchAll(/docs\/[\w./-]+\.md/g)].map(([page]) => page);
    expect(pages.length).toBeGreaterThan(5);
    expect(pages.filter((page) => !paths.has(page))).toEqual([]);
  });

  test("runs a job, from the command line and from a program", () => {
    write("count.ts", JOB);
    broomwagon("run", "count.ts", "--input", "in", "--output", "out", "--quiet");
    expect(readFileSync(join(project, "out/part-00000"), "utf8")).toContain("be\t2000\n");
    write("program.ts", PROGRAM);
    write("program.mjs", PROGRAM.replace(", type Discipline", "").replace(": Discipline", ""));
    expect(runNode("program.mjs")).toBe("succeeded succeeded\n");
  });

  test("diagnoses a history from a program", () => {
    write(
      "two-workers.ndjson",
      readFileSync(join(ROOT, "fixtures/spark/two-workers.ndjson"), "utf8"),
    );
    write("diagnosis.ts", DIAGNOSIS);
    const options = ["--module", "nodenext", "--target", "es2023", "--types", "node", "--strict"];
    runNode(OUR_COMPILER, "diagnosis.ts", ...options, "--outDir", "compiled");
    expect(runNode("compiled/diagnosis.js")).toBe("why slow spark-4 good\n");
  });

  test("runs and tests a user's policy", () => {
    const example = "node_modules/broomwagon/examples/your-own-policy.ts";
    write("oldest.ts", readFileSync(join(project, example), "utf8"));
    const scenario = "node_modules/broomwagon/scenarios/late-5.4.json";
    const flags = ["--policies", "oldest.ts", "--discipline", "oldest", "--seeds", "1"];
    expect(broomwagon("simulate", scenario, ...flags)).toMatch(/^oldest +\d/m);
    write("conforms.ts", CONFORMS);
    const options = ["--module", "nodenext", "--target", "es2023", "--types", "node"];
    runNode(OUR_COMPILER, "conforms.ts", "oldest.ts", ...options, "--outDir", "compiled");
    expect(runNode("compiled/conforms.js")).toBe("[]\n");
  });

  test.each([
    ["the oldest supported TypeScript", "node_modules/typescript/bin/tsc"],
    ["our TypeScript", OUR_COMPILER],
  ])("has sound types for %s", (_, compiler) => {
    write("count.ts", JOB);
    write("program.ts", PROGRAM);
    write("diagnosis.ts", DIAGNOSIS);
    for (const [module, moduleResolution] of [
      ["nodenext", "nodenext"],
      ["esnext", "bundler"],
    ]) {
      const compilerOptions = {
        ...{ strict: true, skipLibCheck: false, noEmit: true, target: "es2023" },
        ...{ module, moduleResolution, types: ["node"] },
      };
      write("tsconfig.json", JSON.stringify({ compilerOptions, include: ["*.ts"] }));
      expect(runNode(compiler)).toBe("");
    }
  });
});

const DIAGNOSIS = `
import { CAUSES, diagnose, type Diagnosis } from "broomwagon/diagnose";
import { SIGNALS, type Trace } from "broomwagon/trace";
import { openTrace } from "broomwagon/trace/open";
import { tryPolicies, type WhatIf } from "broomwagon/whatif";

const trace: Trace = await openTrace("two-workers.ndjson");
const job = trace.jobs[0]!;
const found: Diagnosis = diagnose(trace, job, { intervals: false });
if (found.kind !== "why" || CAUSES.length * SIGNALS.length === 0) throw new Error(found.kind);
const tried: WhatIf = tryPolicies(job, { policies: ["spark-4"], seeds: 4, rho: 0 });
console.log(found.kind, found.why.nodes[0]?.verdict, tried.rows[0]?.policy, tried.gate.verdict);
`;

/** The example's own policy, under the tests that every policy must pass. */
const CONFORMS = `
import { checkConformance } from "broomwagon/testing";
import mine from "./oldest.js";

console.log(checkConformance(mine, { sets: ["speculation.ranMsMin=1000"] }));
`;

const JOB = `
import { defineJob, sum } from "broomwagon/job";

export default defineJob({
  *map(line: string) {
    for (const word of line.split(" ")) yield [word, 1];
  },
  reduce: sum(),
});
`;

/** Every entry of the package, a scenario, and a user's policy on the engine. */
const PROGRAM = `
import { RunError, run } from "broomwagon";
import { createScheduler, SETUP_DEFAULTS } from "broomwagon/core";
import { RUN_DEFAULTS } from "broomwagon/engine";
import { count, defineJob } from "broomwagon/job";
import { parseJournal } from "broomwagon/journal";
import { parseDiscipline, REGISTRY, type Discipline } from "broomwagon/policies";
import { parseScenario, simulateOnce } from "broomwagon/sim";
import { readFileSync } from "node:fs";

export const used = [createScheduler, SETUP_DEFAULTS, RUN_DEFAULTS, count, defineJob, parseJournal];
const discipline: Discipline = parseDiscipline("late", [], REGISTRY);
const result = await run("count.ts", { input: "in", output: "out2", discipline });
if (result.outcome !== "succeeded") throw new RunError("no", result);
const file = "node_modules/broomwagon/scenarios/late-5.4.3.json";
const scenario = parseScenario(JSON.parse(readFileSync(file, "utf8")), file);
const simulated = simulateOnce(scenario, { seed: 1, discipline });
console.log(result.outcome, simulated.jobs[0]?.outcome);
`;
