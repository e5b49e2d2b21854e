import { copyFileSync, existsSync } from "node:fs";
import { InputError } from "../base/input-error.ts";
import { RunError } from "../hosts/engine/index.ts";
import { LeftRunning, runOnYarn } from "../hosts/yarn/client/index.ts";
import { parseDiscipline } from "../policy/discipline.ts";
import { askWhetherToKill } from "./ask-whether-to-kill.ts";
import { displayOn, SILENT } from "./display/display.ts";
import { EXIT, type ExitCode } from "./exit-code.ts";
import { writing } from "./files.ts";
import { type PrintFormat, paramsFrom } from "./flags.ts";
import type { InputOutputFlags } from "./input-output-flags.ts";
import { pageBeside } from "./page/beside.ts";
import { type PolicyFlags, registryFrom } from "./policy-files.ts";
import { reportResult } from "./run-result-text.ts";
import { line, type Shell } from "./shell.ts";
import type { YarnFlags } from "./yarn-flags.ts";

/** The flags of `run` that also apply to a cluster. */
export interface RunOnYarnFlags extends InputOutputFlags, PolicyFlags, YarnFlags {
  readonly discipline: string;
  readonly set?: readonly string[];
  readonly reduces?: number;
  readonly splitBytes?: number;
  readonly compress?: boolean;
  readonly runDir: string;
  readonly overwrite?: boolean;
  readonly param?: readonly string[];
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
  const signal = shell.listenForCtrlC();
  const page = await pageBeside(flags, shell);
  const display = flags.quiet
    ? SILENT
    : displayOn(shell.err, `${jobFile} under ${discipline} on YARN`);
  try {
    const result = await runOnYarn({
      jobFile,
      input: flags.input ?? [],
      ...(flags.output !== undefined && { output: flags.output }),
      ...(flags.outputFormat !== undefined && { outputChange: flags.outputFormat }),
      onBadRecord: flags.onBadRecord,
      ...(flags.reduces !== undefined && { reduces: flags.reduces }),
      ...(flags.splitBytes !== undefined && { splitBytes: flags.splitBytes }),
      ...(flags.hadoopConf !== undefined && { hadoopConf: flags.hadoopConf }),
      ...(flags.nodePath !== undefined && { nodePath: flags.nodePath }),
      params: paramsFrom(flags.param ?? []),
      discipline,
      settings,
      registry,
      properties,
      compress: flags.compress ?? false,
      overwrite: flags.overwrite ?? false,
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
    }).catch((error: unknown) => {
      if (error instanceof RunError) return error.result;
      throw error;
    });
    display.end();
    page?.end();
    if (page !== undefined) line(shell.err, `\`broomwagon page ${result.id}\` shows it again`);
    const { journal } = flags;
    if (journal !== undefined && existsSync(result.journal)) {
      writing(journal, () => copyFileSync(result.journal, journal));
    } else if (journal !== undefined) {
      line(shell.err, `${journal} is not written: the job has left no journal`);
    }
    reportResult(result, { ...flags, registry }, shell);
    if (result.outcome === "succeeded") return EXIT.ok;
    return signal.aborted ? EXIT.interrupted : EXIT.failed;
  } catch (error) {
    display.end();
    page?.end();
    if (!(error instanceof LeftRunning)) throw error;
    line(shell.err, `${error.application} goes on: ${error.page}`);
    line(shell.err, `its parts stay where it writes them: ${error.directory}`);
    return EXIT.interrupted;
  }
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
