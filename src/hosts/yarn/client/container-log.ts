/** The end of a container's log, or all of it. */
export interface LogEnd {
  /** The size of the whole file when it was read. */
  readonly fileBytes: number;
  readonly contents: Buffer;
}

/** Reads the last bytes of a log; undefined if there is no log. */
export type ReadLogEnd = (bytes: number) => Promise<LogEnd | undefined>;

const LENGTH = /^LogLength:(\d+)$/m;
const CONTENTS = "LogContents:\n";

/**
 * Parses the answer of a NodeManager or of the history server: lines about the log, `LogLength`
 * among them, then its bytes, then a remark. `asked`: the limit of bytes that was requested.
 * Undefined if the server has no such log.
 */
export function logEndOf(answer: Buffer, asked: number): LogEnd | undefined {
  const mark = answer.indexOf(CONTENTS);
  // For a missing log the history server answers a message, with status 200.
  if (mark < 0) return undefined;
  const [, length = "0"] = LENGTH.exec(answer.toString("latin1", 0, mark)) ?? [];
  const fileBytes = Number(length);
  const from = mark + CONTENTS.length;
  return { fileBytes, contents: answer.subarray(from, from + Math.min(asked, fileBytes)) };
}

/** The first look for new lines reads this much. */
const LOOK_BYTES = 16 * 1024;
const MISSED_BYTES_MAX = 8 * 1024 * 1024;

/** The lines added to a log since the last look. */
export interface NewLines {
  readonly lines: readonly string[];
  /** Bytes that were skipped because too many were new; they precede the lines. */
  readonly passedOverBytes: number;
}

/**
 * Follows a growing log of lines by reading only its end each time. Hadoop serves the beginning or
 * the end of a log, and its length.
 */
export class LogFollower {
  /** The offset up to which whole lines have been read. */
  #offset = 0;

  /** The whole lines since the last look. An unfinished line comes with a later look. */
  async newLines(read: ReadLogEnd): Promise<NewLines> {
    let end = await read(LOOK_BYTES);
    const missing = (end?.fileBytes ?? 0) - this.#offset;
    // The log may grow between two requests, hence the extra bytes.
    if (missing > LOOK_BYTES) {
      end = await read(Math.min(missing + LOOK_BYTES, MISSED_BYTES_MAX));
    }
    if (end === undefined || end.fileBytes <= this.#offset) return NOTHING;
    const { fileBytes, contents } = end;
    const start = fileBytes - contents.length;
    // After a gap the first line is incomplete and is dropped.
    const from = start <= this.#offset ? this.#offset - start : contents.indexOf("\n") + 1;
    const to = contents.lastIndexOf("\n") + 1;
    if (to <= from) return NOTHING;
    const passedOverBytes = start + from - this.#offset;
    this.#offset = start + to;
    return { lines: contents.toString("utf8", from, to - 1).split("\n"), passedOverBytes };
  }
}

const NOTHING: NewLines = { lines: [], passedOverBytes: 0 };
