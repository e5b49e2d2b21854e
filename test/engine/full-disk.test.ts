import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { RunError, type RunOptions } from "broomwagon/engine";
import { InputError } from "broomwagon/policies";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { PLACES, WIDE_PLACES, wordCount } from "./support/jobs.ts";
import { canMount, SmallDisk } from "./support/small-disk.ts";
import { Workshop } from "./support/workshop.ts";

const workshop = new Workshop({ files: 2, bytes: 400_000 });
afterAll(() => workshop.remove());

/** The job's pairs are many times as large as its input. */
const WIDE = workshop.job(
  "wide",
  PLACES.replace(/yield \[word, `.*\]/, "yield [word, line + line]"),
);
const WIDE_FLOW = workshop.job("wide-flow", WIDE_PLACES);
const PLAIN = workshop.job("plain", wordCount());

const IS_ALLOWED = canMount();

let disk: SmallDisk;
afterEach(() => {
  disk.remove();
  workshop.clear();
});

/** How the run ended: a failed job's last failure, or else the user's error message. */
async function endOf(job: string, options: RunOptions): Promise<string> {
  const error: unknown = await workshop.run(job, { nodes: 2, ...options }).then(
    () => "it succeeded",
    (thrown: unknown) => thrown,
  );
  if (error instanceof RunError) return error.result.failure?.message ?? "";
  if (error instanceof InputError) return error.message;
  throw error;
}

describe.skipIf(!IS_ALLOWED)("where the nodes' disk is full", () => {
  /** The named file, or the journal, which is on the same disk. */
  const fileOf = (attemptFile: string): RegExp =>
    new RegExp(
      `^(Error: ENOSPC: .* '${workshop.runs}/.*/nodes/n[12]/attempt-\\d+/${attemptFile}'|` +
        `${workshop.runs}/.*/journal.ndjson: expected a file to write: no space left on device)$`,
    );

  test.each([
    { at: "a map that writes its output", file: "output", kilobytes: 800, options: {} },
    {
      at: "a map that spills",
      file: "spill-\\d+\\.run",
      kilobytes: 3_000,
      options: { memoryBytes: 64e6, splitBytes: 400_000 },
    },
  ])("$at fails, and names the file; there is no output", async ({ file, kilobytes, options }) => {
    disk = new SmallDisk(workshop.runs, { kilobytes });
    expect(await endOf(WIDE, options)).toMatch(fileOf(file));
    expect(existsSync(workshop.output)).toBe(false);
  });

  test("a reduce that copies more than it has memory for fails, and names the copy", async () => {
    // In a flow a reduce begins after all maps: there is room for the maps' outputs, but not for
    // the copies. Maps are too small to spill.
    const options = { memoryBytes: 64e6, splitBytes: 30_000, reduces: 1, nodes: 2 };
    disk = new SmallDisk(workshop.runs, { kilobytes: 100_000 });
    const { result } = await workshop.run(WIDE_FLOW, options);
    const maps = result.phases.find(({ name }) => name === "lines");
    expect(maps).toMatchObject({ spills: 0 });
    const outputs = maps?.outputBytes ?? 0;
    workshop.clear();
    disk.remove();
    disk = new SmallDisk(workshop.runs, { kilobytes: Math.ceil(outputs / 1024) + 512 });
    expect(await endOf(WIDE_FLOW, options)).toMatch(fileOf("segment-\\d+\\.run"));
    expect(existsSync(workshop.output)).toBe(false);
  });

  test("from one moment to the next, journal and all, the run ends and says so", async () => {
    disk = new SmallDisk(workshop.runs, { kilobytes: 100_000 });
    const told = await endOf(WIDE, {
      onEvent(event) {
        if (event.kind === "attempt-ended") disk.fill();
      },
    });
    expect(told).toMatch(fileOf(".*"));
    expect(existsSync(workshop.output)).toBe(false);
  });
});

describe.skipIf(!IS_ALLOWED)("where the output's disk is full", () => {
  const output = join(workshop.path, "disk", "output");

  test("a reduce fails, and names its part; no output is left", async () => {
    disk = new SmallDisk(join(workshop.path, "disk"), { kilobytes: 16 });
    const told = await endOf(PLAIN, { output });
    expect(told).toMatch(
      new RegExp(`ENOSPC: .* '${disk.path}/_temporary-.*/attempt-\\d+/part-0000[012]'$`),
    );
    expect(readdirSync(disk.path)).toEqual([]);
  });

  test.each([
    { what: "takes no more files", says: "no space left on device", spoil: () => disk.fill() },
    {
      what: "takes no more writes at all",
      says: "read-only file system",
      spoil: () => disk.makeReadOnly(),
    },
  ])("a commit to one that $what is told, and is none", async ({ says, spoil }) => {
    disk = new SmallDisk(join(workshop.path, "disk"), { kilobytes: 1_000, files: 100 });
    const told = await endOf(PLAIN, {
      output,
      onEvent(event) {
        if (event.kind === "job-ended") spoil();
      },
    });
    expect(told).toBe(`${output}: expected a directory to write: ${says}`);
    expect(existsSync(output)).toBe(false);
    disk.empty();
    if (says === "no space left on device") expect(readdirSync(disk.path)).toEqual([]);
  });
});
