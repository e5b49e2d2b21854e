import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { machineTime } from "./link.ts";
import { LinkPath, type RackSeat, rackOfPath } from "./racks.ts";

/** Learns where the input lies that a thread is about to read. */
export interface InputPlace {
  /** The file lies in `rack`; undefined if it is the thread's own rack, or unknown. */
  lies(file: string, rack: number | undefined): void;
}

/**
 * Limits a slot thread's reads of files of other racks: each read passes the links of both racks
 * and waits until its bytes are through. The rack of a file that a node wrote follows from its
 * directory.
 */
export function watchReads(seat: RackSeat): InputPlace {
  const { rack: own, links } = seat;
  const { openSync, readSync, closeSync } = fs;
  const inputs = new Map<string, number>();
  const ways = new Map<number, LinkPath>();
  const far = new Map<number, LinkPath>();
  const rackOf = (path: string): number | undefined => inputs.get(path) ?? rackOfPath(path, seat);
  const wayFrom = (rack: number): LinkPath => {
    const way = ways.get(rack) ?? new LinkPath(links, { from: rack, to: own });
    ways.set(rack, way);
    return way;
  };
  Object.assign(fs, {
    openSync: (...what: Parameters<typeof openSync>): number => {
      const file = Reflect.apply(openSync, fs, what);
      const rack = typeof what[0] === "string" ? rackOf(what[0]) : undefined;
      if (rack !== undefined && rack !== own) far.set(file, wayFrom(rack));
      return file;
    },
    readSync: (file: number, ...what: readonly unknown[]): number => {
      const bytes: number = Reflect.apply(readSync, fs, [file, ...what]);
      const way = far.get(file);
      if (way !== undefined) pass(way, bytes);
      return bytes;
    },
    closeSync: (file: number): void => {
      far.delete(file);
      closeSync(file);
    },
  });
  // Modules that import these functions by name get the replacements too.
  syncBuiltinESMExports();
  return {
    lies: (file, rack) => {
      if (rack === undefined) inputs.delete(file);
      else inputs.set(file, rack);
    },
  };
}

/** Blocks the thread, as a read over a slow link would. */
function pass(way: LinkPath, bytes: number): void {
  for (let left = bytes; left > 0; ) {
    const { bytes: taken, through } = way.take(left);
    left -= taken;
    const waitMs = through - machineTime();
    if (waitMs > 0) Atomics.wait(NEVER_WOKEN, 0, 0, waitMs);
  }
}

const NEVER_WOKEN = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
