import { InputError } from "../base/input-error.ts";
import { span } from "../diagnose/figures.ts";
import { slotMsAt } from "../history/columns.ts";
import type { TraceJob } from "../history/model.ts";
import { historyNamed, type NamedHistory } from "../library/history-paths.ts";
import { type AskedJob, jobOf, type Opened, twinOf } from "../library/job-of-history.ts";
import { TRIED } from "../library/try-on.ts";
import type { Registry } from "../policy/registry.ts";
import { counted } from "../report/quantity.ts";
import {
  type ChangeTable,
  changeTables,
  changeText,
  signedPercent,
} from "../whatif/change-text.ts";
import type { WhatIf } from "../whatif/document.ts";
import { sampleOf } from "../whatif/sample.ts";
import { summed, summedText } from "../whatif/summed.ts";
import { trialsOf } from "../whatif/trial.ts";
import { type TryPoliciesOptions, tryPolicies } from "../whatif/try-policies.ts";
import { command, type MakeCommand } from "./command.ts";
import { EXIT, type ExitCode } from "./exit-code.ts";
import { collect, outputOption, type PrintFormat, wholeNumber } from "./flags.ts";
import { JobsOnce, listJobs } from "./history/job-list.ts";
import { historiesShown, type Reading, withHistories } from "./history/reading.ts";
import { askedJob, type WhichJob } from "./history/which-job.ts";
import { jsonText } from "./json-text.ts";
import { type PolicyFlags, policiesOption, registryFrom } from "./policy-files.ts";
import { line, type Shell, type Sink } from "./shell.ts";
import { right, table, wrap } from "./table.ts";

const EXAMPLES = [
  "whatif app-20261122-0001",
  "whatif app-20261122-0001 --advise --again app-20261121-0007",
  "whatif job.jhist --try late,yarn,none --seeds 40 -o json",
  "whatif job.jhist --try late --set speculation.runtimeMsMin=10000",
];

interface Flags extends PolicyFlags, WhichJob {
  readonly try?: readonly string[];
  readonly set?: readonly string[];
  readonly seeds?: number;
  readonly rho?: number;
  readonly again?: string;
  readonly nodes?: number;
  readonly slots?: number;
  readonly advise?: boolean;
  readonly anyway?: boolean;
  readonly format: PrintFormat;
}

/** Names may be separated by commas, or each have its own flag. */
const namesIn = (text: string, earlier: readonly string[] = []): readonly string[] => [
  ...earlier,
  ...text.split(","),
];

export const whatIfCommand: MakeCommand = (shell, end) =>
  command("whatif", "run a past job again under other policies, in the simulator", EXAMPLES)
    .argument("<history...>", "run, journal, history of Spark or Hadoop, directory, URL, or -")
    .option("--job <id>", "the job of the history, or of Spark (default: that lost most)")
    .option("--query <number>", "this query of SQL alone")
    .option("--stage <number>", "this stage alone, or this phase: --stage map")
    .option("--try <names>", `disciplines to try (default: ${TRIED.join(",")})`, namesIn)
    .option(
      "--set <seat.parameter=value>",
      "change a parameter of the disciplines that have it; may be repeated",
      collect,
    )
    .option(
      "--seeds <count>",
      "paired runs per discipline (default: 20; 10 above 5,000 attempts)",
      wholeNumber(2),
    )
    .option("--rho <share>", "the part of bad luck that copies share, 0 to 1", rhoOf)
    .option("--again <history>", "a second run of the job, which tells that part")
    .option("--nodes <count>", "the job on this many nodes", wholeNumber(1, 10_000))
    .option("--slots <count>", "the job with this many slots a node", wholeNumber(1, 1_000))
    .option("--advise", "try the settings of the system that ran the job, and say which to change")
    .option("--anyway", "show rows although the simulator does not reproduce the record")
    .addOption(policiesOption())
    .addOption(outputOption())
    .action(async (paths: readonly string[], flags: Flags) =>
      end(await run(paths, flags, await registryFrom(flags), shell)),
    );

async function run(
  given: readonly string[],
  flags: Flags,
  registry: Registry,
  shell: Shell,
): Promise<ExitCode> {
  // An unknown name is refused before a history is read.
  const policies = trialsOf(flags.try ?? TRIED, flags.set ?? [], registry);
  const histories = await historiesShown(given, shell);
  refuseTogether(flags, histories.length);
  const { out } = shell;
  const { format } = flags;
  const options = { ...optionsIn(flags), policies, registry };
  const [only, another] = histories;
  if (only === undefined || another !== undefined) {
    const found = await withHistories(histories, { registry, shell }, (reading) =>
      jobsIn(histories, reading, { ...options, asked: askedJob(flags) }),
    );
    return printJobs(found, { out, format });
  }
  const again = flags.again === undefined ? undefined : historyNamed(flags.again);
  const both = again === undefined ? [only] : [only, again];
  const found = await withHistories(both, { registry, shell }, async (reading) => {
    const opened = await reading.open(only);
    const job = jobOf(opened, askedJob(flags));
    const second = again && (await reading.open(again));
    return tryPolicies(job, {
      ...{ ...options, source: opened.trace.source, onRun: reading.onRun() },
      ...(second !== undefined && { again: twinOf(job, second) }),
    });
  });
  line(out, format === "json" ? jsonText("whatif", found) : whatIfText(found, out.columns()));
  return isAnswered(found, flags) ? EXIT.ok : EXIT.failed;
}

function refuseTogether({ advise, again, nodes, slots }: Flags, histories: number): void {
  if (advise === true && (nodes !== undefined || slots !== undefined)) {
    const expected = "expected no --nodes and --slots: advice is for the recorded cluster";
    throw new InputError("bad-flag", "--advise", expected);
  }
  if (again !== undefined && histories !== 1) {
    throw new InputError("bad-flag", `--again ${again}`, `expected one history, not ${histories}`);
  }
}

type JobFound = WhatIf & { readonly history: string; readonly slotMs: number };

interface JobsFound {
  readonly jobs: readonly JobFound[];
  readonly unread: readonly { readonly history: string; readonly reason: string }[];
}

/** The answer for a job of each history; a job that stands in several counts once. */
async function jobsIn(
  histories: readonly NamedHistory[],
  reading: Reading,
  { asked, ...options }: TryPoliciesOptions & { readonly asked: AskedJob },
): Promise<JobsFound> {
  const once = new JobsOnce();
  const jobs: JobFound[] = [];
  const unread: JobsFound["unread"][number][] = [];
  for (const history of histories) {
    const listed = await listJobs(history, reading, {
      jobsOf: (opened) =>
        [jobOf(opened, asked)].filter((job) => once.isNew(identityOf(opened, job))),
      row: ({ trace, place }, job) => {
        const onRun = reading.onRun(`${place}: `);
        const asked = { ...options, source: trace.source, thatRun: false, onRun };
        return { ...tryPolicies(job, asked), history: place, slotMs: slotMsOf(job) };
      },
    });
    jobs.push(...listed.rows);
    unread.push(...listed.unread.map((reason) => ({ history: history.name, reason })));
  }
  return { jobs, unread };
}

const identityOf = ({ trace }: Opened, { id, submittedAt, endedAt, phases }: TraceJob) => ({
  id,
  submittedAt: trace.originMs + submittedAt,
  responseMs: endedAt - submittedAt,
  attempts: phases.reduce((sum, { attempts }) => sum + attempts.length, 0),
});

const COLUMNS = [{ title: "job" }, right("took"), right("simulated"), { title: "answer" }];

const FOOT =
  "simulated: what the simulator makes of the record under its own policy. " +
  "`broomwagon whatif HISTORY` has the rows of one.";

/** What each policy would save over all jobs, and each job's answer; it fails without a job. */
function printJobs(
  { jobs, unread }: JobsFound,
  { out, format }: { readonly out: Sink; readonly format: PrintFormat },
): ExitCode {
  const policies = summed(jobs.map(({ slotMs, ...found }) => ({ found, slotMs })));
  if (format === "json") line(out, jsonText("whatif-jobs", { jobs, unread, policies }));
  else {
    const width = out.columns();
    const cells = jobs.map(({ job, responseMs, gate, verdict }) => [
      ...[job, span(responseMs), signedPercent(gate.error), verdict[0] ?? ""],
    ]);
    const sums = jobs.length < 2 ? [] : policies.map((one) => summedText(one, jobs.length));
    const text = [
      ...sums.flatMap((sentence) => wrap(sentence, width)),
      ...(sums.length === 0 ? [] : [""]),
      table(COLUMNS, cells, width),
      "",
      ...wrap(`${counted(jobs.length, "job")}; ${FOOT}`, width),
      ...unread.map(({ reason }) => `not read: ${reason}`),
    ];
    line(out, text.join("\n"));
  }
  return jobs.length > 0 ? EXIT.ok : EXIT.badFile;
}

function slotMsOf({ phases }: TraceJob): number {
  let total = 0;
  for (const { attempts } of phases) {
    for (let row = 0; row < attempts.length; row++) total += slotMsAt(attempts, row);
  }
  return total;
}

function optionsIn({ seeds, nodes, slots, rho, advise = false, anyway = false }: Flags) {
  const size = { ...(nodes !== undefined && { nodes }), ...(slots !== undefined && { slots }) };
  return {
    ...{ advise, anyway, sampler: sampleOf },
    ...(seeds !== undefined && { seeds }),
    ...(rho !== undefined && { rho }),
    ...(Object.keys(size).length > 0 && { size }),
  };
}

const isAnswered = ({ gate, isNothingToTry }: WhatIf, { anyway }: Flags): boolean =>
  gate.verdict !== "bad" || isNothingToTry || anyway === true;

function rhoOf(text: string): number {
  const value = text.trim() === "" ? Number.NaN : Number(text);
  if (value >= 0 && value <= 1) return value;
  throw new InputError("bad-flag", `--rho ${text}`, "expected a number from 0 to 1");
}

/** The answer, how far it can be trusted, the rows, and where the numbers come from. */
function whatIfText(found: WhatIf, width: number): string {
  const { cannot, verdict, gateText, rows, notes, isNothingToTry } = found;
  const parts = [
    ...[...cannot, ...verdict].flatMap((text) => wrap(text, width)),
    ...(isNothingToTry ? [] : ["", ...wrap(gateText, width)]),
  ];
  if (rows.length === 0) return parts.join("\n");
  const tables = changeTables(found).flatMap((one) => ["", one.title, tableText(one, width)]);
  return [...parts, ...tables, "", ...notes.flatMap((text) => wrap(text, width))].join("\n");
}

function tableText({ heads, rows }: ChangeTable, width: number): string {
  const columns = [
    { title: "policy" },
    ...heads.map((title) => ({ title })),
    right("slot time", 1),
    right("copies", 3),
    right("won", 2),
  ];
  const cells = rows.map(({ policy, changes, shown }) => [
    policy,
    ...heads.map((_, n) => changeText(changes[n] ?? shown)),
    signedPercent(shown.slotShare),
    shown.copies.toFixed(1),
    shown.wins.toFixed(1),
  ]);
  return table(columns, cells, width);
}
