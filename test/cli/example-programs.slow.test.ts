import { spawnSync } from "node:child_process";
import { cpSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { ProgramFolder } from "../engine/support/program-folder.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const PROGRAMS = join(ROOT, "examples/programs");

/** The examples, in a package that has installed this one. */
const folder = new ProgramFolder();
afterAll(() => folder.remove());
cpSync(join(ROOT, "examples"), join(folder.path, "examples"), { recursive: true });
const LINES = 40;
for (let file = 0; file < 6; file++) {
  folder.write(
    `lines/${file}.txt`,
    `To be, or not to be, ${"!".repeat(file)}\n\n`.repeat(LINES / 2),
  );
}

/** The arguments of each program, and what it prints. */
const EXPECTED: Readonly<Record<string, readonly [args: readonly string[], printed: RegExp]>> = {
  "run.mjs": [["lines"], /^succeeded: 4 words, 120 empty lines\n$/],
  "one-file.mjs": [["lines", "!!!"], /^60 lines match \/!!!\/\n$/],
  "one-file.cjs": [["lines"], /^6 letters, in 2 files\n$/],
  "records.ts": [["lines"], /^T ##\nb ##\nn ###\no ##\nt ##\n$/],
  "progress.ts": [
    ["lines"],
    /^1 of 8 tasks\n(\d of 8 tasks\n){6}8 of 8 tasks\nsucceeded with 0 failed/,
  ],
  "cancel.mjs": [["lines"], /^job cancel was stopped: TimeoutError\noutcome: killed\n$/],
  "fault.mjs": [["lines"], /^n2 is lost\n240 lines\n$/],
  "flow.ts": [
    [join(ROOT, "LICENSE")],
    /^\d+ x license\n(\d+ x \w{5,}\n){2}lines, counts, .*, top\n$/,
  ],
  "slow-job.mjs": [
    [join(ROOT, "fixtures/pairs/spark/off.ndjson.zst")],
    / took [\d.]+ s; (.*\n)+\d+ % of \d+ ms were lost\nSet spark\.speculation=true, /,
  ],
  "own-policy.mjs": [
    [join(ROOT, "scenarios/one-straggler.json")],
    /^none 9\d\d\.\d s\nlate [34]\d\d\.\d s\noldest [34]\d\d\.\d s\n$/,
  ],
};

const programs = readdirSync(PROGRAMS).filter((name) => !name.endsWith(".md"));
const isTypeScript = (name: string): boolean => name.endsWith(".ts");

test("each program is short, is listed and has an expected output", () => {
  expect(programs.toSorted()).toEqual(Object.keys(EXPECTED).toSorted());
  const readme = readFileSync(join(PROGRAMS, "README.md"), "utf8");
  expect(programs.filter((name) => !readme.includes(`[${name}](${name})`))).toEqual([]);
  const long = programs.filter(
    (name) => readFileSync(join(PROGRAMS, name), "utf8").trimEnd().split("\n").length > 30,
  );
  expect(long).toEqual([]);
});

/** The programs on a page; those without an import take the functions for granted. */
function codeOf(page: string): readonly string[] {
  const text = readFileSync(join(ROOT, page), "utf8");
  const imports = 'import { run, simulate } from "broomwagon";\n';
  return [...text.matchAll(/```ts\n([^`]*(?:`[^`]+`[^`]*)*?)```/g)].map(([, code = ""]) =>
    code.startsWith("import") ? code : imports + code,
  );
}

/** Runs the program by the engine, and compares what it prints. */
function check(name: string, file: string, engine = process.execPath): void {
  const [args, printed] = EXPECTED[name] ?? [[], /none/];
  const { code, out, err } = folder.run([file, ...args], engine);
  expect([code, err]).toEqual([0, ""]);
  expect(out).toMatch(printed);
}

test.each(programs.filter((name) => !isTypeScript(name)))("%s", (name) => {
  check(name, `examples/programs/${name}`);
});

describe("in TypeScript, with strict and exact types", () => {
  const typed = programs.filter(isTypeScript);

  test("the programs and those of docs/library.md compile, and the types are sound", () => {
    const compilerOptions = {
      ...{ strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true },
      ...{ skipLibCheck: false, module: "nodenext", target: "es2023", outDir: "compiled" },
      ...{ rootDir: ".", types: ["node"], typeRoots: [join(ROOT, "node_modules/@types")] },
    };
    const documented = codeOf("docs/library.md").map((code, n) => {
      folder.write(`documented/${n}.ts`, code);
      return `documented/${n}.ts`;
    });
    expect(documented.length).toBeGreaterThan(5);
    const include = [...typed.map((name) => `examples/programs/${name}`), ...documented];
    folder.write("tsconfig.json", JSON.stringify({ compilerOptions, include }));
    const compiler = join(ROOT, "node_modules/typescript/bin/tsc");
    expect(folder.run([compiler, "--project", "."])).toEqual({ code: 0, out: "", err: "" });
    // The job file beside the programs is loaded as it is.
    cpSync(
      join(ROOT, "examples/word-count.ts"),
      join(folder.path, "compiled/examples/word-count.ts"),
    );
  });

  test.each(typed)("%s", (name) => {
    check(name, `compiled/examples/programs/${name.replace(".ts", ".js")}`);
  });

  // Node 20 runs no TypeScript.
  test.skipIf(!Reflect.get(process.features, "typescript"))("Node runs them as they are", () => {
    for (const name of typed) check(name, `examples/programs/${name}`);
  });
});

const bun = spawnSync("bun", ["--version"], { encoding: "utf8" });

describe.skipIf(bun.status !== 0)("bun, if it is installed", () => {
  test.each(["one-file.mjs", "one-file.cjs", "records.ts"])("%s", (name) => {
    check(name, `examples/programs/${name}`, "bun");
  });
});
