import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";

/** Long enough for threads to be started. */
const SCENARIO = "scenarios/late-5.4.json";
const SEEDS = "25";

const folder = mkdtempSync(join(tmpdir(), "broomwagon-simulate-"));
afterAll(() => rmSync(folder, { recursive: true }));

function broomwagon(...args: readonly string[]) {
  const command = ["bin/broomwagon.js", "simulate", SCENARIO, "--seeds", SEEDS, ...args];
  return spawnSync(process.execPath, command, { encoding: "utf8" });
}

test("a study on several threads gives the bytes that it gives on one", () => {
  const [alone, ...together] = ["1", "2", "5"].map((workers) =>
    broomwagon("--workers", workers, "-o", "json"),
  );
  expect(alone).toMatchObject({ status: 0, stderr: "" });
  for (const { status, stdout } of together) {
    expect(status).toBe(0);
    expect(stdout).toBe(alone?.stdout);
  }
});

test("a run that fails on a thread fails the command, which says which run it was", () => {
  const file = join(folder, "careless.mjs");
  const policy = `{
    name: "careless", source: "a test", params: {}, needs: [], remember: () => null,
    onIdleSlot: () => {
      if (!isMainThread) throw new Error("careless at last");
      return [];
    },
  }`;
  const imports = 'import { isMainThread } from "node:worker_threads";';
  writeFileSync(file, `${imports}\nexport default { speculation: [${policy}] };`);
  const flags = ["--policies", file, "--discipline", "speculation=careless"];
  const { status, stdout, stderr } = broomwagon("--workers", "2", ...flags);
  expect([status, stdout]).toEqual([1, ""]);
  expect(stderr).toMatch(/bug: speculation=careless, seed \d+: Error: careless at last/);
});
