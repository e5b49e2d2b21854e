import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { bytesOf } from "../../src/data/formats/byte-text.ts";
import { type InputPlan, planSplits, runInThread } from "../../src/data/index.ts";
import type { Flow } from "../../src/job/flow.ts";
import { programOf } from "../../src/job/program-of.ts";
import type { Sameness } from "./any-program.ts";
import { runReference } from "./reference.ts";

/** The way a program is run, which must not affect the output. */
export interface Manner {
  readonly reduces: number;
  readonly splitBytes: number;
  readonly memoryBytes: number;
  readonly compress: boolean;
}

/** Runs programs of one output over files, through the whole data path, and by the reference. */
export class WholeRun {
  readonly root = mkdtempSync(join(tmpdir(), "broomwagon-whole-"));
  #directories = 0;

  remove(): void {
    rmSync(this.root, { recursive: true });
  }

  /** The actual and the expected output, equal if all is well. Every byte is a character. */
  async both(
    flow: Flow,
    files: Readonly<Record<string, readonly Buffer[]>>,
    { manner, same }: { readonly manner: Manner; readonly same: Sameness },
  ): Promise<{ readonly ran: readonly string[]; readonly meant: readonly string[] }> {
    const program = programOf(flow);
    const { params } = program;
    const own = this.#directory(this.root);
    const paths = new Map(
      Object.entries(files).map(([read, its]) => [read, write(own, read, its)]),
    );
    const { reduces, splitBytes, ...means } = manner;
    const inputs = new Map<string, InputPlan>();
    for (const { reads } of program.phases) {
      if (reads.kind !== "input") continue;
      const { input, name } = reads;
      const query = { input, paths: paths.get(name) ?? [], from: own, splitBytes };
      inputs.set(name, await planSplits(query));
    }
    const [work, output] = [this.#directory(own), this.#directory(own)];
    await runInThread({ ...{ program, params, inputs, reduces, work, output }, ...means });
    if (readdirSync(work).length > 0) throw new Error("something is left of the run");
    const [parts = []] = await runReference({
      ...{ program, params, reduces },
      files: (read) => paths.get(read) ?? [],
    });
    const meant = parts.map((part) => bytesOf(part).toString("latin1"));
    const ran = readdirSync(output)
      .sort()
      .map((name) => contentOf(join(output, name)));
    rmSync(own, { recursive: true });
    return { ran: asSame(ran, same), meant: asSame(meant, same) };
  }

  #directory(below: string): string {
    const path = join(below, `d${this.#directories++}`);
    mkdirSync(path);
    return path;
  }
}

function write(directory: string, read: string, files: readonly Buffer[]): readonly string[] {
  return files.map((content, i) => {
    const path = join(directory, `${read}-${i}.txt`);
    writeFileSync(path, content);
    return path;
  });
}

function contentOf(path: string): string {
  const bytes = readFileSync(path);
  return (path.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("latin1");
}

function asSame(parts: readonly string[], same: Sameness): readonly string[] {
  if (same === "parts") return parts;
  const whole = parts.join("");
  return same === "whole" ? [whole] : whole.split("\n").sort();
}
