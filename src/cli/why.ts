import { InvalidArgumentError } from "commander";
import { InputError } from "../base/input-error.ts";
import { printable } from "../base/printable.ts";
import { CAUSES, type Cause } from "../diagnose/cause.ts";
import type { Why } from "../diagnose/document.ts";
import { DEFAULT_LIMITS, type Limits } from "../diagnose/limits.ts";
import type { TraceJob } from "../history/model.ts";
import { TOP, whyOf } from "../library/explain.ts";
import { jobOf, type Opened } from "../library/job-of-history.ts";
import type { Registry } from "../policy/registry.ts";
import type { PaperFigure } from "../report/paper-figures.ts";
import { prospectOf } from "../whatif/prospect.ts";
import { command, type MakeCommand } from "./command.ts";
import { EXIT, type ExitCode } from "./exit-code.ts";
import { collect, outputOption, type PrintFormat, wholeNumber } from "./flags.ts";
import { historiesShown, withHistories } from "./history/reading.ts";
import { askedJob, type WhichJob, wordsFor } from "./history/which-job.ts";
import { jsonText } from "./json-text.ts";
import { type PolicyFlags, policiesOption, registryFrom } from "./policy-files.ts";
import { line, type Shell, styledLine } from "./shell.ts";
import { drawFigure, figureNamed } from "./why-figure.ts";
import { digestJobs, printJobs } from "./why-jobs.ts";
import { whyText } from "./why-text.ts";

const EXAMPLES = [
  "why 20261122-143308-2c1ffd",
  "why /tmp/spark-events/app-20261122-0001 --top 5",
  "why app-20261122-0001 --fail-on 'lost>10%' -o json",
  "why /tmp/spark-events --jobs --page month.html",
  "why app-20261122-0001 --figure mantri-fig1 --out figures",
];

interface Flags extends PolicyFlags, WhichJob {
  readonly jobs?: boolean;
  readonly top: number;
  readonly set?: readonly string[];
  readonly failOn?: readonly FailRule[];
  readonly explain?: Cause;
  readonly intervals: boolean;
  readonly cache: boolean;
  readonly page?: string;
  readonly figure?: PaperFigure;
  readonly out: string;
  readonly format: PrintFormat;
}

export const whyCommand: MakeCommand = (shell, end) =>
  command("why", "explain why a past job was late: seconds per cause", EXAMPLES)
    .argument("<history...>", "run, journal, history of Spark or Hadoop, directory, URL, or -")
    .option("--job <id>", "diagnose this job of the history, or this job of Spark: --job 7")
    .option("--query <number>", "diagnose this query of SQL alone")
    .option("--stage <number>", "diagnose this stage alone, or this phase: --stage map")
    .option("--jobs", "what all jobs of the histories say together, and the list of them")
    .option("--top <count>", "length of lists of attempts, nodes and copies", wholeNumber(1), TOP)
    .option("--set <limit=value>", "change a limit; may be repeated", collect)
    .option(
      "--fail-on <rule>",
      "exit with 1 if the rule holds, such as lost>10%, lost>60s or node>5%",
      (text: string, earlier: readonly FailRule[] = []) => [...earlier, parseFailRule(text)],
    )
    .option("--explain <cause>", "show which attempts a cause's seconds come from", causeNamed)
    .option("--no-intervals", "leave out the intervals, which take most of the time")
    .option("--page <file>", "with several histories: also write the answer as a page (HTML)")
    .option("--no-cache", "with several histories: read also those that were read before")
    .option("--figure <name>", "draw a figure of a paper, such as mantri-fig4", figureNamed)
    .option("--out <dir>", "directory for the figure and its values", ".")
    .addOption(policiesOption())
    .addOption(outputOption())
    .action(async (paths: readonly string[], flags: Flags) =>
      end(await whyAll(paths, flags, await registryFrom(flags), shell)),
    );

async function whyAll(
  given: readonly string[],
  flags: Flags,
  registry: Registry,
  shell: Shell,
): Promise<ExitCode> {
  const limits = readLimits(flags.set ?? []);
  const means = { limits, registry, shell };
  const histories = await historiesShown(given, shell);
  const [only, another] = histories;
  if (only !== undefined && another === undefined && flags.jobs !== true) {
    const opened = await withHistories(histories, means, (reading) => reading.open(only));
    if (flags.figure !== undefined) {
      const paths = drawFigure(flags.figure, opened, { asked: askedJob(flags), out: flags.out });
      for (const path of paths) line(shell.out, path);
      return EXIT.ok;
    }
    return whyOne(opened, flags, means);
  }
  refuseParts(flags);
  const isFresh = !flags.cache;
  const found = await withHistories(histories, means, (reading) =>
    digestJobs(histories, reading, { limits, isFresh }),
  );
  return printJobs(found, { out: shell.out, format: flags.format, page: flags.page });
}

/** InputError if a part of a job is named beside several histories. */
function refuseParts({ query, stage }: Flags): void {
  const asked = query === undefined ? stage && `--stage ${stage}` : `--query ${query}`;
  if (asked !== undefined)
    throw new InputError("bad-flag", asked, "expected one history, no --jobs");
}

interface Means {
  readonly limits: Limits;
  readonly registry: Registry;
  readonly shell: Shell;
}

function whyOne(opened: Opened, flags: Flags, { limits, registry, shell }: Means): ExitCode {
  const job = jobOf(opened, { ...askedJob(flags), limits });
  const why = whyOf(opened, job, { limits, top: flags.top, intervals: flags.intervals });
  const { out, err } = shell;
  if (flags.format === "json") line(out, jsonText("why", why));
  else {
    const { explain, policies = [] } = flags;
    const next = nextCommand({ opened, job, delayMs: why.delayMs, registry, policies });
    const answer = out.isTerminal ? "last" : "first";
    const sheet = { width: out.columns(), ink: out.ink };
    const shown = { explain, answer, next: printable(next), top: flags.top } as const;
    styledLine(out, whyText(why, { ...sheet, ...shown }));
  }
  const failed = (flags.failOn ?? []).filter((rule) => holds(rule, why));
  for (const { text } of failed) line(err, `failed: ${text}`);
  return failed.length > 0 ? EXIT.failed : EXIT.ok;
}

/** `--set slowNodeMin=1.5`. */
function readLimits(sets: readonly string[]): Limits {
  const limits = { ...DEFAULT_LIMITS };
  for (const text of sets) {
    const [, name = "", amount = ""] = /^(\w+)=(.+)$/.exec(text) ?? [];
    const value = Number(amount);
    const known = LIMIT_NAMES.find((each) => each === name);
    if (known === undefined || !(value > 0)) {
      const expected = `expected LIMIT=NUMBER with a limit of ${LIMIT_NAMES.join(", ")}`;
      throw new InputError("bad-flag", `--set ${text}`, expected);
    }
    Object.assign(limits, { [known]: value });
  }
  return limits;
}

const LIMIT_NAMES = Object.keys(DEFAULT_LIMITS);

function causeNamed(text: string): Cause {
  const found = CAUSES.find((cause) => cause === text.toLowerCase());
  if (found !== undefined) return found;
  throw new InputError("bad-flag", `--explain ${text}`, `expected one of ${CAUSES.join(", ")}`);
}

/** A condition on a diagnosis, such as `lost>10%`. */
interface FailRule {
  readonly text: string;
  readonly of: Cause | "lost" | "copies.wasted";
  readonly limit: number;
  readonly unit: "share" | "ms";
  /** Whether a cause counts by its value; by default it counts by its lower bound. */
  readonly byValue: boolean;
}

const NAMES = ["lost", "copies.wasted", ...CAUSES] as const;

/** A value parser for commander: `lost>10%`, `~node>5s`. */
function parseFailRule(text: string): FailRule {
  const [, tilde, name, amount = "", unit] =
    /^(~?)([\w.-]+)\s*>\s*(\d+(?:\.\d+)?)\s*(%|s)$/.exec(text) ?? [];
  const of = NAMES.find((known) => known === name?.toLowerCase());
  if (of === undefined) {
    throw new InvalidArgumentError(
      `Expected NAME>N% or NAME>Ns, such as lost>10%; names: ${NAMES.join(", ")}.`,
    );
  }
  const limit = unit === "%" ? Number(amount) / 100 : Number(amount) * 1_000;
  return { text, of, limit, unit: unit === "%" ? "share" : "ms", byValue: tilde === "~" };
}

function holds({ of, limit, unit, byValue }: FailRule, why: Why): boolean {
  const ms = measured(of, why, byValue);
  return (unit === "ms" ? ms : ms / totalOf(of, why)) > limit;
}

function measured(of: FailRule["of"], why: Why, byValue: boolean): number {
  if (of === "lost") return why.delayMs;
  if (of === "copies.wasted") return why.copies?.wastedMs ?? 0;
  const row = why.causes.find(({ cause }) => cause === of);
  if (row === undefined) return 0;
  return byValue ? row.ms : (row.lowMs ?? row.ms);
}

/** Wasted slot time is a share of all slot time, seconds of response a share of the response. */
const totalOf = (of: FailRule["of"], { responseMs, slotMs }: Why): number =>
  of === "copies.wasted" ? slotMs : responseMs;

/** What the diagnosed job was read from. */
interface Diagnosed {
  readonly opened: Opened;
  readonly job: TraceJob;
  readonly delayMs: number;
  readonly registry: Registry;
  /** The files of `--policies`. */
  readonly policies: readonly string[];
}

/** Less than this share of the response is not worth a what-if. */
const LITTLE = 0.01;
/** A what-if of more attempts takes many minutes, and the look whether it can answer seconds. */
const ATTEMPTS_MAX = 20_000;

/**
 * The command after `why`: a what-if where it can answer and there is time to gain, which also
 * advises on settings if the system has any; or else the page of the job.
 */
function nextCommand({ opened, job, delayMs, registry, policies }: Diagnosed): string {
  const { trace, place: path } = opened;
  const { source } = trace;
  const isLate = delayMs > LITTLE * (job.endedAt - job.submittedAt);
  const attempts = job.phases.reduce((sum, phase) => sum + phase.attempts.length, 0);
  const isWorth = isLate && attempts <= ATTEMPTS_MAX;
  const prospect = isWorth ? prospectOf(job, { source, registry }) : "nothing";
  const words = [
    ...(prospect === "nothing" ? ["report", path] : ["whatif", path]),
    ...wordsFor(job, trace.jobs.length < 2),
    ...policies.flatMap((file) => ["--policies", file]),
    ...(prospect === "settings" ? ["--advise"] : []),
  ];
  const start = path === "-" ? "... | npx broomwagon" : "npx broomwagon";
  return `${start} ${words.map(quoted).join(" ")}`;
}

/** A word as a shell reads it. */
const quoted = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
