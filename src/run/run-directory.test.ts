import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { InputError } from "../base/input-error.ts";
import { RunDirectory } from "./run-directory.ts";

let parent: string;

beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), "broomwagon-runs-"));
});

afterEach(() => rmSync(parent, { recursive: true }));

const NOON = new Date("2026-03-01T12:00:00Z");

/** A run that is half done: directories of nodes, a journal, something elsewhere. */
function begin(): { run: RunDirectory; elsewhere: string } {
  const run = RunDirectory.make(parent, NOON);
  mkdirSync(run.node("n1"), { recursive: true });
  mkdirSync(run.preparedJob);
  writeFileSync(run.journal, "");
  const elsewhere = join(parent, "elsewhere");
  mkdirSync(elsewhere);
  run.alsoPassing(elsewhere);
  return { run, elsewhere };
}

describe("the directory of a run", () => {
  test("has a unique name that sorts by time", () => {
    const runs = [
      RunDirectory.make(parent, NOON),
      RunDirectory.make(parent, NOON),
      RunDirectory.make(parent, new Date(NOON.getTime() + 1000)),
    ];
    const ids = runs.map(({ id }) => id);
    expect(new Set(ids).size).toBe(3);
    expect(ids[0]).toMatch(/^20260301-120000-[0-9a-f]{6}$/);
    expect([...ids].sort().at(-1)).toBe(ids[2]);
  });

  test("below a file, or that is a file, is refused with its path and the reason", () => {
    const file = join(parent, "file");
    writeFileSync(file, "");
    for (const path of [file, join(file, "runs")]) {
      expect(() => RunDirectory.make(path, NOON)).toThrow(InputError);
      expect(() => RunDirectory.make(path, NOON)).toThrow(
        `${path}: expected a directory to write: not a directory`,
      );
    }
  });

  test("keeps its journal when tidied, but no temporary file", () => {
    const { run, elsewhere } = begin();
    run.tidy();
    expect(readdirSync(run.path)).toEqual(["journal.ndjson"]);
    expect(existsSync(elsewhere)).toBe(false);
  });

  test("forgets only files that are already gone", () => {
    const { run, elsewhere } = begin();
    const gone = join(parent, "gone");
    run.alsoPassing(gone);
    run.hasPassed(gone);
    run.hasPassed(elsewhere);
    mkdirSync(gone);
    run.tidy();
    expect(readdirSync(parent).sort()).toEqual([run.id, "gone"]);
  });

  test("is left alone by other runs while its process lives", () => {
    const { run, elsewhere } = begin();
    RunDirectory.make(parent, NOON);
    expect(existsSync(run.node("n1"))).toBe(true);
    expect(existsSync(elsewhere)).toBe(true);
  });

  /** The run's process is gone, by its note. */
  function killed(run: RunDirectory, ...elsewhere: readonly string[]): void {
    const { pid } = spawnSync(process.execPath, ["--version"]);
    const passing = [join(run.path, "nodes"), ...elsewhere];
    const note = JSON.stringify({ owner: `${pid}@${hostname()}`, passing });
    writeFileSync(join(run.path, "under-way.json"), note);
  }

  const DAY_MS = 24 * 3_600_000;

  test("is tidied a day after its process died: until then it may be resumed", () => {
    const { run, elsewhere } = begin();
    killed(run, elsewhere);
    RunDirectory.make(parent, new Date());
    expect(existsSync(run.node("n1"))).toBe(true);
    RunDirectory.make(parent, new Date(Date.now() + DAY_MS + 60_000));
    expect(readdirSync(run.path).sort()).toEqual(["job", "journal.ndjson"]);
    expect(existsSync(elsewhere)).toBe(false);
  });

  test("is tidied at once by a run that makes its output, if its process died", () => {
    const { run, elsewhere } = begin();
    const other = RunDirectory.make(parent, NOON);
    other.takePlaceOf(run.id);
    expect(existsSync(elsewhere)).toBe(true);
    killed(run, elsewhere);
    other.takePlaceOf(run.id);
    expect(readdirSync(run.path).sort()).toEqual(["job", "journal.ndjson"]);
    expect(existsSync(elsewhere)).toBe(false);
  });

  // No process may remove anything there, as on a disk that has become read-only.
  test.skipIf(!existsSync("/proc/version"))("does not stop other runs if it stays", () => {
    const { run } = begin();
    killed(run, "/proc/version");
    RunDirectory.make(parent, new Date(Date.now() + DAY_MS + 60_000));
    expect(existsSync(run.node("n1"))).toBe(false);
    expect(readdirSync(run.path)).toContain("under-way.json");
  });

  test("is taken over by a process that resumes it, and by no other meanwhile", () => {
    const { run, elsewhere } = begin();
    expect(() => RunDirectory.adopt(run.path)).toThrow(/process \d+@.* is still at it/);
    killed(run, elsewhere);
    const again = RunDirectory.adopt(run.path);
    expect(again.id).toBe(run.id);
    expect(() => RunDirectory.adopt(run.path)).toThrow(/is still at it/);
    again.tidy();
    expect(() => RunDirectory.adopt(run.path)).toThrow(/the run has ended/);
    expect(() => RunDirectory.adopt(elsewhere)).toThrow("expected the folder of a run");
  });

  test("of a process that died before it had a journal is removed, with advice to rerun", () => {
    const told = "it was killed before it began: run the job again";
    const noted = RunDirectory.make(parent, NOON);
    const dead = spawnSync(process.execPath, ["-e", ""]).pid;
    const note = { owner: `${dead}@${hostname()}`, passing: [] };
    writeFileSync(join(noted.path, "under-way.json"), JSON.stringify(note));
    expect(() => RunDirectory.adopt(noted.path)).toThrow(told);
    expect(existsSync(noted.path)).toBe(false);
    const empty = join(parent, "20260301-120000-abcdef");
    mkdirSync(empty);
    expect(() => RunDirectory.adopt(empty)).toThrow(told);
    expect(existsSync(empty)).toBe(false);
  });

  test("of a server that died is not resumed, and the error says what to do", () => {
    const run = RunDirectory.make(parent, NOON, "passing");
    writeFileSync(run.journal, "");
    expect(() => RunDirectory.adopt(run.path)).toThrow(
      "a server's jobs are not gone on with; serve again, and submit anew those that had not ended",
    );
  });

  test("is left alone if its process is on another machine, where its state is unknown", () => {
    const { run, elsewhere } = begin();
    const note = { owner: `1@not-${hostname()}`, passing: [elsewhere] };
    writeFileSync(join(run.path, "under-way.json"), JSON.stringify(note));
    RunDirectory.make(parent, NOON);
    expect(existsSync(elsewhere)).toBe(true);
  });
});
