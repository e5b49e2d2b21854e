import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { runProgram } from "../../src/cli/program.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { paperShell } from "./support/screen.ts";

const folder = mkdtempSync(join(tmpdir(), "broomwagon-own-"));
const temporary = temporaryDirectory();
afterAll(() => rmSync(folder, { recursive: true }));

const there = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const OLDEST = there("examples/your-own-policy.ts");
const SCENARIO = there("scenarios/late-5.4.json");
const own = ["--policies", OLDEST];

async function broomwagon(...args: readonly string[]) {
  const shell = paperShell();
  const code = await runProgram(args, shell);
  return { code, out: shell.out.text, err: shell.err.text };
}

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

describe("a file of policies", () => {
  const journal = join(folder, "journal.ndjson");

  test("runs in the simulator, against others, and has its file in the journal", async () => {
    const oldest = ["--discipline", "oldest", ...own, "--seeds", "1", "--journal", journal];
    const { code, out } = await broomwagon("simulate", SCENARIO, ...oldest);
    expect(out).toMatch(/^oldest +\d/m);
    expect(code).toBe(0);
    const [first = ""] = readFileSync(journal, "utf8").split("\n");
    expect(JSON.parse(first).discipline).toMatchObject({ name: "oldest", files: [OLDEST] });
  });

  test("replays with the file; without it the message names the file", async () => {
    const { code, out } = await broomwagon("replay", journal, ...own);
    expect(out).toMatch(/: \d+ steps replayed, every line the same to the byte/);
    expect(out).toMatch(/speculative +sleep\/map\/0#1/);
    expect(code).toBe(0);
    const without = await broomwagon("replay", journal);
    expect(without.err).toBe(
      `error: ${journal}:1: discipline.speculation: no speculation policy oldest, ` +
        `which the run took from a file: give --policies ${OLDEST}\n`,
    );
    expect(without.code).toBe(3);
  });

  test("is listed with its parameters", async () => {
    const { out } = await broomwagon("policies", "oldest", ...own);
    expect(out).toMatch(/ranMsMin +10000 +time that a task must have run/);
    const json = JSON.parse((await broomwagon("policies", "-o", "json", ...own)).out);
    expect(JSON.stringify(json)).toContain('"name":"oldest"');
  });

  test("may be JavaScript, and import modules beside it", async () => {
    mkdirSync(join(folder, "lib"));
    file("lib/rule.ts", "export const name: string = 'never';");
    const path = file(
      "never.mjs",
      `import { definePolicies } from "broomwagon/policies";
       import { name } from "./lib/rule.js";
       const never = { name, source: "test", params: {}, needs: [], remember: () => null };
       export default definePolicies({ speculation: [never] });`,
    );
    const flags = ["--policies", path, "--discipline", "speculation=never", "--seeds", "1"];
    const { code, out } = await broomwagon("simulate", SCENARIO, ...flags, ...own);
    expect(out).toMatch(/^speculation=never +\d/m);
    expect(code).toBe(0);
  });

  test("leaves nothing in the temporary directory", () => {
    expect(readdirSync(temporary)).toEqual([]);
  });
});

describe("a mistake in a file of policies is one line, with the file", () => {
  test.each([
    ["empty.ts", "export const a = 1;", ": expected `export default definePolicies("],
    ["syntax.ts", "const a = 1;\nconst b = ;\n", ":2: Expression expected"],
    ["thrown.ts", "throw new Error('no luck');\nexport default {};", ": no luck"],
    ["import.ts", '\nimport "nowhere";', ':2: cannot find "nowhere": npm install nowhere beside'],
    ["name.ts", "export default { speculation: [{ name: '' }] };", ": speculation[0].name: "],
  ])("%s", async (name, text, message) => {
    const path = file(name, text);
    const { code, err } = await broomwagon("policies", "--policies", path);
    expect(err).toMatch(/^error: .*\n$/);
    expect(err).toContain(`${path}${message}`);
    expect(code).toBe(3);
  });

  test("a missing file", async () => {
    const { code, err } = await broomwagon("policies", "--policies", join(folder, "no.ts"));
    expect(err).toBe(`error: ${join(folder, "no.ts")}: no such policies file\n`);
    expect(code).toBe(3);
  });

  test("the same file twice", async () => {
    const { err } = await broomwagon("policies", ...own, ...own);
    expect(err).toMatch(/speculation\[0\]\.name: oldest is taken/);
  });
});
