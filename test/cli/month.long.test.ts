import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { runProgram } from "../../src/cli/program.ts";
import { writeMonth } from "./support/month.ts";
import { paperShell } from "./support/screen.ts";

test("five of 200 nodes that are slow in three of forty jobs each are named", async () => {
  const folder = mkdtempSync(join(tmpdir(), "broomwagon-month-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  vi.stubEnv("XDG_CACHE_HOME", join(folder, ".cache"));
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
  const slow = ["n11", "n50", "n99", "n150", "n200"];
  writeMonth(folder, {
    // One of fifty such nodes is missed (docs/papers/attribution.md); of these, none.
    ...{ nodes: 200, jobs: 1_000, nodesOfJob: 8, tasksPerNode: 4, seed: 9 },
    ...{ slow, slowJobs: 3, factor: 2.5 },
  });
  const shell = paperShell();
  expect(await runProgram(["why", folder, "--jobs", "-o", "json"], shell)).toBe(0);
  const { nodes } = JSON.parse(shell.out.text);
  const named = nodes.filter(({ isSlow }: { isSlow: boolean }) => isSlow);
  expect(named.map(({ node }: { node: string }) => node).sort()).toEqual(slow.toSorted());
  // Four of them are below the verdict of a single job in all of their jobs.
  const below = named.filter(({ slowIn }: { slowIn: number }) => slowIn === 0);
  expect(below.length).toBeGreaterThanOrEqual(4);
});
