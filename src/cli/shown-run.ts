import { RunError, type RunResult } from "../hosts/engine/index.ts";
import { type Display, displayOn, SILENT } from "./display/display.ts";
import { EXIT, type ExitCode } from "./exit-code.ts";
import { type PageBeside, pageBeside, type UiFlags } from "./page/beside.ts";
import { line, type Shell } from "./shell.ts";

interface ShownFlags extends UiFlags {
  readonly quiet?: boolean;
}

/** What shows a run, and the signal that aborts the run. */
export interface Showing {
  readonly display: Display;
  readonly page: PageBeside | undefined;
  readonly signal: AbortSignal;
}

interface ShownRun {
  readonly title: string;
  run(showing: Showing): Promise<RunResult>;
  /** Prints the result, also that of a job that failed. */
  report(result: RunResult): Promise<void> | void;
}

/** Runs a job with its live display, and with its page if `--ui` asks for it. */
export async function runShown(
  { title, run, report }: ShownRun,
  flags: ShownFlags,
  shell: Shell,
): Promise<ExitCode> {
  const signal = shell.listenForCtrlC();
  const page = await pageBeside(flags, shell);
  const display = flags.quiet ? SILENT : displayOn(shell.err, title);
  const result = await resultOf(run({ display, page, signal })).finally(() => {
    display.end();
    page?.end();
  });
  if (page !== undefined) line(shell.err, `\`broomwagon page ${result.id}\` shows it again`);
  await report(result);
  if (result.outcome === "succeeded") return EXIT.ok;
  return signal.aborted ? EXIT.interrupted : EXIT.failed;
}

/** The result of a run, also of one whose job has failed. */
export const resultOf = (run: Promise<RunResult>): Promise<RunResult> =>
  run.catch((error: unknown) => {
    if (error instanceof RunError) return error.result;
    throw error;
  });
