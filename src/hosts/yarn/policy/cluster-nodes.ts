import { defined } from "../../../base/assert.ts";
import type { Node, SlotCounts } from "../../../model/cluster.ts";
import { type NodeId, nodeId, rackId, slotKind } from "../../../model/ids.ts";
import type { JobConf } from "./am-line.ts";
import type { HadoopNode } from "./facts.ts";

/** Hosts by name, as nodes of the core. Two NodeManagers on one host are one node. */
export class ClusterNodes {
  readonly #racks: readonly string[];
  readonly #conf: JobConf;
  readonly #nodes = new Map<string, Node>();
  readonly #names: string[] = [];
  readonly #joined = new Set<NodeId>();

  /** `racks` as in the set-up: the last one is for nodes of all other racks. */
  constructor(racks: readonly string[], conf: JobConf) {
    this.#racks = racks;
    this.#conf = conf;
  }

  /** The new node; undefined if the host is known already. */
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
   * The new node, of unknown size and assumed equal to the first; undefined if the host is known
   * already. A node that was reported lost stays away, even if an attempt still starts on it.
   */
  appear(host: string, rack: string): Node | undefined {
    if (this.#nodes.has(host)) return undefined;
    const [first] = this.#nodes.values();
    const one = [0, 1].map((kind) => ({ kind: slotKind(kind), count: 1 }));
    return this.#add(host, rack, first?.slots ?? one);
  }

  /** The node, if it is known and was away; else undefined. */
  comeBack(host: string): Node | undefined {
    const known = this.#nodes.get(host);
    if (known === undefined || this.#joined.has(known.id)) return undefined;
    this.#joined.add(known.id);
    return known;
  }

  /** The node's id, if the node was there; else undefined. */
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

  /** The hosts of the nodes in the cluster, by id. */
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
