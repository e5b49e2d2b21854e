import { ask, type JobRow, SOCKET, socketPath } from "../hosts/engine/index.ts";
import { seconds } from "../report/quantity.ts";
import { command, type MakeCommand } from "./command.ts";
import { EXIT, type ExitCode } from "./exit-code.ts";
import { outputOption, type PrintFormat } from "./flags.ts";
import { here } from "./here.ts";
import { jsonText } from "./json-text.ts";
import { line, type Shell } from "./shell.ts";
import { type Column, right, table } from "./table.ts";

interface Flags {
  readonly socket: string;
  readonly format: PrintFormat;
}

export const jobsCommand: MakeCommand = (shell, end) =>
  command("jobs", "list the server's jobs, newest last", ["jobs", "jobs -o json"])
    .option("--socket <path>", "socket of the server", SOCKET)
    .addOption(outputOption())
    .action(async (flags: Flags) => end(await jobs(flags, shell)));

export const killCommand: MakeCommand = (shell, end) =>
  command("kill", "kill a job of the server", ["kill word-count"])
    .argument("<job>", "job name, as shown by `jobs`")
    .option("--socket <path>", "socket of the server", SOCKET)
    .addOption(outputOption())
    .action(async (job: string, flags: Flags) => end(await kill(job, flags, shell)));

async function jobs({ socket, format }: Flags, shell: Shell): Promise<ExitCode> {
  reportJobs(await ask(socketPath(socket), { kind: "jobs" }), format, shell);
  return EXIT.ok;
}

async function kill(job: string, { socket, format }: Flags, shell: Shell): Promise<ExitCode> {
  const path = socketPath(socket);
  const [before] = await ask(path, { kind: "kill", job });
  if (before !== undefined && before.state !== "running") {
    line(shell.err, `${job} had already ended: ${before.state}`);
  }
  reportJobs(await ask(path, { kind: "wait", job }), format, shell);
  return EXIT.ok;
}

const COLUMNS: readonly Column[] = [
  { title: "job" },
  { title: "state" },
  { title: "pool", leaveOut: 2 },
  { title: "priority", leaveOut: 1 },
  right("done"),
  right("running", 3),
  right("time"),
  { title: "output" },
  { title: "message" },
];

export function reportJobs(rows: readonly JobRow[], format: PrintFormat, shell: Shell): void {
  if (format === "json") {
    line(shell.out, jsonText("jobs", { jobs: rows }));
    return;
  }
  const cells = rows.map((row) => [
    row.job,
    row.state,
    row.pool,
    row.priority,
    `${row.done}/${row.tasks}`,
    String(row.running),
    seconds(row.responseMs),
    row.state === "failed" ? "" : here(row.output),
    row.message ?? "",
  ]);
  line(shell.out, rows.length === 0 ? "no jobs yet" : table(COLUMNS, cells, shell.out.columns()));
}
