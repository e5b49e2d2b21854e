import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  RUN_DEFAULTS,
  RunError,
  type RunEvent,
  type RunResult,
  run,
} from "../hosts/engine/index.ts";
import { bytes, seconds } from "../report/quantity.ts";
import { command, type Register } from "./command.ts";
import { type Corpus, gatherCorpus, writeRepeated } from "./demo/corpus.ts";
import { type DemoRun, gainOf } from "./demo/gain.ts";
import { type Counts, compareCounts, countPlainly, readCounts } from "./demo/plain-count.ts";
import {
  DEMO,
  type DemoPolicy,
  demoPolicies,
  KILLED,
  SLOWED,
  scaledParameters,
} from "./demo/plan.ts";
import { reportText } from "./demo/report.ts";
import { displayOn, SILENT } from "./display/display.ts";
import { EXIT, type ExitCode } from "./exit-code.ts";
import { outputOption, type PrintFormat, wholeNumber } from "./flags.ts";
import { type DrawnRun, drawRuns, readRun } from "./journal-picture.ts";
import { jsonText } from "./json-text.ts";
import { type PageBeside, pageBeside, uiOption } from "./page/beside.ts";
import { writePicture } from "./picture-file.ts";
import { resultText } from "./run-result-text.ts";
import { line, type Shell } from "./shell.ts";

interface Flags {
  readonly runs: number;
  readonly kill?: boolean;
  readonly megabytes?: number;
  readonly dir: string;
  readonly runDir: string;
  readonly quiet?: boolean;
  readonly ui?: true | number;
  readonly format: PrintFormat;
}

const MEGABYTE = 1_000_000;
const CORPUS_BYTES = 1.5 * MEGABYTE;
const TEXT_BYTES = { min: 10 * MEGABYTE, max: 1_000 * MEGABYTE };
const JOB = fileURLToPath(new URL("../../examples/word-count.ts", import.meta.url));
const DESCRIPTION =
  "run one job with a slow node: without speculation, with Hadoop's rule, with LATE";

export const registerDemo: Register = (program, shell, end) => {
  program.addCommand(
    command("demo", DESCRIPTION, ["demo", "demo --kill"])
      .option("--runs <count>", "runs of each policy, in turn", wholeNumber(1, 100), 2)
      .option("--kill", "kill another node too, at the same progress in every run")
      .option(
        "--megabytes <count>",
        "text to count (default: about a second of work for a node)",
        wholeNumber(1, 100_000),
      )
      .option("--dir <dir>", "directory for the text, the outputs and the picture", DIRECTORY)
      .option("--run-dir <dir>", "directory for journals", RUN_DEFAULTS.runDirectory)
      .option("--quiet", "show nothing while it runs")
      .addOption(uiOption())
      .addOption(outputOption())
      .action(async (flags: Flags) =>
        end(await new Demo(flags, shell, await pageBeside(flags, shell)).run()),
      ),
  );
};

const DIRECTORY = ".broomwagon/demo";

/** The text that all runs count. */
interface Text {
  readonly bytes: number;
  readonly copies: number;
  /** The words of one copy of the text, counted in a plain loop. */
  readonly counts: Counts;
}

class Demo {
  readonly #flags: Flags;
  readonly #shell: Shell;
  readonly #input: string;
  readonly #signal: AbortSignal;
  readonly #page: PageBeside | undefined;
  /** The journal of the latest run without copies. */
  #baseline: string | undefined;

  constructor(flags: Flags, shell: Shell, page: PageBeside | undefined) {
    this.#flags = flags;
    this.#shell = shell;
    this.#input = join(flags.dir, "demo-text.txt");
    this.#signal = shell.listenForCtrlC();
    this.#page = page;
  }

  async run(): Promise<ExitCode> {
    mkdirSync(this.#flags.dir, { recursive: true });
    try {
      return await this.#runAll();
    } finally {
      this.#page?.end();
      rmSync(this.#input, { force: true });
    }
  }

  async #runAll(): Promise<ExitCode> {
    const text = this.#prepareText();
    const runs: DemoRun[] = [];
    for (let round = 1; round <= this.#flags.runs; round += 1) {
      for (const policy of demoPolicies()) {
        const { result, faults } = await this.#runJob(policy, round, text);
        if (result.outcome !== "succeeded") {
          line(this.#shell.out, resultText(result, this.#shell.out.columns()));
          return this.#signal.aborted ? EXIT.interrupted : EXIT.failed;
        }
        const comparison = compareCounts(text.counts, text.copies, readCounts(result.output));
        runs.push({ policy: policy.name, title: policy.title, round, result, faults, comparison });
        this.#print(`${policy.title}, run ${round}: ${seconds(result.responseMs)}`);
      }
    }
    const code = this.#report(runs);
    await this.#page?.hold(this.#signal);
    return code;
  }

  /** Writes the text to count. Counting one copy in a plain loop gives its size and the check. */
  #prepareText(): Text {
    const corpus = gatherCorpus(CORPUS_BYTES);
    const one = corpus.text.toString();
    countPlainly(one);
    // CPU time, so that a busy machine gets as much text as an idle one.
    const before = process.cpuUsage();
    const counts = countPlainly(one);
    const { user, system } = process.cpuUsage(before);
    const bytesPerMs = (1_000 * corpus.text.length) / Math.max(1, user + system);
    const { megabytes } = this.#flags;
    const asked =
      megabytes === undefined ? bytesOfWork(bytesPerMs) : Math.round(megabytes * MEGABYTE);
    const copies = writeRepeated(corpus, this.#input, asked);
    const size = corpus.text.length * copies;
    this.#print(textSentence(corpus, size));
    this.#print(clusterSentence(this.#flags.kill === true));
    return { bytes: size, copies, counts };
  }

  async #runJob(
    policy: DemoPolicy,
    round: number,
    text: Text,
  ): Promise<{ readonly result: RunResult; readonly faults: readonly string[] }> {
    const title = `word count, ${policy.title}, run ${round} of ${this.#flags.runs}`;
    const display = this.#flags.quiet ? SILENT : displayOn(this.#shell.err, title);
    const faults: string[] = [];
    let isKilled = this.#flags.kill !== true;
    const onEvent = (event: RunEvent): void => {
      display.show(event);
      if (event.kind === "run-started") this.#show(event.journal, policy.name);
      if (event.kind === "fault") faults.push(`${event.node} ${event.what}`);
      if (isKilled || mapProgress(event) < DEMO.killedAt) return;
      isKilled = true;
      running.inject(KILLED);
    };
    const running = run(JOB, {
      input: this.#input,
      output: join(this.#flags.dir, `${policy.name}-${round}`),
      overwrite: true,
      discipline: policy.discipline,
      nodes: DEMO.nodes,
      slots: DEMO.slots,
      reduces: DEMO.reduces,
      splitBytes: Math.ceil(text.bytes / DEMO.splits),
      faults: [SLOWED],
      runDirectory: this.#flags.runDir,
      signal: this.#signal,
      explain: this.#flags.ui !== undefined,
      onEvent,
    });
    const result = await running
      .catch((error: unknown) => {
        if (error instanceof RunError) return error.result;
        throw error;
      })
      .finally(() => display.end());
    return { result, faults };
  }

  /** Each run beside the one without copies. */
  #show(journal: string, policy: string): void {
    const against = this.#baseline;
    if (policy === "none") this.#baseline = journal;
    const beside = against === undefined || policy === "none" ? {} : { against };
    this.#page?.show({ journal, ...beside });
  }

  #report(runs: readonly DemoRun[]): ExitCode {
    const picture = join(this.#flags.dir, "runs.svg");
    const [baseline = "", ...others] = demoPolicies().map(({ name }) => name);
    writePicture(picture, () => drawDemo(runs, baseline));
    const gains = others.map((name) => [name, gainOf(runs, name, baseline)]);
    const text =
      this.#flags.format === "json"
        ? jsonText("demo", {
            timesFaster: Object.fromEntries(gains),
            runs,
            scaled: scaledParameters(),
            picture,
          })
        : reportText(runs, picture, this.#shell.out.columns());
    line(this.#shell.out, text);
    return runs.every(({ comparison }) => comparison.kind === "equal") ? EXIT.ok : EXIT.failed;
  }

  #print(text: string): void {
    if (!this.#flags.quiet) line(this.#shell.err, text);
  }
}

/** Compares each run with the baseline's run of the same round. */
function drawDemo(runs: readonly DemoRun[], baseline: string): string {
  const endOf = new Map<number, number>();
  const drawn = runs.map(({ policy, title, round, result }): DrawnRun => {
    const { panel, ...run } = readRun(result.journal);
    if (policy === baseline) endOf.set(round, panel.story.endsAt);
    const baselineMs = endOf.get(round);
    const named = { ...panel, title: `${title}, run ${round}` };
    return { ...run, panel: { ...named, ...(baselineMs !== undefined && { baselineMs }) } };
  });
  return drawRuns(drawn);
}

/** The text that keeps a node busy for the demo's time with each of its maps. */
function bytesOfWork(bytesPerMs: number): number {
  const wanted = bytesPerMs * DEMO.mapMs * DEMO.splits;
  return Math.min(TEXT_BYTES.max, Math.max(TEXT_BYTES.min, wanted));
}

const textSentence = ({ files }: Corpus, size: number): string =>
  `Text: ${bytes(size)}, from ${files} files of installed packages, repeated.`;

function clusterSentence(kills: boolean): string {
  const { nodes, slowNode, slowFactor, killedNode, killedAt } = DEMO;
  const share = `1/${slowFactor} of its CPU time`;
  const slow = `${nodes} node processes; ${slowNode} is throttled to ${share}`;
  const death = `, ${killedNode} is killed when the maps are ${100 * killedAt} % done`;
  return `Cluster: ${slow}${kills ? death : ""}.`;
}

/** The mean progress of the maps, 0 to 1. */
function mapProgress(event: RunEvent): number {
  return event.kind === "job-progressed" ? (event.phases[0]?.score ?? 0) : 0;
}
