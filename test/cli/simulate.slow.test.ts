import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test, vi } from "vitest";

/** Long enough to start threads. */
const SCENARIO = "scenarios/late-5.4.json";
const SEEDS = "25";

/** A run of some seconds. */
const LONG = "scenarios/sort-stragglers.json";

const folder = mkdtempSync(join(tmpdir(), "broomwagon-simulate-"));
afterAll(() => rmSync(folder, { recursive: true }));

function broomwagon(...args: readonly string[]) {
  const command = ["bin/broomwagon.js", "simulate", SCENARIO, "--seeds", SEEDS, ...args];
  return spawnSync(process.execPath, command, { encoding: "utf8" });
}

test("a study on several threads gives the same bytes as on one", () => {
  const [alone, ...together] = ["1", "2", "5"].map((workers) =>
    broomwagon("--workers", workers, "-o", "json"),
  );
  expect(alone?.status).toBe(0);
  for (const { status, stdout } of together) {
    expect(status).toBe(0);
    expect(stdout).toBe(alone?.stdout);
  }
});

test("a run that fails on a thread fails the command, which names the run", () => {
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

test("a stopped run leaves an earlier journal as it was", async () => {
  const journal = join(folder, "earlier.ndjson");
  writeFileSync(journal, "earlier\n");
  const args = ["bin/broomwagon.js", "simulate", LONG, "--journal", journal];
  const child = spawn(process.execPath, args, { stdio: "ignore" });
  const ended = new Promise((end) => child.on("close", (_, signal) => end(signal)));
  await vi.waitUntil(() => existsSync(`${journal}.part`), { timeout: 30_000 });
  child.kill("SIGINT");
  expect(await ended).toBe("SIGINT");
  expect(readFileSync(journal, "utf8")).toBe("earlier\n");
});

test("--seeds has a limit, as the scenario's seeds have", () => {
  const { status, stderr } = broomwagon("--seeds", "5000000000");
  expect(status).toBe(2);
  expect(stderr).toContain("Expected a whole number, 1 to 1000000.");
});
