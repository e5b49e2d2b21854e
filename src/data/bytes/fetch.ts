import { rmSync } from "node:fs";
import { defined } from "../../base/assert.ts";
import { FetchError } from "./fetch-error.ts";
import { RunReader } from "./run-reader.ts";
import { writeRun } from "./run-writer.ts";

export interface FetchQuery {
  /** The map task's index. */
  readonly map: number;
  /** The map's output file. */
  readonly path: string;
  readonly partition: number;
  /** The run file to write, with one partition. */
  readonly to: string;
  /** See `RunOptions`. */
  readonly compress?: boolean;
}

export interface Fetched {
  readonly bytes: number;
  readonly records: number;
}

/**
 * Copies one partition of a map's output, checking each block; leaves no file behind if it fails.
 */
export function fetchSegment({ map, path, partition, to, compress }: FetchQuery): Fetched {
  const source = reading({ map, path }, () => new RunReader(path));
  try {
    const { segments } = writeRun(
      to,
      (writer) => {
        if (source.order === "any") writer.leaveUnordered();
        const blocks = source.blocks(partition);
        for (;;) {
          const { value: block, done } = reading({ map, path }, () => blocks.next());
          if (done) break;
          writer.writeBlock(block, block.readUInt32LE(4));
        }
        writer.endPartition();
      },
      { ...(compress !== undefined && { compress }) },
    );
    const { bytes, records } = defined(segments[0], "the one partition");
    return { bytes, records };
  } catch (error) {
    rmSync(to, { force: true });
    throw error;
  } finally {
    source.close();
  }
}

/** A failed read is the output's fault; a failed write is not. */
function reading<T>({ map, path }: { map: number; path: string }, read: () => T): T {
  try {
    return read();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new FetchError(map, path, reason.replace(`${path}: `, ""));
  }
}
