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
  /** Whether the stream is a terminal, which can be redrawn and coloured. */
  readonly isLive: boolean;
  columns(): number;
  rows(): number;
}

/** A stream of the process. `NO_COLOR`, `CI` and `TERM=dumb` ask for plain lines. */
export function sinkOf(stream: NodeJS.WriteStream, env: NodeJS.ProcessEnv): Sink {
  const wantsPlain = Boolean(env.NO_COLOR) || Boolean(env.CI) || env.TERM === "dumb";
  return {
    write: (text) => void stream.write(text),
    send: (bytes) =>
      new Promise((resolve, reject) => {
        stream.write(bytes, (error) => (error ? reject(error) : resolve()));
      }),
    isLive: stream.isTTY === true && !wantsPlain,
    // A terminal that does not know its size says 0.
    columns: () => stream.columns || 100,
    rows: () => stream.rows || 40,
  };
}

export const line = (sink: Sink, text = ""): void => sink.write(`${text}\n`);
