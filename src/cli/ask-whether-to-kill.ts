import { once } from "node:events";
import { createInterface } from "node:readline";

/** The streams of the question: a terminal, if both belong to one. */
export interface Asked {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean | undefined };
  readonly output: NodeJS.WritableStream & { readonly isTTY?: boolean | undefined };
}

/**
 * Asks after Ctrl-C whether to kill the application or let it continue without its client. The
 * application is killed without a terminal, on yes, Return and the end of the input; it is left
 * running on any other word, which the user can still correct, and on a second Ctrl-C. When `ended`
 * aborts, the question is over and its answer means nothing.
 */
export async function askWhetherToKill(
  application: string,
  ended: AbortSignal,
  { input, output }: Asked,
): Promise<"kill" | "leave"> {
  if (!input.isTTY || !output.isTTY) return "kill";
  const terminal = createInterface({ input, output });
  const again = new AbortController();
  terminal.on("SIGINT", () => again.abort());
  const signal = AbortSignal.any([ended, again.signal]);
  try {
    terminal.setPrompt(`kill ${application}? [Y/n] (Ctrl-C leaves it running) `);
    terminal.prompt();
    const answers = ["line", "close"].map((event) => once(terminal, event, { signal }));
    // An empty answer takes the default, which stands first.
    const [text = ""] = await Promise.race(answers);
    return /^\s*(y|$)/i.test(text) ? "kill" : "leave";
  } catch {
    output.write("\n");
    return "leave";
  } finally {
    terminal.close();
  }
}
