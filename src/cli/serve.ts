import {
  MEMORY_BYTES_MIN,
  poolsParameter,
  prepareSocket,
  RUN_DEFAULTS,
  readPoolsFile,
  Service,
  SOCKET,
  SocketServer,
  socketPath,
  watchPoolsFile,
} from "../hosts/engine/index.ts";
import type { Discipline } from "../policy/policy.ts";
import { command, type Register } from "./command.ts";
import { EXIT, type ExitCode } from "./exit-code.ts";
import { byteSize, collect, taskTimeoutOption, wholeNumber } from "./flags.ts";
import { here } from "./here.ts";
import {
  type RackFlags,
  rackMbpsOption,
  racksFrom,
  racksOption,
  replicationOption,
} from "./rack-flags.ts";
import { engineDiscipline } from "./run.ts";
import { ServeLog } from "./serve-log.ts";
import { line, type Shell } from "./shell.ts";

interface Flags extends RackFlags {
  readonly socket: string;
  readonly nodes: number;
  readonly slots: number;
  readonly discipline: string;
  readonly set?: readonly string[];
  readonly pools?: string;
  readonly memory?: number;
  readonly taskTimeout: number;
  readonly runDir: string;
  readonly explain?: boolean;
  readonly quiet?: boolean;
}

const EXAMPLES = [
  "serve --nodes 4 --pools pools.txt",
  "serve --discipline late,sharing=capacity --pools queues.txt --memory 2GB",
];

export const registerServe: Register = (program, shell, end) => {
  program.addCommand(
    command("serve", "keep an engine for several jobs at once: submit, jobs, kill", EXAMPLES)
      .option("--socket <path>", "where it listens, for its user alone", SOCKET)
      .option("--nodes <count>", "node processes", wholeNumber(1, 256), RUN_DEFAULTS.nodes)
      .option("--slots <count>", "map slots, reduce slots", wholeNumber(1, 256), RUN_DEFAULTS.slots)
      .addOption(racksOption())
      .addOption(rackMbpsOption())
      .addOption(replicationOption())
      .option("--discipline <name>", "who gets which slot", "late,sharing=fair")
      .option("--set <seat.parameter=value>", "a policy's parameter; may be repeated", collect)
      .option("--pools <file>", "pools of fair, queues of capacity; read again when it changes")
      .option(
        "--memory <size>",
        "most that all processes hold together",
        byteSize(MEMORY_BYTES_MIN),
      )
      .addOption(taskTimeoutOption())
      .option("--run-dir <dir>", "where runs keep their journals", RUN_DEFAULTS.runDirectory)
      .option("--explain", "write refusals and their reasons into the journal too")
      .option("--quiet", "tell nothing of jobs")
      .action(async (flags: Flags) => end(await serve(flags, shell))),
  );
};

async function serve(flags: Flags, shell: Shell): Promise<ExitCode> {
  const signal = shell.listenForCtrlC();
  const path = socketPath(flags.socket);
  const discipline = disciplineOf(flags);
  // Checked before an engine exists whose files would stay.
  await prepareSocket(path);
  const log = new ServeLog();
  const tell = (text: string | undefined): void => {
    if (text !== undefined) line(shell.err, text);
  };
  const service = new Service({
    nodes: flags.nodes,
    slots: flags.slots,
    ...racksFrom(flags),
    discipline,
    taskTimeoutMs: flags.taskTimeout,
    runDirectory: flags.runDir,
    explain: flags.explain ?? false,
    ...(flags.memory !== undefined && { memoryBytes: flags.memory }),
    ...(flags.quiet !== true && { onEvent: (event) => tell(log.line(event)) }),
  });
  const unwatch = watchPools(flags, service, shell);
  let server: SocketServer | undefined;
  try {
    server = await SocketServer.listen(path, service);
    line(shell.out, `listening at ${here(path)}; Ctrl-C stops it, and the jobs that run`);
    await Promise.race([aborted(signal), service.broken]);
    return EXIT.ok;
  } finally {
    unwatch();
    await server?.close();
    await service.stop();
  }
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve());
  });

function disciplineOf({ discipline, set = [], pools }: Flags): Discipline {
  const asked = engineDiscipline(discipline, set);
  if (pools === undefined) return asked;
  const text = readPoolsFile(pools, asked);
  return engineDiscipline(discipline, [...set, `sharing.${poolsParameter(asked, pools)}=${text}`]);
}

/** An error in the file is reported, and the previous settings stay in force. */
function watchPools(flags: Flags, service: Service, shell: Shell): () => void {
  const { pools } = flags;
  if (pools === undefined) return () => {};
  const asked = engineDiscipline(flags.discipline, flags.set ?? []);
  return watchPoolsFile(pools, () => {
    try {
      service.tune(poolsParameter(asked, pools), readPoolsFile(pools, asked));
      line(shell.err, `${pools} was read again`);
    } catch (error) {
      line(shell.err, `${error instanceof Error ? error.message : error}; what was before holds`);
    }
  });
}
