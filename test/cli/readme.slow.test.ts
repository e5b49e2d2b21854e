import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { commandsIn, figuresIn, isPrinted, sectionsOf } from "./support/readme.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const clone = mkdtempSync(join(tmpdir(), "broomwagon-clone-"));
const git = (...args: readonly string[]): string =>
  execFileSync("git", [...args], { cwd: clone, encoding: "utf8" });

/** The repository's files, committed, with build results and installed packages beside them. */
beforeAll(() => {
  const listed = ["ls-files", "--cached", "--others", "--exclude-standard"];
  const files = execFileSync("git", listed, { cwd: ROOT, encoding: "utf8" }).split("\n");
  for (const file of files) {
    if (file !== "" && existsSync(join(ROOT, file))) cpSync(join(ROOT, file), join(clone, file));
  }
  for (const made of ["node_modules", "dist"]) {
    symlinkSync(join(ROOT, made), join(clone, made));
  }
  git("init", "--quiet");
  // Links are not directories, so the patterns of .gitignore do not match them.
  git("add", "--all", ".", ":!node_modules", ":!dist");
  git("-c", "user.name=t", "-c", "user.email=t@t", "commit", "--quiet", "--message", "all");
}, 60_000);
afterAll(() => rmSync(clone, { recursive: true }));

/** Types a command in the clone; its output with each run of white space as one blank. */
function typed(line: string): string {
  const command = line.replaceAll("npx broomwagon", `${process.execPath} bin/broomwagon.js`);
  const { status, stdout, stderr } = spawnSync("sh", ["-c", command], {
    cwd: clone,
    encoding: "utf8",
  });
  expect(status, `${line}\n${stderr}`).toBe(0);
  return `${stdout} ${stderr}`.replaceAll(/\s+/g, " ");
}

/** Whether the commands left no file behind that git would add. */
const isClean = (): boolean =>
  git("status", "--porcelain")
    .split("\n")
    .every((line) => /^(\?\? (node_modules|dist))?$/.test(line));

const PAGES = ["README.md", "docs/tutorial.md"];

test.each(PAGES)("%s: its commands work in order, print its figures, leave no files", (page) => {
  const sections = sectionsOf(readFileSync(join(ROOT, page), "utf8"));
  expect(sections.flatMap(commandsIn).length).toBeGreaterThan(6);
  for (const section of sections) {
    const printed = commandsIn(section).map(typed).join(" ");
    const missing = figuresIn(section).filter((number) => !isPrinted(number, printed));
    expect(missing, `not printed by a command of its section:\n${section}`).toEqual([]);
  }
  expect(isClean()).toBe(true);
});
