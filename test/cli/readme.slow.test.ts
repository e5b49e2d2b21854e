import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";

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

/** The lines of the README's shell blocks, without npm's, which the tests themselves run. */
function commands(): readonly string[] {
  const blocks = readFileSync(join(ROOT, "README.md"), "utf8").matchAll(/```sh\n([\s\S]*?)```/g);
  const lines = [...blocks].flatMap(([, block = ""]) =>
    block.trim().replaceAll("\\\n", " ").split("\n"),
  );
  return lines.filter((line) => !line.startsWith("npm "));
}

test("every command of the README works when typed in order, and leaves the clone clean", () => {
  expect(commands().length).toBeGreaterThan(6);
  for (const line of commands()) {
    const typed = line.replace("npx broomwagon", `${process.execPath} bin/broomwagon.js`);
    const { status, stderr } = spawnSync("sh", ["-c", typed], { cwd: clone, encoding: "utf8" });
    expect(status, `${line}\n${stderr}`).toBe(0);
  }
  const dirty = git("status", "--porcelain").split("\n");
  expect(dirty.filter((line) => !/^(\?\? (node_modules|dist))?$/.test(line))).toEqual([]);
});
