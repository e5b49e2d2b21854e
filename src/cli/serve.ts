import {
  engineDiscipline,
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
import { aborted } from "../library/aborted.ts";
import type { Discipline } from "../policy/policy.ts";
import type { Registry } from "../policy/registry.ts";
import { command, type MakeCommand } from "./command.ts";
import { EXIT, type ExitCode } from "./exit-code.ts";
import { byteSize, collect, taskTimeoutOption, wholeNumber } from "./flags.ts";
import { here } from "./here.ts";
import { pageBeside, uiOption } from "./page/beside.ts";
import { type PolicyFlags, policiesOption, registryFrom } from "./policy-files.ts";
import { type RackFlags, racksFrom, withSlotsAndRacks } from "./rack-flags.ts";
import { ServeLog } from "./serve-log.ts";
import { line, type Shell } from "./shell.ts";

interface Flags extends PolicyFlags, RackFlags {
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
  readonly ui?: true | number;
}

const EXAMPLES = [
  "serve --nodes 4 --pools pools.txt",
  "serve --discipline late,sharing=capacity --pools queues.txt --memory 2GB",
];

export const serveCommand: MakeCommand = (shell, end) =>
  withSlotsAndRacks(
    command("serve", "start a server that runs several jobs at once", EXAMPLES)
      .option("--socket <path>", "socket to listen on, accessible to this user only", SOCKET)
      .option(
        "--nodes <count>",
        "number of node processes",
        wholeNumber(1, 256),
        RUN_DEFAULTS.nodes,
      ),
  )
    .option(
      "--discipline <name>",
      "a discipline, with policies replaced if wanted",
      "late,sharing=fair",
    )
    .option("--set <seat.parameter=value>", "set a parameter of a policy; may be repeated", collect)
    .addOption(policiesOption())
    .option("--pools <file>", "pools (fair) or queues (capacity); reloaded when the file changes")
    .option(
      "--memory <size>",
      "memory limit for all processes (default: a quarter of the machine's memory)",
      byteSize(MEMORY_BYTES_MIN),
    )
    .addOption(taskTimeoutOption())
    .option("--run-dir <dir>", "directory for runs and their journals", RUN_DEFAULTS.runDirectory)
    .option("--explain", "also write to the journal why nothing was launched")
    .option("--quiet", "print no events")
    .addOption(uiOption())
    .action(async (flags: Flags) => end(await serve(flags, shell)));

async function serve(flags: Flags, shell: Shell): Promise<ExitCode> {
  const signal = shell.listenForCtrlC();
  const path = socketPath(flags.socket);
  const registry = await registryFrom(flags);
  const discipline = disciplineOf(flags, registry);
  // Both are checked before an engine exists whose files would stay.
  const page = await pageBeside(flags, shell);
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
    explain: flags.explain ?? flags.ui !== undefined,
    ...(flags.memory !== undefined && { memoryBytes: flags.memory }),
    onEvent: (event) => {
      if (event.kind === "run-started") page?.show({ journal: event.journal });
      if (flags.quiet !== true) tell(log.line(event));
    },
  });
  const unwatch = watchPools(flags, registry, service, shell);
  let server: SocketServer | undefined;
  try {
    server = await SocketServer.listen(path, service);
    line(shell.out, `listening on ${here(path)}; Ctrl-C stops the server and its jobs`);
    await Promise.race([aborted(signal), service.broken]);
    return EXIT.ok;
  } finally {
    unwatch();
    page?.end();
    await server?.close();
    await service.stop();
  }
}

function disciplineOf(flags: Flags, registry: Registry): Discipline {
  const { discipline, pools, set = [] } = flags;
  const asked = engineDiscipline(discipline, set, registry);
  if (pools === undefined) return asked;
  const setting = `sharing.${poolsParameter(asked, pools)}=${readPoolsFile(pools, asked)}`;
  return engineDiscipline(discipline, [...set, setting], registry);
}

/** An error in the file is reported, and the previous settings stay in force. */
function watchPools(flags: Flags, registry: Registry, service: Service, shell: Shell): () => void {
  const { discipline, pools, set = [] } = flags;
  if (pools === undefined) return () => {};
  const asked = engineDiscipline(discipline, set, registry);
  return watchPoolsFile(pools, () => {
    try {
      service.tune(poolsParameter(asked, pools), readPoolsFile(pools, asked));
      line(shell.err, `reloaded ${pools}`);
    } catch (error) {
      line(
        shell.err,
        `${error instanceof Error ? error.message : error}; the previous settings stay in force`,
      );
    }
  });
}
