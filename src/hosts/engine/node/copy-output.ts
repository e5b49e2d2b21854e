import { mkdirSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { checksumName } from "../../../data/bytes/checksum.ts";
import { crc32 } from "../../../data/bytes/crc32.ts";
import type { KeptOutput } from "../messages.ts";
import { machineTime } from "../racks/link.ts";
import { LinkPath, type RackSeat, rackOfPath } from "../racks/racks.ts";

export interface CopyOutputQuery {
  /** The attempt's directory on this node, which is created. */
  readonly directory: string;
  /** Whether the node's disk is full. */
  readonly disk: Int32Array;
  readonly seat: RackSeat | undefined;
}

/**
 * Copies an output of another node, over the racks' links where these have a limit, and returns the
 * copy's path. Throws if the output cannot be read, has changed, or cannot be written. Does not
 * block the node's main thread.
 */
export async function copyOutput(output: KeptOutput, query: CopyOutputQuery): Promise<string> {
  const to = join(query.directory, "output");
  mkdirSync(query.directory, { recursive: true });
  const way = wayOf(output.path, query.seat);
  const source = await open(output.path, "r");
  try {
    const target = await open(to, "w");
    try {
      const checksum = await copyAll({ source, target, way, disk: query.disk });
      if (checksum !== output.checksum) throw new Error(`${output.path} is not what it was`);
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
    way?.close();
  }
  return to;
}

function wayOf(path: string, seat: RackSeat | undefined): LinkPath | undefined {
  const from = seat === undefined ? undefined : rackOfPath(path, seat);
  if (seat === undefined || from === undefined || from === seat.rack) return undefined;
  return new LinkPath(seat.links, { from, to: seat.rack });
}

async function copyAll(query: {
  readonly source: FileHandle;
  readonly target: FileHandle;
  readonly way: LinkPath | undefined;
  readonly disk: Int32Array;
}): Promise<string> {
  const { source, target, way, disk } = query;
  const block = Buffer.allocUnsafe(BLOCK_BYTES);
  let checksum = 0;
  for (;;) {
    const { bytesRead } = await source.read(block);
    if (bytesRead === 0) return checksumName(checksum);
    if (way !== undefined) await pass(way, bytesRead);
    if (Atomics.load(disk, 0) === 1) throw new Error("ENOSPC: no space left on device, write");
    const read = block.subarray(0, bytesRead);
    checksum = crc32(read, checksum);
    await target.appendFile(read);
  }
}

async function pass(way: LinkPath, bytes: number): Promise<void> {
  for (let left = bytes; left > 0; ) {
    const { bytes: taken, through } = way.take(left);
    left -= taken;
    const waitMs = through - machineTime();
    if (waitMs > 0) await sleep(waitMs);
  }
}

const BLOCK_BYTES = 256 * 1024;
