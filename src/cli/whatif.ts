import { InputError } from "../base/input-error.ts";
import { historiesIn } from "../library/history-paths.ts";
import { jobOf, twinOf } from "../library/job-of-history.ts";
import { runJournal } from "../library/run-journal.ts";
import { SEEDS, TRIED } from "../library/try-on.ts";
import type { Registry } from "../policy/registry.ts";
import type { Trace } from "../trace/model.ts";
import { openTrace } from "../trace/open/open-trace.ts";
import type { WhatIf } from "../whatif/document.ts";
import { type Trial, trialsOf } from "../whatif/trial.ts";
import { type TryPoliciesOptions, tryPolicies } from "../whatif/try-policies.ts";
import { command, type Register } from "./command.ts";
import { LiveArea } from "./display/live-area.ts";
import { EXIT, type ExitCode } from "./exit-code.ts";
import { collect, outputOption, type PrintFormat, wholeNumber } from "./flags.ts";
import { HistoryProgress } from "./history-progress.ts";
import { jsonText } from "./json-text.ts";
import { type PolicyFlags, policiesOption, registryFrom } from "./policy-files.ts";
import { line, type Shell } from "./shell.ts";
import { type WhatIfJobs, whatIfJobsText } from "./whatif-jobs-text.ts";
import { whatIfText } from "./whatif-text.ts";

const EXAMPLES = [
  "whatif app-20261122-0001",
  "whatif app-20261122-0001 --advise --again app-20261121-0007",
  "whatif job.jhist --try late,yarn,none --seeds 40 -o json",
  "whatif job.jhist --try late --set speculation.runtimeMsMin=10000",
];

interface Flags extends PolicyFlags {
  readonly job?: string;
  readonly try?: readonly string[];
  readonly set?: readonly string[];
  readonly seeds: number;
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

export const registerWhatIf: Register = (program, shell, end) => {
  program.addCommand(
    command("whatif", "run a past job again under other policies, in the simulator", EXAMPLES)
      .argument("<history...>", "run, journal, history of Spark or Hadoop, directory, URL, or -")
      .option("--job <id>", "the job of the history (default: the one that lost most)")
      .option("--try <names>", `disciplines to try (default: ${TRIED.join(",")})`, namesIn)
      .option(
        "--set <seat.parameter=value>",
        "change a parameter of the disciplines that have it; may be repeated",
        collect,
      )
      .option("--seeds <count>", "paired runs per discipline", wholeNumber(2), SEEDS)
      .option("--rho <share>", "the part of bad luck that copies share, 0 to 1", rhoOf)
      .option("--again <history>", "a second run of the job, which tells that part")
      .option("--nodes <count>", "the job on this many nodes", wholeNumber(1, 10_000))
      .option("--slots <count>", "the job with this many slots a node", wholeNumber(1, 1_000))
      .option(
        "--advise",
        "try the settings of the system that ran the job, and say which to change",
      )
      .option("--anyway", "show rows although the simulator does not reproduce the record")
      .addOption(policiesOption())
      .addOption(outputOption())
      .action(async (paths: readonly string[], flags: Flags) =>
        end(await run(paths, flags, await registryFrom(flags), shell)),
      ),
  );
};

async function run(
  given: readonly string[],
  flags: Flags,
  registry: Registry,
  shell: Shell,
): Promise<ExitCode> {
  // An unknown name is refused before a history is read.
  const trials = trialsOf(flags.try ?? TRIED, flags.set ?? [], registry);
  const paths = given.flatMap((path) => historiesIn(runJournal(path)));
  refuseTogether(flags, paths.length);
  const area = shell.err.isLive ? new LiveArea(shell.err) : undefined;
  const progress = new HistoryProgress(area, paths);
  const read = (path: string): Promise<Trace> =>
    openTrace(path, { registry, onStored: (bytes) => progress.add(bytes) });
  try {
    const [only, another] = paths;
    const isOne = only !== undefined && another === undefined;
    const means = { registry, trials, read, shell, area, progress };
    return await (isOne ? whatIfOne(only, flags, means) : whatIfEach(paths, flags, means));
  } catch (error) {
    progress.end();
    throw error;
  }
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

interface Means {
  readonly registry: Registry;
  readonly trials: readonly Trial[];
  readonly read: (path: string) => Promise<Trace>;
  readonly shell: Shell;
  readonly area: LiveArea | undefined;
  readonly progress: HistoryProgress;
}

async function whatIfOne(path: string, flags: Flags, means: Means): Promise<ExitCode> {
  const { read, shell, area, progress } = means;
  const trace = await read(path);
  const job = jobOf(trace, { place: path, id: flags.job });
  const again = flags.again === undefined ? undefined : await read(flags.again);
  progress.end();
  const found = tryPolicies(job, {
    ...optionsOf(flags, trace, means),
    ...(again !== undefined && {
      again: twinOf(job, again, flags.again ?? ""),
    }),
  });
  area?.keep([]);
  if (flags.format === "json") line(shell.out, jsonText("whatif", found));
  else line(shell.out, whatIfText(found, shell.out.columns()));
  return isAnswered(found, flags) ? EXIT.ok : EXIT.failed;
}

/** The job of each history that lost most, one history in memory at a time. */
async function whatIfEach(paths: readonly string[], flags: Flags, means: Means): Promise<ExitCode> {
  const jobs: WhatIfJobs["jobs"][number][] = [];
  const unread: WhatIfJobs["unread"][number][] = [];
  const seen = new Set<string>();
  for (const history of paths) {
    try {
      const trace = await means.read(history);
      const job = jobOf(trace, { place: history, id: flags.job });
      // The same job may stand in several files.
      const key = `${job.id} ${trace.originMs + job.submittedAt}`;
      if (seen.has(key)) continue;
      seen.add(key);
      const found = tryPolicies(job, {
        ...optionsOf(flags, trace, means, history),
        thatRun: false,
      });
      jobs.push({ ...found, history });
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      unread.push({ history, reason: error.message });
    }
  }
  means.progress.end();
  means.area?.keep([]);
  const { out } = means.shell;
  const found = { jobs, unread };
  const isJson = flags.format === "json";
  line(out, isJson ? jsonText("whatif-jobs", found) : whatIfJobsText(found, out.columns()));
  return jobs.length > 0 ? EXIT.ok : EXIT.badFile;
}

function optionsOf(
  flags: Flags,
  trace: Trace,
  { registry, trials, area }: Means,
  history?: string,
): TryPoliciesOptions {
  const { nodes, slots, rho, advise = false, anyway = false } = flags;
  const size = {
    ...(nodes !== undefined && { nodes }),
    ...(slots !== undefined && { slots }),
  };
  const where = history === undefined ? "" : `${history}: `;
  return {
    policies: trials,
    seeds: flags.seeds,
    registry,
    source: trace.source,
    advise,
    anyway,
    ...(rho !== undefined && { rho }),
    ...((nodes !== undefined || slots !== undefined) && { size }),
    onRun: (done, all) => {
      if (done % 10 === 0) area?.draw([`${where}simulated ${done} of about ${all} runs`]);
    },
  };
}

const isAnswered = ({ gate, isNothingToTry }: WhatIf, { anyway }: Flags): boolean =>
  gate.verdict !== "bad" || isNothingToTry || anyway === true;

function rhoOf(text: string): number {
  const value = text.trim() === "" ? Number.NaN : Number(text);
  if (value >= 0 && value <= 1) return value;
  throw new InputError("bad-flag", `--rho ${text}`, "expected a number from 0 to 1");
}
