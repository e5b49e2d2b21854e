import { assert } from "../../../base/assert.ts";

/**
 * The key of a frame from a map to Hadoop's shuffle: big-endian, so that bytes sort as numbers do.
 * The Java side's PartitionOfKey takes the first four bytes.
 */
export interface ShuffleKey {
  readonly partition: number;
  /** The task that wrote the output. */
  readonly source: number;
  /** 0: the source's `TaskResult`, as JSON; from 1 on, pieces of its run file. */
  readonly chunk: number;
}

const KEY_BYTES = 12;

export function encodeShuffleKey({ partition, source, chunk }: ShuffleKey): Buffer {
  const bytes = Buffer.allocUnsafe(KEY_BYTES);
  bytes.writeUInt32BE(partition, 0);
  bytes.writeUInt32BE(source, 4);
  bytes.writeUInt32BE(chunk, 8);
  return bytes;
}

export function decodeShuffleKey(bytes: Buffer): ShuffleKey {
  assert(bytes.length === KEY_BYTES, "a key of the shuffle has three numbers");
  const [partition, source, chunk] = [0, 4, 8].map((at) => bytes.readUInt32BE(at));
  assert(partition !== undefined && source !== undefined && chunk !== undefined, "three numbers");
  return { partition, source, chunk };
}

/** The partition that receives the result of a source. */
export const hearerOf = (source: number, partitions: number): number => source % partitions;
