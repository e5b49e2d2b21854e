import { copyFileSync, existsSync } from "node:fs";
import { InputError } from "../base/input-error.ts";
import type { RunResult } from "../hosts/engine/index.ts";
import { LeftRunning, runOnYarn } from "../hosts/yarn/client/index.ts";
import { parseDiscipline } from "../policy/discipline.ts";
import { askWhetherToKill } from "./ask-whether-to-kill.ts";
import { EXIT, type ExitCode } from "./exit-code.ts";
import { writing } from "./files.ts";
import type { PrintFormat } from "./flags.ts";
import { type JobFlags, jobOptions } from "./input-output-flags.ts";
import { type PolicyFlags, registryFrom } from "./policy-files.ts";
import { reportResult } from "./run-result-text.ts";
import { line, type Shell } from "./shell.ts";
import { runShown, type Showing } from "./shown-run.ts";
import type { YarnFlags } from "./yarn-flags.ts";

/** The flags of `run` that also apply to a cluster. */
export interface RunOnYarnFlags extends JobFlags, PolicyFlags, YarnFlags {
  readonly discipline: string;
  readonly set?: readonly string[];
  readonly runDir: string;
  readonly quiet?: boolean;
  readonly ui?: true | number;
  readonly svg?: string;
  readonly format: PrintFormat;
}

export async function runJobOnYarn(
  jobFile: string,
  flags: RunOnYarnFlags,
  shell: Shell,
): Promise<ExitCode> {
  const { discipline, set: settings = [], conf: properties = [] } = flags;
  // Unknown parameters of a policy are refused before anything is submitted.
  const registry = await registryFrom(flags);
  parseDiscipline(discipline, settings, registry);
  refuseOnlyHere(flags);
  const shown = {
    title: `${jobFile} under ${discipline} on YARN`,
    run: ({ display, page, signal }: Showing) =>
      runOnYarn({
        jobFile,
        ...jobOptions(flags),
        ...(flags.hadoopConf !== undefined && { hadoopConf: flags.hadoopConf }),
        ...(flags.nodePath !== undefined && { nodePath: flags.nodePath }),
        onBadRecord: flags.onBadRecord,
        discipline,
        settings,
        registry,
        properties,
        runDirectory: flags.runDir,
        environment: process.env,
        signal,
        whenAborted: async (application, ended) => {
          display.hold();
          const asked = { input: process.stdin, output: process.stderr };
          return askWhetherToKill(application, ended, asked).finally(() => display.goOn());
        },
        onEvent: (event) => display.show(event),
        ...(page !== undefined && {
          onJournal: (path: string) => page.show({ journal: path, refusals: true }),
        }),
      }),
    report: (result: RunResult) => {
      copyJournal(result, flags, shell);
      reportResult(result, { ...flags, registry }, shell);
    },
  };
  try {
    return await runShown(shown, flags, shell);
  } catch (error) {
    if (!(error instanceof LeftRunning)) throw error;
    line(shell.err, `${error.application} goes on: ${error.page}`);
    line(shell.err, `its parts stay where it writes them: ${error.directory}`);
    return EXIT.interrupted;
  }
}

function copyJournal({ journal: from }: RunResult, { journal }: YarnFlags, { err }: Shell): void {
  if (journal === undefined) return;
  if (existsSync(from)) writing(journal, () => copyFileSync(from, journal));
  else line(err, `${journal} is not written: the job has left no journal`);
}

/** InputError for features that only the embedded engine has, and for malformed properties. */
function refuseOnlyHere({ input, output, badRecordsMax, conf = [] }: RunOnYarnFlags): void {
  const malformed = conf.find((property) => !/^[^=\s]+=/.test(property));
  if (malformed !== undefined) {
    throw new InputError("bad-flag", `--conf ${malformed}`, "expected KEY=VALUE");
  }
  if (output === "-" || input?.some((path) => /(^|=)-$/.test(path))) {
    throw new InputError("bad-flag", "-", "expected paths on HDFS with --on yarn");
  }
  if (badRecordsMax === undefined) return;
  const expected =
    "expected no limit with --on yarn: bad records are not counted over the whole job";
  throw new InputError("bad-flag", "--bad-records-max", expected);
}
