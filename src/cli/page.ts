import { aborted } from "../library/aborted.ts";
import { historyNamed } from "../library/history-paths.ts";
import { checkRan } from "../library/job-of-history.ts";
import { keepHeapsSmall } from "../page-server/memory.ts";
import { packed, wholePage } from "../page-server/packed.ts";
import { PageSource } from "../page-server/page-source.ts";
import { checkPort } from "../page-server/port.ts";
import { servePage } from "../page-server/server.ts";
import { pageOf } from "../report/page/from-trace.ts";
import { command, type MakeCommand } from "./command.ts";
import { EXIT, type ExitCode } from "./exit-code.ts";
import { wholeNumber } from "./flags.ts";
import { journalKind, openForPage } from "./history/page-history.ts";
import { withHistories } from "./history/reading.ts";
import { fromElsewhere, Shown } from "./page/shown.ts";
import { type PolicyFlags, policiesOption, registryFrom } from "./policy-files.ts";
import { line, type Shell } from "./shell.ts";

interface Flags extends PolicyFlags {
  readonly port: number;
  readonly intervals: boolean;
  readonly refusals?: boolean;
}

const EXAMPLES = ["page", "page .broomwagon/runs/ID", "page app-20261122-0001"];

export const pageCommand: MakeCommand = (shell, end) =>
  command("page", "serve the page of a run that goes on, or that is over", EXAMPLES)
    .argument("[run]", "id of a run, journal, or history of Spark or Hadoop; default: latest run")
    .option("--port <number>", "port on 127.0.0.1 (default: any)", wholeNumber(0, 65_535), 0)
    .option("--no-intervals", "leave out the intervals of a history's diagnosis")
    .option("--refusals", "work out what the policy refused, where the journal does not say")
    .addOption(policiesOption())
    .action(async (run: string | undefined, flags: Flags) => end(await serve(run, flags, shell)));

/** Serves until Ctrl-C. */
async function serve(run: string | undefined, flags: Flags, shell: Shell): Promise<ExitCode> {
  await checkPort(flags.port, `--port ${flags.port}`);
  const history = historyNamed(run);
  const { path } = history;
  const signal = shell.listenForCtrlC();
  const source = new PageSource();
  const { policies = [], refusals = false } = flags;
  const shown = new Shown(source);
  if ((await journalKind(path)) === "plain") {
    keepHeapsSmall();
    shown.follow({ path, policies, refusals });
    // This command shows a page, so it does not wait for the first reader.
    source.read();
  } else {
    const registry = await registryFrom(flags);
    const opened = await withHistories([history], { registry, shell }, ({ onStored }) =>
      openForPage(history, { registry, onStored, refusals }),
    );
    const { jobs } = opened.trace;
    checkRan(jobs, opened.place);
    const document = pageOf(opened.trace, { ...opened, intervals: flags.intervals });
    if (opened.log !== undefined) source.origin = { journal: path };
    source.finish(packed(wholePage(document, jobs)));
  }
  const server = await servePage(source, { port: flags.port });
  line(shell.out, server.address);
  line(shell.err, `The page of ${path}, for this machine alone; Ctrl-C ends it.`);
  line(shell.err, fromElsewhere(server.port));
  await aborted(signal);
  await shown.stop();
  await server.close();
  return EXIT.ok;
}
