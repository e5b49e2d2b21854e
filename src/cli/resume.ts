import { existsSync } from "node:fs";
import { join } from "node:path";
import { RUN_DEFAULTS, type RunResult, resume } from "../hosts/engine/index.ts";
import { command, type MakeCommand } from "./command.ts";
import { EXIT, type ExitCode } from "./exit-code.ts";
import { outputOption, type PrintFormat } from "./flags.ts";
import { isToBePrinted, printOutput, unprintedIn } from "./printed-output.ts";
import { reportResult } from "./run-result-text.ts";
import type { Shell } from "./shell.ts";
import { runShown, type Showing } from "./shown-run.ts";

interface Flags {
  readonly runDir: string;
  readonly quiet?: boolean;
  readonly format: PrintFormat;
}

const EXAMPLES = [
  "resume 20260301-120000-a1b2c3",
  "resume .broomwagon/runs/20260301-120000-a1b2c3 -o json",
];

export const resumeCommand: MakeCommand = (shell, end) =>
  command("resume", "resume a run whose process was killed", EXAMPLES)
    .argument("<run>", "run id or run directory")
    .option("--run-dir <dir>", "directory for runs and their journals", RUN_DEFAULTS.runDirectory)
    .option("--quiet", "show no progress")
    .addOption(outputOption())
    .action(async (run: string, flags: Flags) => end(await resumeRun(run, flags, shell)));

async function resumeRun(run: string, flags: Flags, shell: Shell): Promise<ExitCode> {
  const isFolder = run.includes("/") || existsSync(join(run, "summary.json"));
  const unprinted = unprintedIn(isFolder ? run : join(flags.runDir, run));
  if (unprinted !== undefined) {
    reportResult(await printOutput(unprinted, shell), flags, { ...shell, out: shell.err });
    return EXIT.ok;
  }
  const resumed = {
    title: `resume ${run}`,
    run: ({ signal, display }: Showing) =>
      resume(run, {
        runDirectory: flags.runDir,
        signal,
        onEvent: (event) => display.show(event),
      }),
    report: async (result: RunResult) => {
      if (result.outcome === "succeeded" && isToBePrinted(result)) {
        reportResult(await printOutput(result, shell), flags, { ...shell, out: shell.err });
      } else reportResult(result, flags, shell);
    },
  };
  return runShown(resumed, flags, shell);
}
