import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { LinksTaken } from "../../../model/fault.ts";
import { Link } from "./link.ts";

/** What a node's process must know to be held to the links: plain data. */
export interface RackSeat {
  /** Its own rack. */
  readonly rack: number;
  /** Where the links are. */
  readonly links: string;
  /** Of each node, the directory of its outputs, and its rack. */
  readonly nodes: readonly { readonly directory: string; readonly rack: number }[];
}

/** Where a file lies that a node has written; undefined: none has. */
export const rackOfPath = (path: string, { nodes }: RackSeat): number | undefined =>
  nodes.find(({ directory }) => path.startsWith(`${directory}/`))?.rack;

/**
 * The rack from which a node in the rack reads what lies on these nodes; undefined: it need not
 * cross racks. Of several other racks, by the task's number.
 */
export function rackToReadFrom(
  holders: readonly { readonly rack: number }[],
  { rack, task }: { readonly rack: number; readonly task: number },
): number | undefined {
  if (holders.length === 0 || holders.some((holder) => holder.rack === rack)) return undefined;
  return holders[task % holders.length]?.rack;
}

/** In a directory that exists. */
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

  /** When the next bytes are through, of so many: how many these are, and the machine's time. */
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

/** The master's side of the racks' links: makes them, and sets what others leave of them. */
export class RackLinks {
  readonly directory: string;
  readonly #wholeBytesPerMs: number;
  readonly #links: readonly { readonly up: Link; readonly down: Link }[];
  /** By user of the link. */
  readonly #taken: readonly Map<object, LinksTaken>[];

  constructor(query: {
    /** Is made, empty. */
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

  /** Others take so much from now on; several take their shares of what the others leave. */
  take(rack: number, who: object, taken: LinksTaken): void {
    this.#taken[rack]?.set(who, taken);
    this.#set(rack);
  }

  release(rack: number, who: object): void {
    this.#taken[rack]?.delete(who);
    this.#set(rack);
  }

  /** What others leave, in bytes per millisecond. */
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

/** The most that others take, as in the simulator: what is left keeps everything moving. */
const TAKEN_MAX = 0.99;
