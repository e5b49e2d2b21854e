import type { Command } from "commander";
import { InputError } from "../base/input-error.ts";
import type { Place } from "../base/shape.ts";
import {
  checkFault,
  ENGINE_EXPIRY_MS,
  MEMORY_BYTES_MIN,
  REDUCES_MAX,
  RUN_DEFAULTS,
  RunError,
  type RunOptions,
  type RunResult,
  rackNames,
  run,
} from "../hosts/engine/index.ts";
import type { Fault } from "../model/fault.ts";
import { parseDiscipline } from "../policy/discipline.ts";
import type { Discipline } from "../policy/policy.ts";
import { command, type Register } from "./command.ts";
import { displayOn, SILENT } from "./display/display.ts";
import { EXIT, type ExitCode } from "./exit-code.ts";
import { readFaults } from "./fault-file.ts";
import {
  byteSize,
  collect,
  killFault,
  nodeNames,
  outputOption,
  type PrintFormat,
  paramsFrom,
  slowFault,
  taskTimeoutOption,
  wholeNumber,
} from "./flags.ts";
import { type InputOutputFlags, onBadRecord, withInputAndOutput } from "./input-output-flags.ts";
import { printOutput } from "./printed-output.ts";
import {
  type RackFlags,
  rackMbpsOption,
  racksFrom,
  racksOption,
  replicationOption,
} from "./rack-flags.ts";
import { reportResult } from "./run-result-text.ts";
import type { Shell } from "./shell.ts";
import { checkHostFlags, withYarnFlags, type YarnFlags } from "./yarn-flags.ts";

interface Flags extends InputOutputFlags, RackFlags, YarnFlags {
  readonly nodes: number;
  readonly slots: number;
  readonly discipline: string;
  readonly set?: readonly string[];
  readonly reduces?: number;
  readonly splitBytes?: number;
  readonly memory?: number;
  readonly taskTimeout: number;
  readonly compress?: boolean;
  readonly slow?: readonly string[];
  readonly kill?: readonly string[];
  readonly chaos?: string;
  readonly runDir: string;
  readonly overwrite?: boolean;
  readonly param?: readonly string[];
  readonly explain?: boolean;
  readonly seed: number;
  readonly quiet?: boolean;
  readonly format: PrintFormat;
}

const DESCRIPTION = "run a job on an embedded cluster of node processes, or on Hadoop";

const EXAMPLES = [
  "run examples/word-count.ts --input 'logs/*.txt' --output counts",
  "run examples/grep.ts --input logs --output hits --param pattern=error --slow n2=4 --kill n3@5",
  "run examples/sort.ts --input data --output sorted --set speculation.speculativeCap=0.25",
  "run examples/word-count.ts --on yarn --input /logs --output counts",
];

export const registerRun: Register = (program, shell, end) => {
  program.addCommand(
    withYarnFlags(withInputAndOutput(command("run", DESCRIPTION, EXAMPLES)))
      .argument("<job>", "the job file: a module in TypeScript or JavaScript")
      .option(
        "--nodes <count>",
        "node processes, n1 and on",
        wholeNumber(1, 256),
        RUN_DEFAULTS.nodes,
      )
      .option(
        "--slots <count>",
        "map slots of a node, and reduce slots",
        wholeNumber(1, 256),
        RUN_DEFAULTS.slots,
      )
      .addOption(racksOption())
      .addOption(rackMbpsOption())
      .addOption(replicationOption())
      .option(
        "--discipline <name>",
        "named discipline, with seats changed: late,sharing=fifo-plain",
        "late",
      )
      .option("--set <seat.parameter=value>", "a policy's parameter; may be repeated", collect)
      .option(
        "--reduces <count>",
        "reduce tasks (default: one per 64 MB of input, 1 to 64)",
        wholeNumber(1, REDUCES_MAX),
      )
      .option(
        "--memory <size>",
        "most that all processes hold together above an idle cluster, such as 2GB",
        byteSize(MEMORY_BYTES_MIN),
      )
      .addOption(taskTimeoutOption())
      .option("--compress", "deflate what is shuffled: for slow disks")
      .option("--split-bytes <count>", "most bytes of a map's input", wholeNumber(1))
      .option("--slow <node=factor>", "really slow a node's process; may be repeated", collect)
      .option("--kill <node@seconds>", "really kill a node's process; may be repeated", collect)
      .option("--chaos <file>", "faults from a JSON file, or those of a scenario")
      .option("--run-dir <dir>", "where runs keep their journals", RUN_DEFAULTS.runDirectory)
      .option("--overwrite", "replace an output directory that is empty or an earlier output")
      .option("--param <key=value>", "what the job sees in ctx.params; may be repeated", collect)
      .option("--explain", "write refusals and their reasons into the journal too")
      .option("--seed <number>", "of the policies' chance", wholeNumber(0), RUN_DEFAULTS.seed)
      .option("--quiet", "show nothing while it runs")
      .addOption(outputOption())
      .configureOutput({ outputError: (text, write) => write(withOrder(text)) })
      .action(async (job: string, flags: Flags, self: Command) => {
        checkHostFlags(self, flags);
        const runs = flags.on === "yarn" ? await onYarn() : runJob;
        end(await runs(job, flags, shell));
      }),
  );
};

/** The client is loaded on demand, because it brings HTTP and more with it. */
const onYarn = async () => (await import("./run-on-yarn.ts")).runJobOnYarn;

/** `--input` takes all arguments after it, even the job. */
const withOrder = (error: string): string =>
  error.replace(/^error: missing required argument 'job'/, "$&: it comes before --input");

async function runJob(jobFile: string, flags: Flags, shell: Shell): Promise<ExitCode> {
  return flags.output === "-" ? runAndPrint(jobFile, flags, shell) : runTo(jobFile, flags, shell);
}

/** Standard output carries the job's output and nothing else. */
async function runAndPrint(jobFile: string, flags: Flags, shell: Shell): Promise<ExitCode> {
  if (flags.format === "json") {
    const expected = "expected no -o json beside it: standard output carries the job's output";
    throw new InputError("bad-flag", "--output -", expected);
  }
  const { output: _, outputFormat, ...others } = flags;
  const kept = { ...others, outputFormat: { ...outputFormat, isOneFile: true } };
  return runTo(jobFile, kept, { ...shell, out: shell.err }, (result) => printOutput(result, shell));
}

async function runTo(
  jobFile: string,
  flags: Flags,
  shell: Shell,
  use: (result: RunResult) => Promise<RunResult> = async (result) => result,
): Promise<ExitCode> {
  const signal = shell.listenForCtrlC();
  const options: RunOptions = {
    jobFile,
    input: flags.input ?? [],
    nodes: flags.nodes,
    slots: flags.slots,
    ...racksFrom(flags),
    discipline: engineDiscipline(flags.discipline, flags.set ?? []),
    faults: faultsFrom(flags),
    runDirectory: flags.runDir,
    overwrite: flags.overwrite ?? false,
    params: paramsFrom(flags.param ?? []),
    explain: flags.explain ?? false,
    seed: flags.seed,
    taskTimeoutMs: flags.taskTimeout,
    signal,
    ...(flags.output === undefined ? {} : { output: flags.output }),
    ...(flags.outputFormat === undefined ? {} : { outputChange: flags.outputFormat }),
    onBadRecord: onBadRecord(flags),
    ...(flags.reduces === undefined ? {} : { reduces: flags.reduces }),
    ...(flags.splitBytes === undefined ? {} : { splitBytes: flags.splitBytes }),
    ...(flags.memory === undefined ? {} : { memoryBytes: flags.memory }),
    compress: flags.compress ?? false,
  };
  const display = flags.quiet
    ? SILENT
    : displayOn(shell.err, `${jobFile} under ${flags.discipline}`);
  const result = await run({ ...options, onEvent: (event) => display.show(event) })
    .result.catch((error: unknown) => {
      if (error instanceof RunError) return error.result;
      throw error;
    })
    .finally(() => display.end());
  const succeeded = result.outcome === "succeeded";
  reportResult(succeeded ? await use(result) : result, flags.format, shell);
  if (succeeded) return EXIT.ok;
  return signal.aborted ? EXIT.interrupted : EXIT.failed;
}

/** Hadoop gives a machine up after ten minutes, the engine a process after ten seconds. */
export function engineDiscipline(text: string, sets: readonly string[]): Discipline {
  const asked = parseDiscipline(text, sets);
  const isGiven = sets.some((set) => set.startsWith("detection.expiryMs="));
  if (isGiven || asked.detection.policy.name !== "fixed-expiry") return asked;
  return parseDiscipline(text, [...sets, `detection.expiryMs=${ENGINE_EXPIRY_MS}`]);
}

function faultsFrom({ slow = [], kill = [], chaos, ...flags }: Flags): readonly Fault[] {
  const names = nodeNames(flags.nodes);
  const hasLimitedLinks = flags.rackMbps !== undefined;
  const targets = { nodes: names, racks: rackNames(flags.racks), hasLimitedLinks };
  const check = (fault: Fault, place: Place): void =>
    checkFault(fault, targets, (expected) => place.fail(expected));
  return [
    ...(chaos === undefined ? [] : readFaults(chaos, check)),
    ...slow.map((text) => slowFault(text, names)),
    ...kill.map((text) => killFault(text, names)),
  ];
}
