import { printable } from "../base/printable.ts";
import { type Ink, inkOf } from "./ink.ts";

/** What the process gives to its command. */
export interface Shell {
  /** Standard output: results, and nothing else with `-o json`. */
  readonly out: Sink;
  /** Standard error: messages, and the live display of a run. */
  readonly err: Sink;
  /** From now on Ctrl-C aborts the signal, and the command cleans up after itself. */
  listenForCtrlC(): AbortSignal;
}

export interface Sink {
  write(text: string): void;
  /** Writes bytes unchanged; resolves when there is room for more. */
  send(bytes: Uint8Array): Promise<void>;
  /** Whether somebody reads the stream on a terminal. */
  readonly isTerminal: boolean;
  /** Whether lines of the terminal can be redrawn. */
  readonly isLive: boolean;
  readonly ink: Ink;
  columns(): number;
  rows(): number;
}

/** A stream of the process. `CI` and `TERM=dumb` ask for lines that are not redrawn. */
export function sinkOf(stream: NodeJS.WriteStream, env: NodeJS.ProcessEnv): Sink {
  const isTerminal = stream.isTTY === true;
  return {
    write: (text) => void stream.write(text),
    send: (bytes) =>
      new Promise((resolve, reject) => {
        stream.write(bytes, (error) => (error ? reject(error) : resolve()));
      }),
    isTerminal,
    isLive: isTerminal && !env.CI && env.TERM !== "dumb",
    ink: inkOf(isTerminal, env),
    // A terminal that does not know its size says 0.
    columns: () => stream.columns || 100,
    rows: () => stream.rows || 40,
  };
}

/** Control characters in the text, which may come from a log, are shown and not obeyed. */
export const line = (sink: Sink, text = ""): void => sink.write(`${printable(text)}\n`);

/** Text in our own styles: what it shows from a log must be printable already. */
export const styledLine = (sink: Sink, text: string): void => sink.write(`${text}\n`);
