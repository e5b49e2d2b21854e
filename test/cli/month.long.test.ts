import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { writeMonth } from "./support/month.ts";

const PROGRAM = fileURLToPath(new URL("../../bin/broomwagon.js", import.meta.url));
/** Runs before the program, and prints its peak memory in kilobytes at its end. */
const WEIGHED = "process.on('exit', () => console.error(process.resourceUsage().maxRSS))";

/** What `why` says of all jobs of a path, and the memory of its process. */
function weighed(path: string, cache: string) {
  const means = ["--import", `data:text/javascript,${WEIGHED}`];
  const ran = spawnSync(
    process.execPath,
    [...means, PROGRAM, "why", path, "--jobs", "-o", "json"],
    {
      ...{ encoding: "utf8", maxBuffer: 1e9 },
      env: { ...process.env, XDG_CACHE_HOME: cache, NODE_OPTIONS: "" },
    },
  );
  expect(ran.status, ran.stderr).toBe(0);
  return { ...JSON.parse(ran.stdout), kilobytes: Number(ran.stderr.trim().split("\n").at(-1)) };
}

describe("a month of 1,000 jobs", () => {
  const slow = ["n11", "n50", "n99", "n150", "n200"];
  const folder = mkdtempSync(join(tmpdir(), "broomwagon-month-"));
  const cacheOf = (): string => {
    const cache = mkdtempSync(join(tmpdir(), "broomwagon-cache-"));
    onTestFinished(() => rmSync(cache, { recursive: true }));
    return cache;
  };

  beforeAll(() => {
    writeMonth(folder, {
      // Three of two hundred such nodes are missed (docs/papers/attribution.md); of these, none.
      ...{ nodes: 200, jobs: 1_000, nodesOfJob: 8, tasksPerNode: 4, seed: 9 },
      ...{ slow, slowJobs: 3, factor: 2.5 },
    });
    return () => rmSync(folder, { recursive: true });
  });

  test("names the nodes that are slow in three of forty jobs each, in little memory", () => {
    const cache = cacheOf();
    const { nodes, read, known, kilobytes } = weighed(folder, cache);
    const named = nodes.filter(({ isSlow }: { isSlow: boolean }) => isSlow);
    expect(named.map(({ node }: { node: string }) => node).sort()).toEqual(slow.toSorted());
    // Four of them are below the verdict of a single job in all of their jobs.
    const below = named.filter(({ slowIn }: { slowIn: number }) => slowIn === 0);
    expect(below.length).toBeGreaterThanOrEqual(4);
    expect([read, known]).toEqual([1_000, 0]);

    const sizes = readdirSync(folder).map((name) => ({
      name,
      bytes: statSync(join(folder, name)).size,
    }));
    const largest = sizes.reduce((a, b) => (b.bytes > a.bytes ? b : a)).name;
    const alone = weighed(join(folder, largest), cacheOf());
    expect(kilobytes / alone.kilobytes).toBeLessThan(1.5);
    const again = weighed(folder, cache);
    expect([again.read, again.known]).toEqual([0, 1_000]);
    expect(again.kilobytes / alone.kilobytes).toBeLessThan(1.5);
    if (process.env.FLEETS !== undefined) console.log(kilobytes, again.kilobytes, alone.kilobytes);
  });
});
