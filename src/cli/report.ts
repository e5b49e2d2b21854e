import { Option } from "commander";
import { InputError } from "../base/input-error.ts";
import type { TraceJob } from "../history/model.ts";
import { historyNamed } from "../library/history-paths.ts";
import { type AskedJob, checkRan, jobOf, type Opened } from "../library/job-of-history.ts";
import { oneFile } from "../page-server/one-file.ts";
import { packed, type WholePage, wholePage } from "../page-server/packed.ts";
import type { Registry } from "../policy/registry.ts";
import { attemptRows } from "../report/page/attempt-rows.ts";
import { chromeTrace } from "../report/page/chrome-trace.ts";
import { csv } from "../report/page/csv.ts";
import { pageOf } from "../report/page/from-trace.ts";
import { pageJson } from "../report/page/page-json.ts";
import { bytes, counted, seconds } from "../report/quantity.ts";
import { sampleOf } from "../whatif/sample.ts";
import { type Trial, trialsOf } from "../whatif/trial.ts";
import { tryPolicies } from "../whatif/try-policies.ts";
import { command, type MakeCommand } from "./command.ts";
import { EXIT, type ExitCode } from "./exit-code.ts";
import { collect } from "./flags.ts";
import { openBeside, openForPage, type PageHistory } from "./history/page-history.ts";
import { type Reading, withHistories } from "./history/reading.ts";
import { askedJob, type WhichJob } from "./history/which-job.ts";
import { checkPlace, writeWhole } from "./picture-file.ts";
import { type PolicyFlags, policiesOption, registryFrom } from "./policy-files.ts";
import { line, type Shell } from "./shell.ts";

const EXAMPLES = [
  "report .broomwagon/runs/ID --out report.html",
  "report app-20261122-0001 --whatif late,yarn,none --out report.html",
  "report tuesday.jhist --against monday.jhist --out report.html",
];

interface Flags extends PolicyFlags, WhichJob {
  readonly against?: string;
  readonly whatif?: string;
  readonly set?: readonly string[];
  readonly intervals: boolean;
  readonly refusals?: boolean;
  readonly format: (typeof FORMATS)[number];
  readonly out?: string;
}

const FORMATS = ["html", "csv", "json", "chrome-trace"] as const;
const ENDINGS = { html: "html", csv: "csv", json: "json", "chrome-trace": "json" } as const;

/** At most a million tasks and their copies; and from how many attempts on a page opens slowly. */
const ATTEMPTS = { most: 1_200_000, slow: 300_000 };

export const reportCommand: MakeCommand = (shell, end) =>
  command("report", "write a page about a past run: one HTML file that works offline", EXAMPLES)
    .argument("[run]", "id of a run, journal, or history of Spark or Hadoop; default: latest run")
    .option("--job <id>", "the job of the history, or of Spark (default: that lost most)")
    .option("--query <number>", "this query of SQL alone")
    .option("--stage <number>", "this stage alone, or this phase: --stage map")
    .option("--against <history>", "set it beside another run of the job")
    .option("--whatif <names>", "run the job again under these disciplines, in the simulator")
    .option(
      "--set <seat.parameter=value>",
      "change a parameter of the disciplines of --whatif that have it; may be repeated",
      collect,
    )
    .option("--no-intervals", "leave out the intervals, which take most of the time")
    .option("--refusals", "work out what the policy refused, where the journal does not say")
    .addOption(new Option("--format <what>", "what to write").choices(FORMATS).default("html"))
    .option("--out <file>", "the file to write (default: report.html, .csv or .json)")
    .addOption(policiesOption())
    .action(async (run: string | undefined, flags: Flags) => end(await write(run, flags, shell)));

async function write(run: string | undefined, flags: Flags, shell: Shell): Promise<ExitCode> {
  const began = performance.now();
  const { format, out = `report.${ENDINGS[format]}`, refusals = false, intervals } = flags;
  checkPlace("--out", out);
  const registry = await registryFrom(flags);
  const policies = trialsAsked(flags, registry);
  const history = historyNamed(run);
  const other = flags.against === undefined ? undefined : historyNamed(flags.against);
  const histories = other === undefined ? [history] : [history, other];
  const whole = await withHistories(histories, { registry, shell }, async (reading) => {
    const options = { registry, refusals, onStored: reading.onStored };
    const opened = await openForPage(history, options);
    const beside = other && (await openBeside(other, options));
    const jobs = jobsOf(opened, askedJob(flags));
    checkRan(jobs, opened.place);
    checkSize(jobs, opened, reading);
    reading.show("diagnosing");
    const { source } = opened.trace;
    const tried = (job: TraceJob) =>
      tryPolicies(job, { policies, registry, source, sampler: sampleOf, onRun: reading.onRun() });
    const ofWorst = (job: TraceJob) => ({
      ...beside?.(opened, job),
      ...(policies.length > 0 && { whatif: tried(job) }),
    });
    return wholePage(pageOf(opened.trace, { ...opened, jobs, intervals, ofWorst }), jobs);
  });
  const text = textIn(format, whole);
  writeWhole("--out", out, text);
  const took = seconds(performance.now() - began);
  const size = bytes(Buffer.byteLength(text));
  const count = counted(whole.document.attempts.length, "attempt");
  line(shell.out, `${out}, ${size}, ${count}, ${took}`);
  return EXIT.ok;
}

/** InputError if a name or a setting is unknown. */
function trialsAsked({ whatif, set = [] }: Flags, registry: Registry): readonly Trial[] {
  if (whatif !== undefined) return trialsOf(whatif.split(","), set, registry);
  if (set.length === 0) return [];
  throw new InputError("bad-flag", `--set ${set[0]}`, "expected --whatif beside it");
}

function textIn(format: Flags["format"], whole: WholePage): string {
  switch (format) {
    case "csv":
      return csv(attemptRows(whole.document));
    case "json":
      return pageJson(whole.document);
    case "chrome-trace":
      return chromeTrace(whole.document);
    default:
      return oneFile(packed(whole));
  }
}

/** InputError if no browser would open the page; a note if it opens slowly. */
function checkSize(jobs: readonly TraceJob[], { place }: Opened, reading: Reading): void {
  const attempts = jobs
    .flatMap(({ phases }) => phases)
    .reduce((sum, phase) => sum + phase.attempts.length, 0);
  if (attempts > ATTEMPTS.most) {
    const found = `found ${attempts} attempts${jobs.length > 1 ? "; name one job with --job" : ""}`;
    throw new InputError("bad-input", place, `expected at most ${ATTEMPTS.most}: ${found}`);
  }
  if (attempts > ATTEMPTS.slow) {
    reading.say(`${attempts} attempts: a browser takes some seconds to open the page`);
  }
}

/** All jobs of a journal, which share a cluster; of a history one. */
function jobsOf(opened: PageHistory, asked: AskedJob): readonly TraceJob[] {
  const isAsked = Object.values(asked).some((one) => one !== undefined);
  return !isAsked && opened.log !== undefined ? opened.trace.jobs : [jobOf(opened, asked)];
}
