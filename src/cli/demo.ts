import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { RUN_DEFAULTS, RunError, type RunResult, run } from "../hosts/engine/index.ts";
import { bytes, counted, seconds } from "../report/quantity.ts";
import { command, type Register } from "./command.ts";
import { gatherCorpus, writeRepeated } from "./demo/corpus.ts";
import { compareCounts, countPlainly, readCounts } from "./demo/plain-count.ts";
import {
  DEMO,
  type DemoRun,
  demoFaults,
  demoRuns,
  killTime,
  scaledParameters,
} from "./demo/plan.ts";
import { type DemoOutcome, reportText, timesFaster } from "./demo/report.ts";
import { displayOn, SILENT } from "./display/display.ts";
import { EXIT, type ExitCode } from "./exit-code.ts";
import { outputOption, type PrintFormat, wholeNumber } from "./flags.ts";
import { jsonText } from "./json-text.ts";
import { resultText } from "./run-result-text.ts";
import { line, type Shell } from "./shell.ts";

interface Flags {
  readonly megabytes: number;
  readonly dir: string;
  readonly runDir: string;
  readonly quiet?: boolean;
  readonly format: PrintFormat;
}

interface RunFacts {
  readonly inputBytes: number;
  readonly killAt: number;
}

const MEGABYTE = 1_000_000;
const CORPUS_BYTES = 20 * MEGABYTE;
const JOB = fileURLToPath(new URL("../../examples/word-count.ts", import.meta.url));

export const registerDemo: Register = (program, shell, end) => {
  program.addCommand(
    command("demo", "count words with a slow and a dying node, without and with LATE", ["demo"])
      .option("--megabytes <count>", "text to count", wholeNumber(1, 100_000), 140)
      .option("--dir <dir>", "where the text and the two outputs go", ".broomwagon/demo")
      .option("--run-dir <dir>", "where runs keep their journals", RUN_DEFAULTS.runDirectory)
      .option("--quiet", "show nothing while it runs")
      .addOption(outputOption())
      .action(async (flags: Flags) => end(await new Demo(flags, shell).run())),
  );
};

class Demo {
  readonly #flags: Flags;
  readonly #shell: Shell;
  readonly #input: string;
  readonly #signal: AbortSignal;

  constructor(flags: Flags, shell: Shell) {
    this.#flags = flags;
    this.#shell = shell;
    this.#input = join(flags.dir, "demo-text.txt");
    this.#signal = shell.listenForCtrlC();
  }

  async run(): Promise<ExitCode> {
    mkdirSync(this.#flags.dir, { recursive: true });
    try {
      return await this.#runBoth();
    } finally {
      rmSync(this.#input, { force: true });
    }
  }

  async #runBoth(): Promise<ExitCode> {
    const inputBytes = this.#prepareText();
    const began = performance.now();
    const counts = await countPlainly(this.#input, this.#signal);
    if (this.#signal.aborted) return EXIT.interrupted;
    const plainMs = performance.now() - began;
    this.#print(`Plain count, one thread: ${counted(counts.size, "word")} in ${seconds(plainMs)}.`);
    const killAt = killTime(plainMs);
    this.#print(
      `Cluster: ${DEMO.nodes} node processes, ${DEMO.slowNode} slowed ${DEMO.slowFactor}-fold ` +
        `all along, ${DEMO.killedNode} killed after ${seconds(killAt)}.`,
    );
    const outcomes: DemoOutcome[] = [];
    for (const each of demoRuns()) {
      const result = await this.#runJob(each, { inputBytes, killAt });
      if (result.outcome !== "succeeded") {
        line(this.#shell.out, resultText(result, this.#shell.out.columns()));
        return this.#signal.aborted ? EXIT.interrupted : EXIT.failed;
      }
      const comparison = compareCounts(counts, readCounts(result.output));
      outcomes.push({ title: each.title, result, comparison });
    }
    return this.#report(outcomes, plainMs);
  }

  /** Writes the text to count; returns its size in bytes. */
  #prepareText(): number {
    const corpus = gatherCorpus(CORPUS_BYTES);
    const copies = writeRepeated(corpus, this.#input, this.#flags.megabytes * MEGABYTE);
    const size = corpus.text.length * copies;
    this.#print(
      `Text: ${corpus.files} files of installed packages, ${counted(copies, "time")} over: ` +
        `${bytes(size)}.`,
    );
    return size;
  }

  #runJob(each: DemoRun, { inputBytes, killAt }: RunFacts): Promise<RunResult> {
    this.#print("");
    const title = `word count, ${each.title}`;
    const display = this.#flags.quiet ? SILENT : displayOn(this.#shell.err, title);
    return run({
      jobFile: JOB,
      input: [this.#input],
      output: join(this.#flags.dir, each.folder),
      overwrite: true,
      discipline: each.discipline,
      nodes: DEMO.nodes,
      slots: DEMO.slots,
      reduces: DEMO.reduces,
      splitBytes: Math.ceil(inputBytes / DEMO.splits),
      faults: demoFaults(killAt),
      runDirectory: this.#flags.runDir,
      signal: this.#signal,
      onEvent: (event) => display.show(event),
    })
      .result.catch((error: unknown) => {
        if (error instanceof RunError) return error.result;
        throw error;
      })
      .finally(() => display.end());
  }

  #report(outcomes: readonly DemoOutcome[], plainMs: number): ExitCode {
    const json = {
      plainMs,
      timesFaster: timesFaster(outcomes),
      runs: outcomes,
      scaled: scaledParameters(),
    };
    const isJson = this.#flags.format === "json";
    line(
      this.#shell.out,
      isJson ? jsonText(json) : reportText(outcomes, this.#shell.out.columns()),
    );
    return outcomes.every(({ comparison }) => comparison.kind === "equal") ? EXIT.ok : EXIT.failed;
  }

  #print(text: string): void {
    if (!this.#flags.quiet) line(this.#shell.err, text);
  }
}
