import { execFileSync, spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { count, defineJob } from "../../job/index.ts";
import type { Program } from "../../job/program.ts";
import { importProgram, prepareJobFile, resolveParams } from "../index.ts";
import { shipJobFile } from "./loader.ts";

const root = mkdtempSync(join(tmpdir(), "broomwagon-loader-"));
afterAll(() => rmSync(root, { recursive: true }));

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const DIST = new URL("../../../dist/data/load/loader.js", import.meta.url).href;

let projects = 0;
/** A directory that belongs to no package. */
function project(files: Readonly<Record<string, string>>): string {
  const path = join(root, `project-${projects++}`);
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(path, name)), { recursive: true });
    writeFileSync(join(path, name), content);
  }
  return path;
}

/** Vitest leaves modules in node_modules to Node's own import, which this test is about. */
const INTO = "node_modules/.run";

/**
 * What a plain Node prints that imports the prepared job and maps a line; Vitest rewrites the
 * stacks of its own process.
 */
async function printed(path: string, name = "job.ts"): Promise<string> {
  const prepared = await prepareJobFile({ file: join(path, name), into: join(path, INTO) });
  const loader = new URL("../../../dist/data/load/import-program.js", import.meta.url);
  const script = `
    const { importProgram } = await import(${JSON.stringify(loader.href)});
    try {
      const job = await importProgram(${JSON.stringify(prepared)});
      console.log([...job.phases[0].steps[0].flatMap("a line", {})]);
    } catch (error) {
      console.log(error.stack);
    }`;
  return execFileSync(process.execPath, ["--input-type=module", "--eval", script], {
    encoding: "utf8",
  });
}

async function load(path: string, name = "job.ts"): Promise<Program> {
  return importProgram(await prepareJobFile({ file: join(path, name), into: join(path, INTO) }));
}

/** What the message says after the project's path. */
async function mistake(files: Readonly<Record<string, string>>, name = "job.ts"): Promise<string> {
  const path = project(files);
  const error: unknown = await load(path, name).catch((thrown) => thrown);
  expect(error).toMatchObject({ name: "InputError", code: "bad-job" });
  return error instanceof Error ? error.message.replace(`${path}/`, "") : "";
}

/** The first pair that the job's map yields for a line. */
function firstPair({ phases, params }: Program, line: string): unknown {
  const ctx = { params, task: 0, attempt: 0, file: "", count() {}, emit() {} };
  const [step] = phases[0]?.steps ?? [];
  if (step?.kind !== "flat-map") return undefined;
  for (const pair of step.flatMap(line, ctx) ?? []) return pair;
  return undefined;
}

const job = (body: string, more = ""): string =>
  `import { defineJob, count } from "broomwagon/job";\n${more}
export default defineJob({ map(line: string): [unknown, number][] {\n${body}\n},
reduce: count() });\n`;

describe("a job file", () => {
  test("in TypeScript, in no package, imports broomwagon/job and files beside it", async () => {
    const path = project({
      "job.ts": job("return [[clean(line), 1]];", 'import { clean } from "./lib/clean.ts";'),
      "lib/clean.ts":
        'import { trim } from "./trim.js"; export const clean = (s: string): string => trim(s);',
      "lib/trim.ts":
        'import type { A } from "../types.ts"; export const trim = (s: A) => s.trim();',
      "types.ts": "export type A = string;",
    });
    expect(firstPair(await load(path), " a ")).toEqual(["a", 1]);
  });

  test("may be plain JavaScript, import in a circle, and import when it runs", async () => {
    const path = project({
      "job.mjs": `import { defineJob } from "broomwagon/job"; import { one } from "./a.js";
        const { two } = await import("./b.mjs");
        export const three = 3;
        export default defineJob({ map: () => [[one() + two, 1]] });`,
      "a.js": 'import { three } from "./job.mjs"; export const one = () => three - 2;',
      "b.mjs": "export const two = 2;",
    });
    expect(firstPair(await load(path, "job.mjs"), "")).toEqual([3, 1]);
  });

  test("finds packages from its own place, by their exports for import", async () => {
    const manifest = {
      name: "p",
      exports: { ".": { require: "./no.cjs", import: "./yes.mjs" }, "./x/*": "./x/*.mjs" },
    };
    const path = project({
      "sub/job.ts": job(
        "return [[a + b + c, 1]];",
        'import { a } from "p"; import { b } from "p/x/b"; import c from "@s/q";',
      ),
      "node_modules/p/package.json": JSON.stringify(manifest),
      "node_modules/p/yes.mjs": 'export const a = "a";',
      "node_modules/p/x/b.mjs": 'export const b = "b";',
      "node_modules/@s/q/package.json": '{ "name": "@s/q", "main": "lib" }',
      "node_modules/@s/q/lib.js": 'module.exports = "c";',
    });
    expect(firstPair(await load(path, "sub/job.ts"), "")).toEqual(["abc", 1]);
  });

  test("knows its own place, and reads files beside it", async () => {
    const path = project({
      "job.ts": job(
        "return [[[import.meta.url, import.meta.dirname, word, data.a], 1]];",
        `import { readFileSync } from "node:fs";
         import data from "./data.json" with { type: "json" };
         const word = readFileSync(new URL("word.txt", import.meta.url), "utf8");`,
      ),
      "word.txt": "hello",
      "data.json": '{ "a": 1 }',
    });
    expect(firstPair(await load(path), "")).toEqual([
      [`file://${path}/job.ts`, path, "hello", 1],
      1,
    ]);
  });

  test("that throws shows the line that its author wrote", async () => {
    const path = project({
      "job.ts": job("  const wide: string = line;\n  throw new Error(wide);"),
    });
    const stack = await printed(path);
    expect(stack).toMatch(/^Error: a line\n/);
    expect(stack).toContain(`${path}/job.ts:5:`);
    expect(stack).not.toContain(INTO);
  });

  test("may have a path with blanks and quotes", async () => {
    const path = project({
      'it\'s a "place"/job.ts': job("throw new Error(one);", "import { one } from './one.ts';"),
      'it\'s a "place"/one.ts': "export const one = String(1);",
    });
    const place = join(path, 'it\'s a "place"');
    const url = pathToFileURL(join(place, "job.ts")).href.replaceAll("'", "%27");
    expect(await printed(place)).toContain(`${url}:4:`);
  });

  test("may be CommonJS, by its name or its package, and is loaded where it is", async () => {
    const text = `const { one } = require("./one.js");
const { defineJob } = require("broomwagon/job");
module.exports = defineJob({ map: (line) => [[line + one, __filename]] });
`;
    const path = project({ "job.cjs": text, "sub/job.js": text });
    for (const name of ["job.cjs", "sub/job.js"]) {
      writeFileSync(join(path, dirname(name), "one.js"), "exports.one = 1;");
    }
    mkdirSync(join(path, "node_modules"));
    symlinkSync(ROOT, join(path, "node_modules/broomwagon"));
    for (const name of ["job.cjs", "sub/job.js"]) {
      const file = join(path, name);
      expect(firstPair(await load(path, name), "a")).toEqual(["a1", file]);
      const prepared = await prepareJobFile({ file, into: join(path, INTO) });
      const bytes = Buffer.byteLength(text);
      expect(prepared).toMatchObject({ entry: file, inPlace: { path: file, bytes } });
      await expect(shipJobFile({ file, into: join(path, INTO) })).rejects.toThrow(
        "expected an ES module or JSON: nothing else is sent to other machines",
      );
    }
  });

  test("may import the whole package, which is the running one", async () => {
    const path = project({ "job.ts": job("return [[line, 1]];").replace("/job", "") });
    expect(firstPair(await load(path), "a")).toEqual(["a", 1]);
  });

  test("is written once, with all it needs", async () => {
    const path = project({
      "job.ts": job("return [[one, 1]];", 'import { one } from "./one.ts";'),
      "one.ts": "export const one = 1;",
    });
    const prepared = await prepareJobFile({ file: join(path, "job.ts"), into: join(path, "into") });
    expect(readdirSync(join(path, "into"))).toEqual(["0-job.mjs", "1-one.mjs"]);
    expect(prepared).toEqual({
      entry: join(path, "into", "0-job.mjs"),
      file: join(path, "job.ts"),
    });
  });
});

test("a Node without WebAssembly is refused before anything is written", async () => {
  const path = project({ "job.ts": job("return [[1, 1]];") });
  const into = join(path, "into");
  const script = `
    const { prepareJobFile } = await import(${JSON.stringify(DIST)});
    await prepareJobFile(${JSON.stringify({ file: join(path, "job.ts"), into })}).catch((error) => {
      console.log(error.code, error.message);
    });`;
  const flags = ["--jitless", "--input-type=module", "--eval", script];
  const { stdout } = spawnSync(process.execPath, flags, { encoding: "utf8" });
  expect(stdout).toMatch(/^missing-capability node v.* expected WebAssembly with SIMD: /);
  expect(existsSync(into)).toBe(false);
});

describe("a mistake in a job file is reported with its file and line", () => {
  test("syntax", async () => {
    expect(await mistake({ "job.ts": "const a = 1;\nconst b = ;\n" })).toBe(
      "job.ts:2: Expression expected",
    );
    expect(await mistake({ "job.js": "const a = 1;\nconst b = ;\n" }, "job.js")).toMatch(
      /^job\.js:2: /,
    );
    const files = { "job.ts": 'import "./b.ts";', "b.ts": "\n\nlet x: = 1" };
    expect(await mistake(files)).toMatch(/^b\.ts:3: Unexpected token/);
  });

  test("TypeScript that is more than types", async () => {
    const found = await mistake({ "job.ts": "type A = 1;\nenum B { C }\n" });
    expect(found).toBe("job.ts:2: TypeScript enum is not supported in strip-only mode");
  });

  test("an import of a missing file", async () => {
    expect(await mistake({ "job.ts": '\nimport a from "./a.ts";' })).toBe(
      'job.ts:2: cannot find "./a.ts"',
    );
    expect(await mistake({ "job.ts": '\nimport a from "nowhere";' })).toBe(
      'job.ts:2: cannot find "nowhere": npm install nowhere beside the job file',
    );
    const files = { "job.ts": '\nimport { no } from "./b.ts";', "b.ts": "export const yes = 1;" };
    expect(await mistake(files)).toMatch(
      /^job\.ts(:2)?: SyntaxError: .* does not provide an export named 'no'/,
    );
  });

  test("no default export, or one that is no job", async () => {
    expect(await mistake({ "job.ts": "export const a = 1;" })).toBe(
      "job.ts: expected `export default defineJob({ ... })`",
    );
    expect(await mistake({ "job.ts": "export default { map() {} };" })).toBe(
      "job.ts: expected its default export to come from defineJob or defineFlow",
    );
  });

  test("a job that defineJob refuses", async () => {
    const source = `import { defineJob } from "broomwagon/job";\n
export default defineJob({ map: () => [], reduces: 0 });`;
    const path = project({ "job.ts": source });
    expect(await printed(path)).toContain(
      `InputError: ${path}/job.ts:3: defineJob: reduces: expected a whole number from 1, found 0`,
    );
  });

  test("no such file", async () => {
    await expect(load(root, "none.ts")).rejects.toMatchObject({ code: "missing-file" });
    await expect(load(root, ".")).rejects.toMatchObject({ code: "missing-file" });
  });
});

describe("parameters", () => {
  const params = { text: "a", number: 1, flag: false };
  const declared = defineJob({ params, map: () => [], reduce: count() });

  test("are read by the types of their defaults", () => {
    const given = { text: "7", number: "2.5", flag: "true" };
    expect(resolveParams(declared, given)).toEqual({ text: "7", number: 2.5, flag: true });
    expect(resolveParams(declared, {})).toEqual(params);
  });

  test("that are unknown or cannot be read are refused", () => {
    expect(() => resolveParams(declared, { txt: "a" })).toThrow(
      "expected one of: text, number, flag",
    );
    expect(() => resolveParams(declared, { number: "x" })).toThrow('expected a number, found "x"');
    expect(() => resolveParams(declared, { flag: "yes" })).toThrow(
      'expected a boolean, found "yes"',
    );
    expect(() => resolveParams(declared, { toString: "a" })).toThrow("parameter toString");
  });
});

test("the examples load", async () => {
  const examples = fileURLToPath(new URL("../../../examples", import.meta.url));
  expect(existsSync(examples)).toBe(true);
  for (const name of ["word-count", "grep", "sort", "visits", "pagerank"]) {
    const into = join(root, INTO, name);
    const loaded = await importProgram(
      await prepareJobFile({ file: join(examples, `${name}.ts`), into }),
    );
    expect(loaded.name).toBe(name);
  }
});
