import { CommanderError } from "commander";
import { never } from "../base/assert.ts";
import { InputError, type InputErrorCode } from "../base/input-error.ts";

/** The exit codes of the process; `docs/cli.md` has the same table. */
export const EXIT = {
  ok: 0,
  /** The job failed, or a check failed. */
  failed: 1,
  /** An unknown command or flag, policy or parameter. */
  usage: 2,
  /** A missing or malformed file; an unreachable cluster. */
  badFile: 3,
  /** Ctrl-C. */
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

export function exitCodeOf(error: unknown): ExitCode {
  if (error instanceof InputError) return exitCodeOfInput(error.code);
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
  return EXIT.failed;
}

function exitCodeOfInput(code: InputErrorCode): ExitCode {
  switch (code) {
    case "unknown-policy":
    case "unknown-parameter":
    case "bad-parameter":
    case "missing-capability":
    case "bad-flag":
    case "output-exists":
      return EXIT.usage;
    case "missing-file":
    case "bad-scenario":
    case "bad-experiment":
    case "bad-journal":
    case "bad-job":
    case "bad-policies":
    case "bad-input":
    case "no-answer":
    case "bad-event":
    case "no-cluster":
      return EXIT.badFile;
    default:
      return never(code);
  }
}
