import { closeSync, openSync, readSync } from "node:fs";
import { assert } from "../../../base/assert.ts";
import { encodeIndex } from "../../../data/bytes/run-format.ts";
import { RunReader } from "../../../data/bytes/run-reader.ts";
import type { FrameWriter } from "./frames.ts";
import { encodeShuffleKey, hearerOf } from "./shuffle-key.ts";
import { RESULTS_DIRECTORY, type TaskResult } from "./task-list.ts";

/** The bytes of one frame's value; each JVM on the way holds a few values at a time. */
export const CHUNK_BYTES = 256 * 1024;

/**
 * Sends a run file to Hadoop's shuffle: for each partition with records, a run file of that
 * partition alone. Blocks keep their stored form, each with its checksum.
 */
export function sendShuffled(out: FrameWriter, path: string, taskResult: TaskResult): void {
  const { source } = taskResult;
  const run = new RunReader(path);
  const handle = openSync(path, "r");
  try {
    const partitions = run.segments.length;
    for (const [partition, segment] of run.segments.entries()) {
      let chunk = 0;
      const put = (value: Uint8Array): void =>
        out.write(encodeShuffleKey({ partition, source, chunk: chunk++ }), value);
      if (partition === hearerOf(source, partitions)) put(Buffer.from(JSON.stringify(taskResult)));
      if (segment.records === 0) continue;
      chunk = 1;
      const { start, bytes } = segment;
      for (const piece of pieces(handle, { start, end: start + bytes })) put(piece);
      put(encodeIndex([{ ...segment, start: 0 }], run.order));
    }
  } finally {
    closeSync(handle);
    run.close();
  }
}

/** Sends a file under a name within the job's output directory. */
export function sendFile(out: FrameWriter, name: string, path: string): void {
  const handle = openSync(path, "r");
  try {
    const key = Buffer.from(name);
    // An empty first frame makes a file without bytes exist too.
    out.write(key, new Uint8Array(0));
    for (const piece of pieces(handle, { start: 0, end: Number.POSITIVE_INFINITY })) {
      out.write(key, piece);
    }
  } finally {
    closeSync(handle);
  }
}

/**
 * The bytes of a file up to `end` or the file's end. Each piece's buffer is reused for the next.
 */
function* pieces(
  handle: number,
  { start, end }: Record<"start" | "end", number>,
): Generator<Buffer, void, undefined> {
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  for (let at = start; at < end; ) {
    const read = readSync(handle, buffer, 0, Math.min(buffer.length, end - at), at);
    if (read === 0) {
      assert(end === Number.POSITIVE_INFINITY, "a run file is as long as its index says");
      return;
    }
    yield buffer.subarray(0, read);
    at += read;
  }
}

/** Sends the results of tasks, each once in the whole job. */
export function sendResults(
  out: FrameWriter,
  source: number,
  results: readonly TaskResult[],
): void {
  const lines = results.map((result) => `${JSON.stringify(result)}\n`).join("");
  out.write(Buffer.from(`${RESULTS_DIRECTORY}/${source}.ndjson`), Buffer.from(lines));
}
