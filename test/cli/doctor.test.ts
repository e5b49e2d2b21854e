import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { isSupported } from "../../src/cli/doctor.ts";
import { runProgram } from "../../src/cli/program.ts";
import { paperShell } from "./support/screen.ts";

const PROGRAM = fileURLToPath(new URL("../../bin/broomwagon.js", import.meta.url));

const broomwagon = (...args: readonly string[]): string =>
  spawnSync(process.execPath, [PROGRAM, ...args], { encoding: "utf8" }).stdout;

test("doctor lists what the engine, YARN and the page need, and what is missing", async () => {
  const shell = paperShell();
  expect(await runProgram(["doctor"], shell)).toBe(0);
  expect(shell.out.text).toMatch(/^broomwagon \d+\.\d+\.\d+, Node \d+\.\d+\.\d+, \w+ \w+\n/);
  for (const text of [/^run, serve, demo +Node +ok/m, /run --on yarn/, /^reproduce +pub/m]) {
    expect(shell.out.text).toMatch(text);
  }
});

test("doctor -o json is its own document", async () => {
  const shell = paperShell();
  await runProgram(["doctor", "-o", "json"], shell);
  const { schema, versions, checks } = JSON.parse(shell.out.text);
  expect(schema).toBe("broomwagon/doctor@1");
  expect(versions.node).toBe(process.versions.node);
  expect(checks).toContainEqual(
    expect.objectContaining({ part: "engine", what: "WebAssembly", state: "ok" }),
  );
});

test.each([
  ["20.18.1", false],
  ["20.19.0", true],
  ["21.7.0", false],
  ["22.11.0", false],
  ["22.12.0", true],
  ["24.0.0", true],
])("Node %s is supported: %s", (version, is) => expect(isSupported(version)).toBe(is));

test.each(["bash", "zsh", "fish"])("completion prints a script for %s", (shell) => {
  expect(broomwagon("completion", shell)).toContain("broomwagon complete --");
});

test("completion offers commands, flags, choices and disciplines", () => {
  const offered = (...words: readonly string[]): readonly string[] =>
    broomwagon("complete", "--", ...words)
      .split("\n")
      .map((line) => line.split("\t")[0] ?? "");
  expect(offered("sim")).toContain("simulate");
  expect(offered("run", "--on-bad")).toContain("--on-bad-record");
  expect(offered("run", "--on", "")).toEqual(expect.arrayContaining(["engine", "yarn"]));
  expect(offered("run", "--discipline", "la")).toEqual(
    expect.arrayContaining(["late", "late-0.21"]),
  );
  expect(offered("policies", "spark")).toEqual(expect.arrayContaining(["spark-3.5", "spark-4"]));
});

test("--version names the package, Node and the platform", () => {
  expect(broomwagon("--version")).toMatch(/^broomwagon \S+, Node \d\S+, \w+ \w+\n$/);
});
