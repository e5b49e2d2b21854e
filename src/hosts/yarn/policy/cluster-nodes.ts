import { defined } from "../../../base/assert.ts";
import type { Node, SlotCounts } from "../../../model/cluster.ts";
import { type NodeId, nodeId, rackId, slotKind } from "../../../model/ids.ts";
import type { JobConf } from "./am-line.ts";
import type { HadoopNode } from "./facts.ts";

/** Hosts by name, as nodes of the core. Two NodeManagers of one host are one node. */
export class ClusterNodes {
  readonly #racks: readonly string[];
  readonly #conf: JobConf;
  readonly #nodes = new Map<string, Node>();
  readonly #names: string[] = [];
  readonly #joined = new Set<NodeId>();

  /** `racks` as in the set-up: the last one is for nodes of racks that are not in it. */
  constructor(racks: readonly string[], conf: JobConf) {
    this.#racks = racks;
    this.#conf = conf;
  }

  /** The node, if it has not been heard of before. */
  discover({ host, rack, memoryMb }: HadoopNode): Node | undefined {
    if (this.#nodes.has(host)) return undefined;
    const { map, reduce } = this.#conf;
    const slots = [map, reduce].map((one, kind) => ({
      kind: slotKind(kind),
      count: Math.floor(memoryMb / Math.max(1, one.memoryMb)),
    }));
    return this.#add(host, rack, slots);
  }

  /**
   * The node, if it has not been heard of before: of unknown size, it is as the first. One that was
   * told lost stays away, whatever has still started on it.
   */
  appear(host: string, rack: string): Node | undefined {
    if (this.#nodes.has(host)) return undefined;
    const [first] = this.#nodes.values();
    const one = [0, 1].map((kind) => ({ kind: slotKind(kind), count: 1 }));
    return this.#add(host, rack, first?.slots ?? one);
  }

  /** The node, if it is known and was away. */
  comeBack(host: string): Node | undefined {
    const known = this.#nodes.get(host);
    if (known === undefined || this.#joined.has(known.id)) return undefined;
    this.#joined.add(known.id);
    return known;
  }

  /** The node, if it was there. */
  leave(host: string): NodeId | undefined {
    const id = this.#nodes.get(host)?.id;
    return id !== undefined && this.#joined.delete(id) ? id : undefined;
  }

  find(host: string): NodeId | undefined {
    return this.#nodes.get(host)?.id;
  }

  get(host: string): NodeId {
    return defined(this.find(host), host);
  }

  nameOf(id: NodeId): string {
    return defined(this.#names[id], `node ${id}`);
  }

  /** Hosts that may be used, by id. */
  get hosts(): readonly string[] {
    return this.#names.filter((_, index) => this.#joined.has(nodeId(index)));
  }

  isJoined(id: NodeId): boolean {
    return this.#joined.has(id);
  }

  #add(host: string, rackName: string, slots: SlotCounts): Node {
    const known = this.#racks.indexOf(rackName);
    const rack = rackId(known < 0 ? this.#racks.length - 1 : known);
    const node = { id: nodeId(this.#names.length), name: host, rack, slots };
    this.#names.push(host);
    this.#nodes.set(host, node);
    this.#joined.add(node.id);
    return node;
  }
}
