import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { machineTime } from "./link.ts";
import { LinkPath, type RackSeat, rackOfPath } from "./racks.ts";

/** Where the input lies that a thread is about to read. */
export interface InputPlace {
  /** The file lies on that rack; undefined: on its own, or it is not known where. */
  lies(file: string, rack: number | undefined): void;
}

/**
 * The files of other racks, as a node's slot threads see them: whatever they read of these passes
 * the links of both racks, and waits until it is through. Files that nodes have written lie where
 * their directory says.
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
  // Modules that import them by name get these too.
  syncBuiltinESMExports();
  return {
    lies: (file, rack) => {
      if (rack === undefined) inputs.delete(file);
      else inputs.set(file, rack);
    },
  };
}

/** Blocks the thread, as a read from far away would. */
function pass(way: LinkPath, bytes: number): void {
  for (let left = bytes; left > 0; ) {
    const { bytes: taken, through } = way.take(left);
    left -= taken;
    const waitMs = through - machineTime();
    if (waitMs > 0) Atomics.wait(NEVER_WOKEN, 0, 0, waitMs);
  }
}

const NEVER_WOKEN = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
