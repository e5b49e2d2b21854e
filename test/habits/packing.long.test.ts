import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join, relative } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { WAITING } from "../../tools/pack/publish.ts";
import { copyToPack } from "../support/packed.ts";

/** npm packs a copy of the repository, which is `built`. */
describe("npm pack leaves each file as it was, byte for byte,", () => {
  let copy: string;
  let before: ReadonlyMap<string, string>;
  beforeEach(() => {
    copy = copyToPack();
    before = textsIn(copy);
  });
  afterEach(() => rmSync(copy, { recursive: true }));

  test("after it has packed pages and a manifest that differ from ours", () => {
    const { status, stderr } = spawnSync("npm", ["pack"], { cwd: copy, encoding: "utf8" });
    expect(status, stderr).toBe(0);
    const tarball = "broomwagon-0.1.0.tgz";
    const tar = ["--extract", "--to-stdout", "--file", tarball, "package/package.json"];
    const { stdout } = spawnSync("tar", tar, { cwd: copy, encoding: "utf8" });
    expect(JSON.parse(stdout)).not.toHaveProperty("scripts");
    expect(textsIn(copy)).toEqual(before);
  });

  test("after it has failed between its two scripts", async () => {
    const args = ["pack", "--pack-destination", "no/such/folder"];
    const { status } = spawnSync("npm", args, { cwd: copy });
    expect(status).not.toBe(0);
    await restored();
  });

  test("after it was killed between its two scripts", async () => {
    const npm = spawn("npm", ["pack"], { cwd: copy, stdio: "ignore", detached: true });
    while (!existsSync(join(copy, WAITING, "docs/README.md"))) await sleep(1);
    if (npm.pid !== undefined) process.kill(-npm.pid, "SIGKILL");
    await once(npm, "exit");
    await restored();
  });

  /** The test's own time limit ends the wait. */
  async function restored(): Promise<void> {
    while (existsSync(join(copy, WAITING))) await sleep(10);
    expect(textsIn(copy)).toEqual(before);
  }
});

/** The paths below the directory with their contents, without what packing and npm build. */
function textsIn(directory: string): ReadonlyMap<string, string> {
  const paths = readdirSync(directory, { recursive: true, encoding: "utf8", withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(directory, join(parentPath, name)))
    .filter((path) => !/^(\.build|node_modules)\/|\.tgz$/.test(path));
  return new Map(paths.map((path) => [path, readFileSync(join(directory, path), "latin1")]));
}
