import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { recordText } from "../../src/data/formats/record-text.ts";
import {
  type InputPlan,
  partName,
  planSplits,
  type RanInThread,
  runInThread,
} from "../../src/data/index.ts";
import { evaluateAsync } from "../../src/job/evaluate.ts";
import type { Flow } from "../../src/job/flow.ts";
import type { Job } from "../../src/job/index.ts";
import { programOf } from "../../src/job/program-of.ts";

export interface ProgramRun {
  /** Lines of each read. */
  readonly lines: Readonly<Record<string, readonly string[]>>;
  readonly reduces: number;
  readonly splitBytes: number;
  readonly memoryBytes?: number;
}

/** Directories for a test, and programs of text lines run through the whole data path. */
export class ProgramBench {
  readonly root = mkdtempSync(join(tmpdir(), "broomwagon-program-"));
  #directories = 0;

  remove(): void {
    rmSync(this.root, { recursive: true });
  }

  /** The lines of each output in the files, and the program's result in memory. */
  async both(what: Job | Flow, run: ProgramRun): Promise<{ ran: Outcome; meant: Outcome }> {
    return { ran: await this.#ran(what, run), meant: await meant(what, run) };
  }

  async #ran(what: Job | Flow, run: ProgramRun): Promise<Outcome> {
    const program = programOf(what);
    const input = this.#directory();
    const inputs = new Map<string, InputPlan>();
    for (const { reads } of program.phases) {
      if (reads.kind !== "input") continue;
      const path = join(input, `${reads.name}.txt`);
      writeFileSync(path, (run.lines[reads.name] ?? []).map((line) => `${line}\n`).join(""));
      const { splitBytes } = run;
      const plan = await planSplits({ input: reads.input, paths: [path], from: input, splitBytes });
      inputs.set(reads.name, plan);
    }
    const work = this.#directory();
    const output = this.#directory();
    const { reduces, memoryBytes } = run;
    const ran: RanInThread = await runInThread({
      ...{ program, params: program.params, inputs, reduces, work, output },
      ...(memoryBytes !== undefined && { memoryBytes }),
    });
    if (readdirSync(work).length > 0) throw new Error("something is left of the run");
    const outputs = program.outputs.map(({ name }) =>
      linesBelow(program.outputs.length > 1 ? join(output, name) : output),
    );
    rmSync(input, { recursive: true });
    rmSync(output, { recursive: true });
    return { outputs, counters: ran.counters };
  }

  #directory(): string {
    const path = join(this.root, String(this.#directories++));
    mkdirSync(path);
    return path;
  }
}

export interface Outcome {
  /** By output, by part: its lines. */
  readonly outputs: readonly (readonly (readonly string[])[])[];
  readonly counters: Readonly<Record<string, number>>;
}

async function meant(what: Job | Flow, { lines, reduces }: ProgramRun): Promise<Outcome> {
  const program = programOf(what);
  const { outputs, counters } = await evaluateAsync({
    ...{ program, params: program.params, partitions: reduces },
    files: (read) => [{ file: read, records: lines[read] ?? [] }],
  });
  const written = outputs.map((parts, i) => {
    const output = program.outputs[i]?.output;
    if (output === undefined) throw new Error("an output that the program does not have");
    const { line } = recordText(output);
    return parts.map((records) => records.map((record) => line(record).slice(0, -1)));
  });
  return { outputs: written, counters };
}

function linesBelow(directory: string): readonly (readonly string[])[] {
  return readdirSync(directory).map((_, part) => {
    const text = readFileSync(join(directory, partName(part)), "utf8");
    return text === "" ? [] : text.replace(/\n$/, "").split("\n");
  });
}
