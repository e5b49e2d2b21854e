import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import { assert } from "../../src/base/assert.ts";
import { planSplits, type RunInThread, runInThread } from "../../src/data/index.ts";
import type { Job } from "../../src/job/index.ts";
import type { Program } from "../../src/job/program.ts";
import { programOf } from "../../src/job/program-of.ts";
import { compareOutput, runReference } from "./reference.ts";

/** Directories for a test of the data path, and jobs run through all of it. */
export class DataPathBench {
  readonly root = mkdtempSync(join(tmpdir(), "broomwagon-data-"));
  #directories = 0;

  directory(): string {
    const path = join(this.root, String(this.#directories++));
    mkdirSync(path);
    return path;
  }

  /** A directory with these files. */
  inputs(files: Readonly<Record<string, string | Buffer>>): string {
    const path = this.directory();
    for (const [name, content] of Object.entries(files)) writeFileSync(join(path, name), content);
    return path;
  }

  /** Runs the job on the real data path; says how its output differs from the reference's. */
  async run(what: Job | Program, input: string, options: Options = {}) {
    const { splitBytes = 1 << 20, memoryBytes = 1 << 20, reduces = 3, ...more } = options;
    const program = "phases" in what ? what : programOf(what);
    const { params } = program;
    const reads = program.phases[0]?.reads;
    assert(reads?.kind === "input", "the first phase reads the input");
    const plan = await planSplits({
      input: reads.input,
      paths: [input],
      from: this.root,
      splitBytes,
    });
    const work = this.directory();
    const output = this.directory();
    const inputs = new Map([["input", plan]]);
    const run = { program, params, inputs, reduces, work, output, memoryBytes, ...more };
    const { shuffled: maps, parts: files } = await runInThread(run);
    expect(readdirSync(work)).toEqual([]);
    const read = [...new Set(plan.splits.map((split) => split.file))];
    const [parts = []] = await runReference({ program, params, files: () => read, reduces });
    const by = program.phases.length === 1 ? "whole" : "part";
    const difference = compareOutput({ directory: output, parts, by });
    return { plan, maps, files, output, difference, parts };
  }

  remove(): void {
    rmSync(this.root, { recursive: true });
  }
}

type Options = Partial<Pick<RunInThread, "memoryBytes" | "reduces" | "progressOf">> & {
  readonly splitBytes?: number;
};

export const PROSE = Array.from(
  { length: 600 },
  (_, i) => `line ${i % 97}, of the Märchen\x0bnumber ${i * i} ${"ab".repeat(i % 20)}`,
).join("\n");
