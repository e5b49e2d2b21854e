import { resolve } from "node:path";
import { Option } from "commander";
import { ask, type JobOptions, REDUCES_MAX, SOCKET, socketPath } from "../hosts/engine/index.ts";
import { PRIORITIES, type Priority } from "../model/job.ts";
import { command, type MakeCommand } from "./command.ts";
import { EXIT, type ExitCode } from "./exit-code.ts";
import { collect, outputOption, type PrintFormat, wholeNumber } from "./flags.ts";
import { type JobFlags, jobOptions, withInputAndOutput } from "./input-output-flags.ts";
import { reportJobs } from "./jobs.ts";
import type { Shell } from "./shell.ts";

interface Flags extends JobFlags {
  readonly socket: string;
  readonly pool?: string;
  readonly priority?: Priority;
  readonly wait?: boolean;
  readonly format: PrintFormat;
}

const EXAMPLES = [
  "submit examples/word-count.ts --input 'logs/*.txt' --output counts",
  "submit examples/sort.ts --input data --output sorted --pool research --wait",
];

export const submitCommand: MakeCommand = (shell, end) =>
  withInputAndOutput(command("submit", "submit a job to the server", EXAMPLES))
    .argument("<job>", "the job file: a module in TypeScript or JavaScript")
    .option("--reduces <count>", "reduce tasks", wholeNumber(1, REDUCES_MAX))
    .option("--split-bytes <count>", "maximum input of a map task, in bytes", wholeNumber(1))
    .option(
      "--param <key=value>",
      "a parameter of the job, in ctx.params; may be repeated",
      collect,
    )
    .option("--compress", "compress shuffled data, for slow disks")
    .option("--overwrite", "replace the output directory if it is empty or an earlier output")
    .option("--pool <name>", "pool of the fair scheduler, or queue of the capacity scheduler")
    .addOption(
      new Option("--priority <name>", "priority within the pool or queue").choices(PRIORITIES),
    )
    .option("--wait", "wait for the job to end")
    .option("--socket <path>", "socket of the server", SOCKET)
    .addOption(outputOption())
    .action(async (job: string, flags: Flags) => end(await submit(job, flags, shell)));

async function submit(jobFile: string, flags: Flags, shell: Shell): Promise<ExitCode> {
  const path = socketPath(flags.socket);
  const options: JobOptions = {
    jobFile: resolve(jobFile),
    workingDirectory: process.cwd(),
    ...jobOptions(flags),
    ...(flags.pool !== undefined && { pool: flags.pool }),
    ...(flags.priority !== undefined && { priority: flags.priority }),
  };
  const submitted = await ask(path, { kind: "submit", options });
  const [{ job } = { job: "" }] = submitted;
  const rows = flags.wait ? await ask(path, { kind: "wait", job }) : submitted;
  reportJobs(rows, flags.format, shell);
  return rows.every(({ state }) => state === "running" || state === "succeeded")
    ? EXIT.ok
    : EXIT.failed;
}
