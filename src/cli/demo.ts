import { mkdirSync, rmSync } from "node:fs";
import { availableParallelism, loadavg } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { RUN_DEFAULTS, type RunEvent, type RunResult, run } from "../hosts/engine/index.ts";
import { bytes, seconds } from "../report/quantity.ts";
import type { Panel } from "../report/swimlanes/layout.ts";
import { command, type MakeCommand } from "./command.ts";
import { type DemoRun, type Pair, pairsOf, savedAsPrinted } from "./demo/gain.ts";
import { compareCounts, readCounts } from "./demo/plain-count.ts";
import {
  DEMO,
  type DemoPolicy,
  type DemoPolicyName,
  KILLED,
  LATE,
  OFF,
  policiesOf,
  SLOWED,
  scaledParameters,
} from "./demo/plan.ts";
import { reportText } from "./demo/report.ts";
import { type Text, writeText } from "./demo/text.ts";
import { displayOn, SILENT } from "./display/display.ts";
import { EXIT, type ExitCode } from "./exit-code.ts";
import { outputOption, type PrintFormat, wholeNumber } from "./flags.ts";
import { type DrawnRun, drawRuns, readRun } from "./journal-picture.ts";
import { jsonText } from "./json-text.ts";
import { type PageBeside, pageBeside, uiOption } from "./page/beside.ts";
import { writePicture } from "./picture-file.ts";
import { resultText } from "./run-result-text.ts";
import { line, type Shell } from "./shell.ts";
import { resultOf } from "./shown-run.ts";

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
const JOB = fileURLToPath(new URL("../../examples/word-count.ts", import.meta.url));
const DESCRIPTION = "run one job with a slow node, without copies and under LATE, and compare";

export const demoCommand: MakeCommand = (shell, end) =>
  command("demo", DESCRIPTION, ["demo", "demo --kill"])
    .option(
      "--runs <count>",
      "pairs of runs: without copies and under LATE",
      wholeNumber(1, 100),
      2,
    )
    .option("--kill", "kill another node too, in its first map")
    .option(
      "--megabytes <count>",
      "text to count (default: about ten seconds of work for one processor)",
      wholeNumber(1, 100_000),
    )
    .option("--dir <dir>", "directory for the text, the outputs and the picture", DIRECTORY)
    .option("--run-dir <dir>", "directory for journals", RUN_DEFAULTS.runDirectory)
    .option("--quiet", "show nothing while it runs")
    .addOption(uiOption())
    .addOption(outputOption())
    .action(async (flags: Flags) =>
      end(await new Demo(flags, shell, await pageBeside(flags, shell)).run()),
    );

const DIRECTORY = ".broomwagon/demo";

class Demo {
  readonly #flags: Flags;
  readonly #shell: Shell;
  readonly #textDirectory: string;
  readonly #signal: AbortSignal;
  readonly #page: PageBeside | undefined;
  /** The load of the machine before the demo, over a minute. */
  readonly #load = loadavg()[0] ?? 0;
  /** The journals of the pair that is being run. */
  readonly #journals = new Map<DemoPolicyName, string>();

  constructor(flags: Flags, shell: Shell, page: PageBeside | undefined) {
    this.#flags = flags;
    this.#shell = shell;
    this.#textDirectory = join(flags.dir, "demo-text");
    this.#signal = shell.listenForCtrlC();
    this.#page = page;
  }

  async run(): Promise<ExitCode> {
    mkdirSync(this.#flags.dir, { recursive: true });
    try {
      return await this.#runAll();
    } finally {
      this.#page?.end();
      rmSync(this.#textDirectory, { force: true, recursive: true });
    }
  }

  async #runAll(): Promise<ExitCode> {
    const { kill = false, megabytes, runs: pairs } = this.#flags;
    const asked = megabytes === undefined ? undefined : megabytes * MEGABYTE;
    const text = writeText(this.#textDirectory, asked);
    this.#print(textSentence(text));
    this.#print(clusterSentence(kill));
    const runs: DemoRun[] = [];
    for (let pair = 1; pair <= pairs; pair += 1) {
      for (const policy of policiesOf(pair)) {
        const { result, faults } = await this.#runJob(policy, pair, text);
        if (result.outcome !== "succeeded") {
          line(this.#shell.out, resultText(result, this.#shell.out.columns()));
          return this.#signal.aborted ? EXIT.interrupted : EXIT.failed;
        }
        const comparison = compareCounts(text.counts, text.copies, readCounts(result.output));
        const { name, title } = policy;
        runs.push({ policy: name, title, pair, result, faults, comparison });
        this.#print(`${title}, pair ${pair}: ${seconds(result.responseMs)}`);
      }
      if (policiesOf(pair)[0] === LATE) this.#showPair();
      this.#journals.clear();
    }
    const code = this.#report(runs);
    await this.#page?.hold(this.#signal);
    return code;
  }

  async #runJob(
    policy: DemoPolicy,
    pair: number,
    text: Text,
  ): Promise<{ readonly result: RunResult; readonly faults: readonly string[] }> {
    const title = `word count, ${policy.title}, pair ${pair} of ${this.#flags.runs}`;
    const display = this.#flags.quiet ? SILENT : displayOn(this.#shell.err, title);
    const faults: string[] = [];
    let isKilled = this.#flags.kill !== true;
    const onEvent = (event: RunEvent): void => {
      display.show(event);
      if (event.kind === "run-started") this.#show(event.journal, policy);
      if (event.kind === "fault") faults.push(`${event.node} ${event.what}`);
      if (isKilled || event.kind !== "attempt-started") return;
      if (event.node !== DEMO.killedNode) return;
      isKilled = true;
      running.inject(KILLED);
    };
    const running = run(JOB, {
      input: this.#textDirectory,
      output: join(this.#flags.dir, `${policy.name}-${pair}`),
      overwrite: true,
      discipline: policy.discipline,
      nodes: DEMO.nodes,
      slots: DEMO.slots,
      reduces: DEMO.reduces,
      // Each file is one map.
      splitBytes: text.bytes,
      faults: [SLOWED],
      runDirectory: this.#flags.runDir,
      signal: this.#signal,
      explain: this.#flags.ui !== undefined,
      onEvent,
    });
    const result = await resultOf(running).finally(() => display.end());
    return { result, faults };
  }

  /** A run of LATE beside the one without copies, which may have come first or not. */
  #show(journal: string, policy: DemoPolicy): void {
    const against = policy === LATE ? this.#journals.get(OFF.name) : undefined;
    this.#journals.set(policy.name, journal);
    this.#page?.show({ journal, ...(against !== undefined && { against }) });
  }

  /** LATE's run came first, and the one without copies is now over too. */
  #showPair(): void {
    const [journal, against] = [LATE, OFF].map(({ name }) => this.#journals.get(name));
    if (journal !== undefined && against !== undefined) this.#page?.show({ journal, against });
  }

  #report(runs: readonly DemoRun[]): ExitCode {
    const picture = join(this.#flags.dir, "runs.svg");
    const pairs = pairsOf(runs);
    writePicture(picture, () => drawPairs(pairs));
    const facts = { picture, load: this.#load, processors: availableParallelism() };
    const text =
      this.#flags.format === "json"
        ? jsonText("demo", {
            pairs: pairs.map(({ number, first, gain }) => ({ pair: number, first, gain })),
            runs,
            scaled: scaledParameters(),
            picture,
          })
        : reportText(runs, facts, this.#shell.out.columns());
    line(this.#shell.out, text);
    return runs.every(({ comparison }) => comparison.kind === "equal") ? EXIT.ok : EXIT.failed;
  }

  #print(text: string): void {
    if (!this.#flags.quiet) line(this.#shell.err, text);
  }
}

function textSentence({ bytes: size, sources }: Text): string {
  const { shortFiles, longFiles } = DEMO;
  const files = `${shortFiles} short and ${longFiles} long files`;
  return `Text: ${bytes(size)} in ${files}, from ${sources} files of installed packages, repeated.`;
}

function clusterSentence(kills: boolean): string {
  const { nodes, slowNode, slowFactor, killedNode } = DEMO;
  const share = `1/${slowFactor} of its CPU time`;
  const slow = `${nodes} node processes; ${slowNode} is throttled to ${share}`;
  const death = `, ${killedNode} is killed in its first map`;
  return `Cluster: ${slow}${kills ? death : ""}.`;
}

/**
 * All runs over one time axis, each run without copies above LATE's, which shows how much earlier
 * it ended. Time counts from the job's submission, as in the report.
 */
function drawPairs(pairs: readonly Pair[]): string {
  return drawRuns(
    pairs.flatMap(({ off, late, gain }) => {
      const [without, withCopies] = [drawnOf(off), drawnOf(late)];
      const { endsAt } = withCopies.panel.story;
      // No bracket where the runs cannot be compared.
      const baselineMs = gain.kind === "known" ? endsAt + savedAsPrinted({ off, late }) : endsAt;
      return [without, { ...withCopies, panel: { ...withCopies.panel, baselineMs } }];
    }),
  );
}

function drawnOf({ title, pair, result }: DemoRun): DrawnRun {
  const drawn = readRun(result.journal);
  return { ...drawn, panel: sinceSubmission({ ...drawn.panel, title: `${title}, pair ${pair}` }) };
}

/** The processes of one run may start more slowly than those of another. */
function sinceSubmission(panel: Panel): Panel {
  const { story, marks } = panel;
  const start = story.jobs[0]?.from ?? 0;
  const since = <T extends { readonly from: number; readonly to?: number }>(span: T): T => {
    const from = Math.max(0, span.from - start);
    return { ...span, from, ...(span.to !== undefined && { to: Math.max(0, span.to - start) }) };
  };
  return {
    ...panel,
    story: {
      ...story,
      bars: story.bars.map(since),
      jobs: story.jobs.map(since),
      silences: story.silences.map(since),
      endsAt: story.endsAt - start,
    },
    marks: marks.map(since),
  };
}
