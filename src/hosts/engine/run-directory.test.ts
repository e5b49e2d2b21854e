import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { InputError } from "../../base/input-error.ts";
import { RunDirectory } from "./run-directory.ts";

let parent: string;

beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), "broomwagon-runs-"));
});

afterEach(() => rmSync(parent, { recursive: true }));

const NOON = new Date("2026-03-01T12:00:00Z");

/** A run that is half done: directories of nodes, a journal, something elsewhere. */
function begin(): { run: RunDirectory; elsewhere: string } {
  const run = new RunDirectory(parent, NOON);
  mkdirSync(run.node("n1"), { recursive: true });
  mkdirSync(run.preparedJob);
  writeFileSync(run.journal, "");
  const elsewhere = join(parent, "elsewhere");
  mkdirSync(elsewhere);
  run.alsoPassing(elsewhere);
  return { run, elsewhere };
}

describe("the directory of a run", () => {
  test("has a name that sorts by time and is its own", () => {
    const runs = [
      new RunDirectory(parent, NOON),
      new RunDirectory(parent, NOON),
      new RunDirectory(parent, new Date(NOON.getTime() + 1000)),
    ];
    const ids = runs.map(({ id }) => id);
    expect(new Set(ids).size).toBe(3);
    expect(ids[0]).toMatch(/^20260301-120000-[0-9a-f]{6}$/);
    expect([...ids].sort().at(-1)).toBe(ids[2]);
  });

  test("below a file, or that is one, is told with its path and the reason", () => {
    const file = join(parent, "file");
    writeFileSync(file, "");
    for (const path of [file, join(file, "runs")]) {
      expect(() => new RunDirectory(path, NOON)).toThrow(InputError);
      expect(() => new RunDirectory(path, NOON)).toThrow(
        `${path}: expected a directory to write: not a directory`,
      );
    }
  });

  test("keeps its journal when it is tidied, and nothing that passes", () => {
    const { run, elsewhere } = begin();
    run.tidy();
    expect(readdirSync(run.path)).toEqual(["journal.ndjson"]);
    expect(existsSync(elsewhere)).toBe(false);
  });

  test("is left alone by other runs while its process lives", () => {
    const { run, elsewhere } = begin();
    new RunDirectory(parent, NOON);
    expect(existsSync(run.node("n1"))).toBe(true);
    expect(existsSync(elsewhere)).toBe(true);
  });

  test("is tidied by the next run if its process died", () => {
    const { run, elsewhere } = begin();
    const note = join(run.path, "under-way.json");
    const { pid } = spawnSync(process.execPath, ["--version"]);
    const owner = `${pid}@${hostname()}`;
    writeFileSync(note, JSON.stringify({ owner, passing: [join(run.path, "nodes"), elsewhere] }));
    new RunDirectory(parent, NOON);
    expect(readdirSync(run.path).sort()).toEqual(["job", "journal.ndjson"]);
    expect(existsSync(elsewhere)).toBe(false);
  });

  test("is left alone if its process is of another machine: nothing is known of it", () => {
    const { run, elsewhere } = begin();
    const note = { owner: `1@not-${hostname()}`, passing: [elsewhere] };
    writeFileSync(join(run.path, "under-way.json"), JSON.stringify(note));
    new RunDirectory(parent, NOON);
    expect(existsSync(elsewhere)).toBe(true);
  });
});
