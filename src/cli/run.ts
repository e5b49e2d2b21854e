import {
  ENGINE_EXPIRY_MS,
  RUN_DEFAULTS,
  RunError,
  type RunOptions,
  type RunResult,
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
  collect,
  type Format,
  killFault,
  nodeNames,
  outputOption,
  paramsFrom,
  slowFault,
  wholeNumber,
} from "./flags.ts";
import { jsonText } from "./json-text.ts";
import { resultText } from "./run-result-text.ts";
import { line, type Shell } from "./shell.ts";

interface Flags {
  readonly input?: readonly string[];
  readonly output?: string;
  readonly nodes: number;
  readonly slots: number;
  readonly discipline: string;
  readonly set?: readonly string[];
  readonly reduces?: number;
  readonly splitBytes?: number;
  readonly slow?: readonly string[];
  readonly kill?: readonly string[];
  readonly chaos?: string;
  readonly runDir: string;
  readonly overwrite?: boolean;
  readonly param?: readonly string[];
  readonly explain?: boolean;
  readonly seed: number;
  readonly quiet?: boolean;
  readonly format: Format;
}

const EXAMPLES = [
  "run examples/word-count.ts --input 'logs/*.txt' --output counts",
  "run examples/grep.ts --input logs --output hits --param pattern=error --slow n2=4 --kill n3@5",
  "run examples/sort.ts --input data --output sorted --set speculation.speculativeCap=0.25",
];

export const registerRun: Register = (program, shell, end) => {
  program.addCommand(
    command("run", "run a job on an embedded cluster of node processes", EXAMPLES)
      .argument("<job>", "the job file: a module in TypeScript or JavaScript")
      .option(
        "-i, --input <glob...>",
        "files, directories or globs, after the job; in place of its own",
      )
      .option(
        "--output <dir>",
        "directory to be made for the part files; in place of the job's own",
      )
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
      .option(
        "--discipline <name>",
        "named discipline, with seats changed: late,sharing=fifo-plain",
        "late",
      )
      .option("--set <seat.parameter=value>", "a policy's parameter; may be repeated", collect)
      .option(
        "--reduces <count>",
        "reduce tasks (default: one per 64 MB of input, 1 to 64)",
        wholeNumber(1),
      )
      .option("--split-bytes <count>", "most bytes of a map's input", wholeNumber(1))
      .option("--slow <node=factor>", "really slow a node's process; may be repeated", collect)
      .option("--kill <node@seconds>", "really kill a node's process; may be repeated", collect)
      .option("--chaos <file>", "faults from a JSON file")
      .option("--run-dir <dir>", "where runs keep their journals", RUN_DEFAULTS.runDirectory)
      .option("--overwrite", "replace an output directory that is empty or an earlier output")
      .option("--param <key=value>", "what the job sees in ctx.params; may be repeated", collect)
      .option("--explain", "write refusals and their reasons into the journal too")
      .option("--seed <number>", "of the policies' chance", wholeNumber(0), RUN_DEFAULTS.seed)
      .option("--quiet", "show nothing while it runs")
      .addOption(outputOption())
      .configureOutput({ outputError: (text, write) => write(withOrder(text)) })
      .action(async (job: string, flags: Flags) => end(await runJob(job, flags, shell))),
  );
};

/** An `--input` takes all that follows it, a job too. */
const withOrder = (error: string): string =>
  error.replace(/^error: missing required argument 'job'/, "$&: it comes before --input");

async function runJob(jobFile: string, flags: Flags, shell: Shell): Promise<ExitCode> {
  const signal = shell.listenForCtrlC();
  const options: RunOptions = {
    jobFile,
    input: flags.input ?? [],
    nodes: flags.nodes,
    slots: flags.slots,
    discipline: engineDiscipline(flags.discipline, flags.set ?? []),
    faults: faultsFrom(flags),
    runDirectory: flags.runDir,
    overwrite: flags.overwrite ?? false,
    params: paramsFrom(flags.param ?? []),
    explain: flags.explain ?? false,
    seed: flags.seed,
    signal,
    ...(flags.output === undefined ? {} : { output: flags.output }),
    ...(flags.reduces === undefined ? {} : { reduces: flags.reduces }),
    ...(flags.splitBytes === undefined ? {} : { splitBytes: flags.splitBytes }),
  };
  const display = flags.quiet
    ? SILENT
    : displayOn(shell.err, `${jobFile} under ${flags.discipline}`);
  const result = await run({ ...options, onEvent: (event) => display.show(event) })
    .catch((error: unknown) => {
      if (error instanceof RunError) return error.result;
      throw error;
    })
    .finally(() => display.end());
  report(result, flags.format, shell);
  if (result.outcome === "succeeded") return EXIT.ok;
  return signal.aborted ? EXIT.interrupted : EXIT.failed;
}

function report(result: RunResult, format: Format, shell: Shell): void {
  line(shell.out, format === "json" ? jsonText(result) : resultText(result, shell.out.columns()));
}

/** A machine of Hadoop's is given up after ten minutes, a process of ours after ten seconds. */
export function engineDiscipline(text: string, sets: readonly string[]): Discipline {
  const asked = parseDiscipline(text, sets);
  const isGiven = sets.some((set) => set.startsWith("detection.expiryMs="));
  if (isGiven || asked.detection.policy.name !== "fixed-expiry") return asked;
  return parseDiscipline(text, [...sets, `detection.expiryMs=${ENGINE_EXPIRY_MS}`]);
}

function faultsFrom({ slow = [], kill = [], chaos, nodes }: Flags): readonly Fault[] {
  const names = nodeNames(nodes);
  return [
    ...(chaos === undefined ? [] : readFaults(chaos, names)),
    ...slow.map((text) => slowFault(text, names)),
    ...kill.map((text) => killFault(text, names)),
  ];
}
