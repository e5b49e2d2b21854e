import { once } from "node:events";
import { createInterface } from "node:readline";

/** Where the question is asked: the terminal, if both are of one. */
export interface Asked {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean | undefined };
  readonly output: NodeJS.WritableStream & { readonly isTTY?: boolean | undefined };
}

/**
 * After Ctrl-C: whether the application is killed, or goes on without us. Killed where nobody looks
 * on, on yes, Return and the end of the input; left by any other word, which can be made good, and
 * by a second Ctrl-C. The question is over when `ended` aborts; its answer means nothing then.
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
    // Without a word it is the answer that stands first.
    const [text = ""] = await Promise.race(answers);
    return /^\s*(y|$)/i.test(text) ? "kill" : "leave";
  } catch {
    output.write("\n");
    return "leave";
  } finally {
    terminal.close();
  }
}
