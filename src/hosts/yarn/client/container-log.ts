/** The end of a container's log, or all of it. */
export interface LogEnd {
  /** Of the whole file, when it was read. */
  readonly fileBytes: number;
  readonly contents: Buffer;
}

/** Reads the last bytes of a log; undefined: it is not there. */
export type ReadLogEnd = (bytes: number) => Promise<LogEnd | undefined>;

const LENGTH = /^LogLength:(\d+)$/m;
const CONTENTS = "LogContents:\n";

/**
 * Of what a NodeManager or the history server answers: lines about the log, `LogLength` among them,
 * then its bytes, then a remark. `asked`: how many bytes at most. Undefined: it has no such log.
 */
export function logEndOf(answer: Buffer, asked: number): LogEnd | undefined {
  const mark = answer.indexOf(CONTENTS);
  // The history server says so, in words, with status 200.
  if (mark < 0) return undefined;
  const [, length = "0"] = LENGTH.exec(answer.toString("latin1", 0, mark)) ?? [];
  const fileBytes = Number(length);
  const from = mark + CONTENTS.length;
  return { fileBytes, contents: answer.subarray(from, from + Math.min(asked, fileBytes)) };
}

/** What is new is looked for in so many bytes at first. */
const LOOK_BYTES = 16 * 1024;
const MISSED_BYTES_MAX = 8 * 1024 * 1024;

/** What has been added to a log of lines. */
export interface NewLines {
  readonly lines: readonly string[];
  /** Of what was too much to be read: older than the lines. */
  readonly passedOverBytes: number;
}

/**
 * Follows a log of lines while it grows: each time only its end is read. Of a log, Hadoop gives the
 * beginning or the end, and says how long it is.
 */
export class LogFollower {
  /** Up to here whole lines have been read. */
  #offset = 0;

  /** The whole lines since the last look. A line that is still being written comes later. */
  async newLines(read: ReadLogEnd): Promise<NewLines> {
    let end = await read(LOOK_BYTES);
    const missing = (end?.fileBytes ?? 0) - this.#offset;
    // It goes on growing meanwhile.
    if (missing > LOOK_BYTES) {
      end = await read(Math.min(missing + LOOK_BYTES, MISSED_BYTES_MAX));
    }
    if (end === undefined || end.fileBytes <= this.#offset) return NOTHING;
    const { fileBytes, contents } = end;
    const start = fileBytes - contents.length;
    // If there is a gap, the first line is what is left of one.
    const from = start <= this.#offset ? this.#offset - start : contents.indexOf("\n") + 1;
    const to = contents.lastIndexOf("\n") + 1;
    if (to <= from) return NOTHING;
    const passedOverBytes = start + from - this.#offset;
    this.#offset = start + to;
    return { lines: contents.toString("utf8", from, to - 1).split("\n"), passedOverBytes };
  }
}

const NOTHING: NewLines = { lines: [], passedOverBytes: 0 };
