import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type RunEvent,
  type Running,
  type RunOptions,
  type RunResult,
  run,
} from "broomwagon/engine";
import { type Discipline, parseDiscipline } from "broomwagon/policies";
import { expect } from "vitest";
import { importProgram, partName, prepareJobFile } from "../../../src/data/index.ts";
import { compareOutput, runReference } from "../../support/reference.ts";
import { replayOf } from "./journal.ts";
import { childrenOf, leftOf, processes } from "./processes.ts";
import { FILLER } from "./small-disk.ts";
import { textOf } from "./text.ts";

/** A directory with an input and job files, where jobs run and their remains are checked. */
export class Workshop {
  readonly path = mkdtempSync(join(tmpdir(), "broomwagon-engine-"));
  readonly input = join(this.path, "input");
  readonly output = join(this.path, "output");
  readonly runs = join(this.path, "runs");

  constructor(query: { readonly files: number; readonly bytes: number; readonly seed?: number }) {
    mkdirSync(this.input);
    for (let file = 0; file < query.files; file++) {
      const text = textOf({ bytes: query.bytes, seed: (query.seed ?? 1) * 1000 + file });
      writeFileSync(join(this.input, `text-${file}.txt`), text);
    }
  }

  /** Writes a job file; returns its path. */
  job(name: string, text: string): string {
    const path = join(this.path, `${name}.ts`);
    writeFileSync(path, text);
    return path;
  }

  /** The file that maps of a gated job wait for; removed by `clear`. */
  get gate(): string {
    return join(this.path, "gate");
  }

  openGate(): void {
    writeFileSync(this.gate, "");
  }

  /**
   * Runs the job on a small cluster. However the job ends, no process and no litter may be left.
   */
  async run(
    jobFile: string,
    options: RunOptions = {},
    whileRunning?: (running: Running) => Promise<void>,
  ): Promise<Ran> {
    const events: RunEvent[] = [];
    const { onEvent } = options;
    const elsewhere = this.#elsewhere();
    try {
      const running = this.start(jobFile, {
        ...options,
        onEvent(event) {
          events.push(event);
          onEvent?.(event);
        },
      });
      await whileRunning?.(running);
      const result = await running;
      this.#checkReplay(result);
      return { result, events };
    } finally {
      const leftElsewhere = elsewhere.end();
      expect(childrenOf(process.pid)).toEqual([]);
      expect(leftOf(this.runs)).toEqual([]);
      expect(this.litter()).toEqual([]);
      expect(leftElsewhere).toEqual([]);
    }
  }

  /**
   * Replaces the system's temporary directory; `end` restores it and returns the files left there.
   */
  #elsewhere(): { end(): readonly string[] } {
    const { TMPDIR: before } = process.env;
    const own = mkdtempSync(join(this.path, "temporary-"));
    process.env.TMPDIR = own;
    return {
      end() {
        if (before === undefined) delete process.env.TMPDIR;
        else process.env.TMPDIR = before;
        const left = readdirSync(own);
        rmSync(own, { recursive: true });
        return left;
      },
    };
  }

  /** The same, without checks. */
  start(jobFile: string, options: RunOptions = {}): Running {
    return run(jobFile, {
      input: this.input,
      output: this.output,
      splitBytes: 64 * 1024,
      reduces: REDUCES,
      heartbeatMs: 100,
      askAgainMs: 100,
      runDirectory: this.runs,
      discipline: disciplineOf("none"),
      explain: true,
      ...options,
    });
  }

  /** Compares the job's output in a single thread with the output directory, byte for byte. */
  async checkOutput(jobFile: string, by: "part" | "whole" = "part"): Promise<void> {
    const into = join(this.path, "reference");
    const program = await importProgram(await prepareJobFile({ file: jobFile, into }));
    const files = readdirSync(this.input).map((name) => join(this.input, name));
    const [parts = []] = await runReference({
      program,
      params: program.params,
      files: () => files.sort(),
      reduces: REDUCES,
    });
    rmSync(into, { recursive: true });
    // Only parts, numbered without a gap.
    const { length } = by === "part" ? parts : this.outputFiles().slice(1);
    const names = Array.from({ length }, (_, part) => partName(part));
    expect(this.outputFiles()).toEqual(["_SUCCESS", ...names]);
    expect(compareOutput({ directory: this.output, parts, by })).toEqual({ equal: true });
  }

  /** Files of the output directory, sorted. */
  outputFiles(): readonly string[] {
    return readdirSync(this.output).sort();
  }

  /** Everything that should not exist when no run is under way. */
  litter(): readonly string[] {
    const here = readdirSync(this.path).filter((name) => /^[._]/.test(name));
    const ids = readdirSync(this.runs).filter((name) => !name.startsWith(FILLER));
    const runs = ids.flatMap((id) =>
      readdirSync(join(this.runs, id))
        .filter((name) => !KEPT.includes(name))
        .map((name) => join(id, name)),
    );
    return [...here, ...runs];
  }

  /** Process ids of programs that a job has started; `clear` ends them. */
  get pids(): string {
    return join(this.path, "pids");
  }

  clear(): void {
    if (existsSync(this.pids)) {
      const pids = readFileSync(this.pids, "utf8").trim().split("\n");
      for (const { pid } of processes().filter(({ pid }) => pids.includes(String(pid)))) {
        process.kill(pid, "SIGKILL");
      }
      rmSync(this.pids);
    }
    rmSync(this.output, { recursive: true, force: true });
    rmSync(this.gate, { force: true });
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true });
  }

  #checkReplay(result: RunResult): void {
    const lines = readFileSync(result.journal, "utf8").trimEnd().split("\n");
    expect(replayOf(lines, result)).toMatchObject({ kind: "same" });
  }
}

export interface Ran {
  readonly result: RunResult;
  readonly events: readonly RunEvent[];
}

const REDUCES = 3;
const KEPT: readonly string[] = ["journal.ndjson", "summary.json", "nodes.log"];

/** An expiry that even a slow machine does not reach; tests of dead nodes set their own. */
export const disciplineOf = (text: string, sets: readonly string[] = []): Discipline =>
  parseDiscipline(text, ["detection.expiryMs=30000", ...sets]);

/** The events of one kind. */
export function only<K extends RunEvent["kind"]>(
  events: readonly RunEvent[],
  kind: K,
): readonly Extract<RunEvent, { kind: K }>[] {
  return events.filter((event): event is Extract<RunEvent, { kind: K }> => event.kind === kind);
}
