import type { Command } from "commander";
import { InputError } from "../base/input-error.ts";
import type { Place } from "../base/shape.ts";
import {
  checkFault,
  engineDiscipline,
  MEMORY_BYTES_MIN,
  REDUCES_MAX,
  RUN_DEFAULTS,
  type RunEvent,
  type RunOptions,
  type RunResult,
  rackNames,
  run,
} from "../hosts/engine/index.ts";
import type { Fault } from "../model/fault.ts";
import { command, type MakeCommand } from "./command.ts";
import type { ExitCode } from "./exit-code.ts";
import { readFaults } from "./fault-file.ts";
import {
  byteSize,
  collect,
  killFault,
  nodeNames,
  outputOption,
  type PrintFormat,
  slowFault,
  taskTimeoutOption,
  wholeNumber,
} from "./flags.ts";
import { type JobFlags, jobOptions, withInputAndOutput } from "./input-output-flags.ts";
import { uiOption } from "./page/beside.ts";
import { checkPlace } from "./picture-file.ts";
import { type PolicyFlags, policiesOption, registryFrom } from "./policy-files.ts";
import { printOutput } from "./printed-output.ts";
import { type RackFlags, racksFrom, withSlotsAndRacks } from "./rack-flags.ts";
import { reportResult } from "./run-result-text.ts";
import type { Shell } from "./shell.ts";
import { runShown, type Showing } from "./shown-run.ts";
import { checkHostFlags, withYarnFlags, type YarnFlags } from "./yarn-flags.ts";

interface Flags extends JobFlags, PolicyFlags, RackFlags, YarnFlags {
  readonly ui?: true | number;
  readonly nodes: number;
  readonly slots: number;
  readonly discipline: string;
  readonly set?: readonly string[];
  readonly memory?: number;
  readonly taskTimeout: number;
  readonly slow?: readonly string[];
  readonly kill?: readonly string[];
  readonly chaos?: string;
  readonly runDir: string;
  readonly explain?: boolean;
  readonly svg?: string;
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

export const runCommand: MakeCommand = (shell, end) =>
  withSlotsAndRacks(
    withYarnFlags(withInputAndOutput(command("run", DESCRIPTION, EXAMPLES)))
      .argument("<job>", "the job file: a module in TypeScript or JavaScript")
      .option(
        "--nodes <count>",
        "number of node processes: n1, n2, ...",
        wholeNumber(1, 256),
        RUN_DEFAULTS.nodes,
      ),
  )
    .option(
      "--discipline <name>",
      "a discipline, with policies replaced if wanted: late,sharing=fifo-plain",
      RUN_DEFAULTS.discipline,
    )
    .option("--set <seat.parameter=value>", "set a parameter of a policy; may be repeated", collect)
    .addOption(policiesOption())
    .option(
      "--reduces <count>",
      "reduce tasks (default: one per 64 MB of input, 1 to 64)",
      wholeNumber(1, REDUCES_MAX),
    )
    .option(
      "--memory <size>",
      "memory limit for all processes, such as 2GB (default: a quarter of the machine's memory)",
      byteSize(MEMORY_BYTES_MIN),
    )
    .addOption(taskTimeoutOption())
    .option("--compress", "compress shuffled data, for slow disks")
    .option("--split-bytes <count>", "maximum input of a map task, in bytes", wholeNumber(1))
    .option("--slow <node=factor>", "throttle a node's process; may be repeated", collect)
    .option("--kill <node@seconds>", "kill a node's process; may be repeated", collect)
    .option("--chaos <file>", "inject the faults of a JSON file or of a scenario")
    .option("--run-dir <dir>", "directory for runs and their journals", RUN_DEFAULTS.runDirectory)
    .option("--overwrite", "replace the output directory if it is empty or an earlier output")
    .option(
      "--param <key=value>",
      "a parameter of the job, in ctx.params; may be repeated",
      collect,
    )
    .option("--explain", "also write to the journal why nothing was launched")
    .option("--svg <file>", "draw the run: rows by node and slot")
    .option("--seed <number>", "random seed", wholeNumber(0), RUN_DEFAULTS.seed)
    .option("--quiet", "show no progress")
    .addOption(uiOption())
    .addOption(outputOption())
    .configureOutput({ outputError: (text, write) => write(withOrder(text)) })
    .action(async (job: string, flags: Flags, self: Command) => {
      checkHostFlags(self, flags);
      if (flags.svg !== undefined) checkPlace("--svg", flags.svg);
      const runs = flags.on === "yarn" ? await onYarn() : runJob;
      end(await runs(job, flags, shell));
    });

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
    const expected = "expected no -o json: standard output carries the job's output";
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
  const registry = await registryFrom(flags);
  const options: RunOptions = {
    ...jobOptions(flags),
    nodes: flags.nodes,
    slots: flags.slots,
    ...racksFrom(flags),
    discipline: engineDiscipline(flags.discipline, flags.set ?? [], registry),
    faults: faultsFrom(flags),
    runDirectory: flags.runDir,
    explain: flags.explain ?? flags.ui !== undefined,
    seed: flags.seed,
    taskTimeoutMs: flags.taskTimeout,
    ...(flags.memory === undefined ? {} : { memoryBytes: flags.memory }),
  };
  const shown = {
    title: `${jobFile} under ${flags.discipline}`,
    run: ({ display, page, signal }: Showing) => {
      const onEvent = (event: RunEvent): void => {
        display.show(event);
        if (event.kind === "run-started") page?.show({ journal: event.journal });
      };
      return run(jobFile, { ...options, signal, onEvent });
    },
    report: async (result: RunResult) => {
      const used = result.outcome === "succeeded" ? await use(result) : result;
      reportResult(used, { ...flags, registry }, shell);
    },
  };
  return runShown(shown, flags, shell);
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
