import { setTimeout } from "node:timers/promises";
import { keepHeapsSmall } from "../page-server/memory.ts";
import { packed, wholePage } from "../page-server/one-file.ts";
import { PageSource } from "../page-server/page-source.ts";
import { checkPort } from "../page-server/port.ts";
import { type PageServer, servePage } from "../page-server/server.ts";
import { command, type Register } from "./command.ts";
import { EXIT, type ExitCode } from "./exit-code.ts";
import { wholeNumber } from "./flags.ts";
import type { ToPage } from "./page/beside.ts";
import { Followed } from "./page/followed.ts";
import { checkRan, documentOf, isPlainJournal, openForPage } from "./page-of.ts";
import { type PolicyFlags, policiesOption, registryFrom } from "./policy-files.ts";
import { runJournal } from "./run-journal.ts";
import { line, type Shell } from "./shell.ts";

interface Flags extends PolicyFlags {
  readonly port: number;
  readonly intervals: boolean;
  readonly refusals?: boolean;
}

const EXAMPLES = ["page", "page .broomwagon/runs/ID", "page app-20261122-0001"];

export const registerPage: Register = (program, shell, end) => {
  program.addCommand(
    command("page", "serve the page of a run that goes on, or that is over", EXAMPLES)
      .argument("[run]", "id of a run, journal, or history of Spark or Hadoop; default: latest run")
      .option("--port <number>", "port on 127.0.0.1 (default: any)", wholeNumber(0, 65_535), 0)
      .option("--no-intervals", "leave out the intervals of a history's diagnosis")
      .option("--refusals", "work out what the policy refused, where the journal does not say")
      .addOption(policiesOption())
      .action(async (run: string | undefined, flags: Flags) =>
        end(await serve(runJournal(run), flags, shell)),
      ),
  );
};

/** Serves until Ctrl-C or, if another process started this one, until that process disconnects. */
async function serve(path: string, flags: Flags, shell: Shell): Promise<ExitCode> {
  await checkPort(flags.port, `--port ${flags.port}`);
  const signal = shell.listenForCtrlC();
  const source = new PageSource();
  const { policies = [], refusals = false } = flags;
  // The other process may have disconnected already; `process.connected` cannot tell.
  const isBeside = process.send !== undefined;
  const follows = isBeside || (await isPlainJournal(path));
  if (follows) keepHeapsSmall();
  else {
    const registry = await registryFrom(flags);
    const opened = await openForPage(path, { registry, refusals, onStored: () => {} });
    const { jobs } = opened.trace;
    checkRan(jobs, path);
    const document = documentOf(opened, jobs, { intervals: flags.intervals });
    if (opened.told !== undefined) source.origin = { journal: path };
    source.finish(packed(wholePage(document, jobs)));
  }
  const server = await servePage(source, { port: flags.port });
  let followed = follows ? new Followed(source, { path, policies, refusals }) : undefined;
  process.on("message", (message: ToPage) => {
    if ("study" in message) {
      source.learn(message.study);
      return;
    }
    const { journal, against } = message;
    void followed?.stop();
    source.restart();
    const beside = against === undefined ? {} : { against };
    followed = new Followed(source, { path: journal, policies, refusals, ...beside });
  });
  line(shell.out, server.address);
  if (!isBeside) line(shell.err, `The page of ${path}, for this machine alone; Ctrl-C ends it.`);
  line(shell.err, `From another machine: ssh -L ${server.port}:127.0.0.1:${server.port} HOST`);
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve());
    if (isBeside && !process.connected) resolve();
    process.on("disconnect", () => resolve());
  });
  if (!signal.aborted) await untilShown(source, server);
  await followed?.stop();
  await server.close();
  return EXIT.ok;
}

const LOOK_MS = 100;
/**
 * After a run has disconnected, its page lives this long: time for its diagnosis or, if its process
 * was killed, for its resumption, and for readers to receive the verdict.
 */
const SHOWN_MS = { most: 900_000, taken: 2_000 };

/** Resolves when the readers of a run have its verdict; at once if there are none. */
async function untilShown(source: PageSource, { readers }: PageServer): Promise<void> {
  const isOpen = (): boolean => source.whole === undefined && source.failure === undefined;
  for (let ms = 0; ms < SHOWN_MS.most && readers() > 0 && isOpen(); ms += LOOK_MS) {
    await setTimeout(LOOK_MS);
  }
  if (readers() > 0) await setTimeout(SHOWN_MS.taken);
}
