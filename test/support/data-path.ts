import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import {
  compareOutput,
  planSplits,
  type RunInThread,
  runInThread,
  runReference,
} from "../../src/hosts/engine/data/index.ts";
import type { Job } from "../../src/job/index.ts";

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
  async run(job: Job, input: string, options: Options = {}) {
    const { splitBytes = 1 << 20, memoryBytes = 1 << 20, reduces = 3, ...more } = options;
    const plan = planSplits({ input: job.input, paths: [input], from: this.root, splitBytes });
    const { params } = job;
    const work = this.directory();
    const output = this.directory();
    const run = { job, params, plan, reduces, work, output, memoryBytes, ...more };
    const { maps, parts: files } = await runInThread(run);
    expect(readdirSync(work)).toEqual([]);
    const inputs = [...new Set(plan.splits.map((split) => split.file))];
    const parts = runReference({ job, params, files: inputs, reduces });
    const by = job.reducer.kind === "none" ? "whole" : "part";
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
  (_, i) => `line ${i % 97}, of the Märchen\tnumber ${i * i} ${"ab".repeat(i % 20)}`,
).join("\n");
