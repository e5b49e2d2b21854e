import { join } from "node:path";
import { defined } from "../../../base/assert.ts";
import type { LinksTaken } from "../../../model/fault.ts";
import { rackId } from "../../../model/ids.ts";
import type { RunDirectory } from "../../../run/run-directory.ts";
import { RackLinks } from "../racks/racks.ts";
import type { MasterContext } from "./master-context.ts";

/**
 * Reports the capacity of the racks' links to the core, and lets background traffic take shares of
 * it.
 */
export class RackEvents {
  readonly names: readonly string[];
  readonly #context: MasterContext;
  /** Undefined if the links have no limit. */
  readonly #links: RackLinks | undefined;

  constructor(query: {
    readonly names: readonly string[];
    readonly links: RackLinks | undefined;
    readonly context: MasterContext;
  }) {
    this.names = query.names;
    this.#links = query.links;
    this.#context = query.context;
  }

  /** Reports all racks once the nodes have joined. */
  report(): void {
    for (const rack of this.names.keys()) this.#sample(rack);
  }

  /** Sets the share of the rack's links that `who` takes from now on. */
  congest(who: object, name: string, taken: LinksTaken): void {
    const rack = this.#numberOf(name);
    this.#links?.take(rack, who, taken);
    const percent = Math.round(100 * Math.max(taken.up, taken.down));
    const what = `others take ${percent} % of its links`;
    this.#context.fault({ node: name, what, fault: "congestion", is: "begin" });
    this.#sample(rack);
  }

  ease(who: object, name: string): void {
    const rack = this.#numberOf(name);
    this.#links?.release(rack, who);
    const what = "its links are free again";
    this.#context.fault({ node: name, what, fault: "congestion", is: "end" });
    this.#sample(rack);
  }

  close(): void {
    this.#links?.close();
  }

  #sample(rack: number): void {
    if (this.#links === undefined) return;
    this.#context.driver.feed({
      kind: "links-sampled",
      rack: rackId(rack),
      ...this.#links.left(rack),
    });
  }

  #numberOf(name: string): number {
    const rack = this.names.indexOf(name);
    return defined(rack < 0 ? undefined : rack, `rack ${name}`);
  }
}

/** Undefined if the racks' links have no limit. */
export function openLinks(query: {
  readonly directory: RunDirectory;
  readonly racks: number;
  readonly rackMbps?: number;
}): RackLinks | undefined {
  const { directory, racks, rackMbps } = query;
  if (rackMbps === undefined) return undefined;
  const links = join(directory.path, "links");
  directory.alsoPassing(links);
  return new RackLinks({ directory: links, racks, bytesPerMs: rackMbps * BYTES_PER_MS_OF_MBPS });
}

/** One megabit per second is 125 bytes per millisecond. */
const BYTES_PER_MS_OF_MBPS = 125;
