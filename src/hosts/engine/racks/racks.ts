import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { LinksTaken } from "../../../model/fault.ts";
import { Link } from "./link.ts";

/** What a node's process needs to know to keep to the links' limits: plain data. */
export interface RackSeat {
  /** The node's own rack. */
  readonly rack: number;
  /** The directory of the links. */
  readonly links: string;
  /** Each node's directory of outputs, and its rack. */
  readonly nodes: readonly { readonly directory: string; readonly rack: number }[];
}

/** The rack of a file that a node has written; undefined if no node wrote the file. */
export const rackOfPath = (path: string, { nodes }: RackSeat): number | undefined =>
  nodes.find(({ directory }) => path.startsWith(`${directory}/`))?.rack;

/**
 * The rack from which a node reads data that these nodes hold; undefined if the node need not cross
 * racks. The task's number chooses among several other racks.
 */
export function rackToReadFrom(
  holders: readonly { readonly rack: number }[],
  { rack, task }: { readonly rack: number; readonly task: number },
): number | undefined {
  if (holders.length === 0 || holders.some((holder) => holder.rack === rack)) return undefined;
  return holders[task % holders.length]?.rack;
}

/** The link's file, in a directory that exists. */
const linkPath = (links: string, rack: number, way: "up" | "down"): string =>
  join(links, `rack-${rack + 1}.${way}`);

/** The way from one rack to another: up from the first, down to the second. */
export class LinkPath {
  readonly #up: Link;
  readonly #down: Link;

  constructor(links: string, { from, to }: { readonly from: number; readonly to: number }) {
    this.#up = new Link(linkPath(links, from, "up"));
    this.#down = new Link(linkPath(links, to, "down"));
  }

  /** Reserves the next chunk of `bytes`: its size, and the machine's time when it is through. */
  take(bytes: number): { readonly bytes: number; readonly through: number } {
    const taken = Math.min(bytes, this.#up.chunkBytes, this.#down.chunkBytes);
    const through = Math.max(this.#up.reserve(taken), this.#down.reserve(taken));
    return { bytes: taken, through };
  }

  close(): void {
    this.#up.close();
    this.#down.close();
  }
}

/**
 * The master's side of the racks' links: creates them, and sets the rates that background traffic
 * leaves.
 */
export class RackLinks {
  readonly directory: string;
  readonly #wholeBytesPerMs: number;
  readonly #links: readonly { readonly up: Link; readonly down: Link }[];
  /** By rack, the shares that users of the link take. */
  readonly #taken: readonly Map<object, LinksTaken>[];

  constructor(query: {
    /** Created, empty. */
    readonly directory: string;
    readonly racks: number;
    readonly bytesPerMs: number;
  }) {
    const { directory, racks, bytesPerMs } = query;
    rmSync(directory, { recursive: true, force: true });
    mkdirSync(directory);
    this.directory = directory;
    this.#wholeBytesPerMs = bytesPerMs;
    this.#taken = Array.from({ length: racks }, () => new Map());
    this.#links = this.#taken.map((_, rack) => ({
      up: new Link(linkPath(directory, rack, "up")),
      down: new Link(linkPath(directory, rack, "down")),
    }));
    for (const rack of this.#links.keys()) this.#set(rack);
  }

  /** Sets the share that `who` takes from now on; each takes a share of what the others leave. */
  take(rack: number, who: object, taken: LinksTaken): void {
    this.#taken[rack]?.set(who, taken);
    this.#set(rack);
  }

  release(rack: number, who: object): void {
    this.#taken[rack]?.delete(who);
    this.#set(rack);
  }

  /** The capacity that others leave, in bytes per millisecond. */
  left(rack: number): { readonly upBytesPerMs: number; readonly downBytesPerMs: number } {
    let upBytesPerMs = this.#wholeBytesPerMs;
    let downBytesPerMs = this.#wholeBytesPerMs;
    for (const { up, down } of this.#taken[rack]?.values() ?? []) {
      upBytesPerMs *= 1 - Math.min(TAKEN_MAX, up);
      downBytesPerMs *= 1 - Math.min(TAKEN_MAX, down);
    }
    return { upBytesPerMs, downBytesPerMs };
  }

  close(): void {
    for (const { up, down } of this.#links) {
      up.close();
      down.close();
    }
  }

  #set(rack: number): void {
    const { upBytesPerMs, downBytesPerMs } = this.left(rack);
    this.#links[rack]?.up.setRate(upBytesPerMs);
    this.#links[rack]?.down.setRate(downBytesPerMs);
  }
}

/** The most that others take, as in the simulator: the rest keeps everything moving. */
const TAKEN_MAX = 0.99;
