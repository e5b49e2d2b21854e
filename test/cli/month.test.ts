import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { runProgram } from "../../src/cli/program.ts";
import { type Month, writeMonth } from "./support/month.ts";
import { paperShell } from "./support/screen.ts";

const SMALL: Month = {
  ...{ nodes: 40, jobs: 100, nodesOfJob: 8, tasksPerNode: 3, seed: 1 },
  ...{ slow: ["n7"], slowJobs: 4, factor: 2.5 },
};

/** A folder of histories, with a cache of its own. */
function folderOf(month: Month): string {
  const folder = mkdtempSync(join(tmpdir(), "broomwagon-month-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  vi.stubEnv("XDG_CACHE_HOME", join(folder, ".cache"));
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
  writeMonth(folder, month);
  return folder;
}

async function why(...args: readonly string[]) {
  const shell = paperShell();
  const code = await runProgram(["why", ...args], shell);
  return { code, out: shell.out.text, text: shell.out.text.replaceAll("\n", " ") };
}

describe("why --jobs", () => {
  test("a node that is slow in four of twenty jobs is named, and no other", async () => {
    const { code, text } = await why(folderOf(SMALL), "--jobs");
    expect(code).toBe(0);
    expect(text).toMatch(/^100 jobs took \d+ s in all; [\d.]+ s \(\d+ %\) of that was lost: /);
    expect(text).toMatch(
      /Node n7 was slow in \d of the 20 jobs that ran on it: its attempts took /,
    );
    expect(text.match(/Node \w+ was slow/g)).toHaveLength(1);
  });

  test("a job counts once, also where another history has moved its times", async () => {
    const folder = folderOf({ ...SMALL, nodes: 16, jobs: 6, slow: [] });
    const [name = ""] = readdirSync(folder).filter((one) => !one.startsWith("."));
    const log = readFileSync(join(folder, name), "utf8");
    const moved = log.replaceAll(/\b\d{13}\b/g, (at) => String(Number(at) + 60_000));
    expect(moved).not.toBe(log);
    writeFileSync(join(folder, `moved-${name}`), moved);
    const { jobs } = JSON.parse((await why(folder, "--jobs", "-o", "json")).out);
    expect(jobs).toHaveLength(6);
  });

  test("of nodes that are all alike, none is named", async () => {
    const { text } = await why(folderOf({ ...SMALL, slow: [], seed: 2 }), "--jobs");
    expect(text).toContain("No node was slow in several of these jobs.");
  });

  test("--page writes the answer as one file without scripts", async () => {
    const folder = folderOf({ ...SMALL, nodes: 16, jobs: 40 });
    const page = join(folder, "month.html");
    const { out } = await why(folder, "--jobs", "--page", page);
    const html = readFileSync(page, "utf8");
    expect(html).toContain(`<h1>${out.split("\n\n")[0]?.split(".\n")[0]?.replaceAll("\n", " ")}`);
    expect(html).toMatch(/<h2>Lost time by day<\/h2>.*<svg/);
    expect(html.match(/<td>app-\d+<\/td>/g)).toHaveLength(40);
    expect(html).not.toContain("<script");
  });

  test("a second call reads only what is new or has changed", async () => {
    const folder = folderOf({ ...SMALL, jobs: 10, slow: [] });
    const counts = async (...flags: readonly string[]) => {
      const { read, known, jobs } = JSON.parse((await why(folder, "--jobs", ...flags)).out);
      return [read, known, jobs.length];
    };
    expect(await counts("-o", "json")).toEqual([10, 0, 10]);
    const first = await why(folder, "--jobs", "-o", "json");
    expect(await counts("-o", "json")).toEqual([0, 10, 10]);
    const again = JSON.parse((await why(folder, "--jobs", "-o", "json")).out);
    expect({ ...again, read: 0, known: 0 }).toEqual({
      ...JSON.parse(first.out),
      ...{ read: 0, known: 0 },
    });
    writeMonth(folder, { ...SMALL, jobs: 11, slow: [] });
    for (let job = 0; job < 10; job++) {
      utimesSync(join(folder, `app-0000${job}`), new Date(), new Date());
    }
    expect(await counts("-o", "json")).toEqual([11, 0, 11]);
    writeFileSync(join(folder, "notes"), "no history\n");
    expect(await counts("-o", "json")).toEqual([1, 11, 11]);
    expect(await counts("-o", "json", "--no-cache")).toEqual([12, 0, 11]);
    expect(await counts("-o", "json", "--set", "peersMin=4")).toEqual([12, 0, 11]);
  });

  test("a store that is damaged is not used", async () => {
    const folder = folderOf({ ...SMALL, jobs: 3, slow: [] });
    await why(folder, "--jobs");
    const cache = join(folder, ".cache", "broomwagon", "jobs");
    for (const name of readdirSync(cache)) {
      const lines = readFileSync(join(cache, name), "utf8").split("\n");
      const bad = lines[1]?.replace(/"slotMs":\d+/, '"slotMs":"many"') ?? "";
      writeFileSync(join(cache, name), [lines[0], bad, "{", ...lines.slice(3)].join("\n"));
    }
    const { read, known } = JSON.parse((await why(folder, "--jobs", "-o", "json")).out);
    expect([read, known]).toEqual([2, 1]);
  });
});
