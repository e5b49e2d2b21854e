import { runProgram } from "../../src/cli/program.ts";
import { paperShell } from "../cli/support/screen.ts";

/** What the command printed, and how it ended. */
interface Printed {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** The answer about one history; times in ms. */
export interface Answer {
  readonly printed: Printed;
  /** The sentences above the tables, as a reader sees them. */
  readonly firstLines: string;
  /** undefined if there is none. */
  readonly why: Told | undefined;
}

/** What these nets look at of the document that `why -o json` prints. */
export interface Told {
  readonly job: { readonly id: string };
  readonly responseMs: number;
  readonly delayMs: number;
  readonly usualMs: number;
  readonly causes: readonly ToldCause[];
  readonly parts: readonly {
    readonly part: string;
    readonly ms: number;
    readonly lowMs: number;
    readonly highMs: number;
  }[];
  readonly nodes: readonly {
    readonly node: string;
    readonly verdict: string;
    readonly factor: number;
    readonly lowFactor: number;
    readonly highFactor: number;
  }[];
  readonly copies?: { readonly made: number; readonly won: number };
}

export interface ToldCause {
  readonly cause: string;
  readonly ms: number;
  readonly lowMs: number;
  readonly highMs: number;
  readonly couldBeMs: number;
}

/** Asks `broomwagon why` twice: for a program and for a person. */
export async function ask(path: string, ...flags: readonly string[]): Promise<Answer> {
  const printed = await broomwagon("why", path, "-o", "json", ...flags);
  if (printed.code !== 0) return { printed, firstLines: "", why: undefined };
  const text = await broomwagon("why", path, "--no-intervals", ...flags);
  const [firstLines = ""] = text.out.split("\n\n").map((lines) => lines.replace(/\s+/g, " "));
  const told: Told | { readonly jobs: unknown } = JSON.parse(printed.out);
  // Several histories get a list, which has no causes.
  const why = "causes" in told ? told : undefined;
  return { printed: text.code === 0 ? printed : text, firstLines, why };
}

export async function broomwagon(...args: readonly string[]): Promise<Printed> {
  const shell = paperShell();
  const code = await runProgram(args, shell);
  return { code, out: shell.out.text, err: shell.err.text };
}
