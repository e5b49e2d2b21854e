import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { shipJob } from "./ship.ts";

const root = mkdtempSync(join(tmpdir(), "broomwagon-ship-"));
afterAll(() => rmSync(root, { recursive: true }));
let projects = 0;

function project(files: Readonly<Record<string, string>>): string {
  const own = join(root, `project-${projects++}`);
  for (const [name, text] of Object.entries(files)) {
    const path = join(own, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  return own;
}

const JOB = `import { count, defineJob } from "broomwagon/job";
export default defineJob({ map: (line) => [[line, 1]], reduce: count() });
`;

/** The content of the archive, unpacked. */
async function shipped(own: string): Promise<readonly string[]> {
  const into = join(own, "into");
  const { archive, program } = await shipJob({ file: join(own, "job.ts"), into });
  expect(program).toEqual({ entry: "0-job.mjs", file: join(own, "job.ts") });
  const to = join(own, "unpacked");
  mkdirSync(to);
  execFileSync("tar", ["-xzf", archive, "-C", to]);
  const files = readdirSync(to, { recursive: true, withFileTypes: true });
  return files
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(to.length + 1))
    .sort();
}

describe("the shipped archive", () => {
  test("has the runner, the user's modules and data, and the packages they import", async () => {
    const deep = `lib/${"long/".repeat(30)}a.js`;
    const own = project({
      "job.ts": `import "./b.ts"; import "@it/is"; ${JOB}`,
      "b.ts": `import data from "./c.json" with { type: "json" }; export { data };`,
      "c.json": "{}",
      "unused.ts": "",
      "node_modules/@it/is/package.json": `{"name":"@it/is","main":"${deep}",
        "dependencies":{"one":"1"},"peerDependencies":{"missing":"1"}}`,
      [`node_modules/@it/is/${deep}`]: `module.exports = require("one");`,
      "node_modules/@it/is/node_modules/two/package.json": `{"name":"two","main":"a.js"}`,
      "node_modules/one/package.json": `{"name":"one","dependencies":{"two":"1"}}`,
      "node_modules/one/index.js": `module.exports = require("two");`,
      "node_modules/two/package.json": `{"name":"two"}`,
      "node_modules/other/package.json": `{"name":"other"}`,
    });
    expect(await shipped(own)).toEqual([
      "0-job.mjs",
      "1-b.mjs",
      "2-c.json",
      `node_modules/@it/is/${deep}`,
      "node_modules/@it/is/package.json",
      "node_modules/broomwagon/job.mjs",
      "node_modules/broomwagon/kernel.wasm",
      "node_modules/broomwagon/package.json",
      "node_modules/one/index.js",
      "node_modules/one/package.json",
      "node_modules/two/package.json",
      "yarn-task.mjs",
    ]);
    const unpacked = join(own, "unpacked");
    const its = readFileSync(join(unpacked, `node_modules/@it/is/${deep}`), "utf8");
    expect(its).toBe(`module.exports = require("one");`);
    expect(readFileSync(join(unpacked, "0-job.mjs"), "utf8")).toContain(`"./1-b.mjs"`);
  });

  test("has our own packages that the inputs need, if they are installed", async () => {
    const own = project({ "job.ts": JOB });
    const needs = ["hyparquet", "hyparquet-compressors", "not-installed"];
    const { archive } = await shipJob({ file: join(own, "job.ts"), into: own, needs });
    const names = execFileSync("tar", ["-tzf", archive], { encoding: "utf8" });
    const packages = /(?<=node_modules\/)[^/]+(?=\/package\.json$)/gm;
    expect(names.match(packages)?.sort()).toEqual([
      ...["broomwagon", "fzstd", "hyparquet", "hyparquet-compressors", "hysnappy"],
    ]);
  });

  test("is the same each time", async () => {
    const own = project({ "job.ts": JOB });
    const file = join(own, "job.ts");
    const [one, two] = await Promise.all(
      ["one", "two"].map((name) => shipJob({ file, into: join(own, name) })),
    );
    expect(readFileSync(one?.archive ?? "")).toEqual(readFileSync(two?.archive ?? ""));
  });
});

describe("an import that cannot be shipped is refused with file and line", () => {
  test("CommonJS imported by its path", async () => {
    const own = project({ "job.ts": `\nimport "./old.cjs"; ${JOB}`, "old.cjs": "" });
    const shipping = shipJob({ file: join(own, "job.ts"), into: join(own, "into") });
    await expect(shipping).rejects.toThrow(
      /job\.ts:2: old\.cjs: expected an ES module or JSON: nothing else is sent/,
    );
  });

  test("a missing entry of this package", async () => {
    const own = project({ "job.ts": `import "broomwagon/core"; ${JOB}` });
    const manifest = `{"name":"broomwagon","exports":{"./core":"./core.js"}}`;
    for (const [name, text] of [
      ["package.json", manifest],
      ["core.js", ""],
    ] as const) {
      const path = join(own, "node_modules/broomwagon", name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
    }
    const shipping = shipJob({ file: join(own, "job.ts"), into: join(own, "into") });
    await expect(shipping).rejects.toThrow(/job\.ts:1: broomwagon\/core: expected broomwagon\/job/);
  });
});
