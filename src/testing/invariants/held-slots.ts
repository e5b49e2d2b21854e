import type { Setup } from "../../core/state/setup.ts";
import type { Action } from "../../model/action.ts";
import type { ClusterEvent } from "../../model/event.ts";
import type { JobId, NodeId, SlotKind } from "../../model/ids.ts";
import type { View } from "../../model/view.ts";
import { claim } from "./claim.ts";
import { type Mirror, type MirrorNode, type MirrorTask, slotsOf } from "./mirror.ts";

/**
 * Hadoop 1.2.1: failures of a job that close a node to it, unless this share of the nodes is flaky.
 */
const NODE_FAILURES_MAX = 4;
const FLAKY_SHARE_MAX = 0.25;

/** If a slot is held while a task that may take it waits, a refusal gives the reason. */
export class HeldSlots {
  readonly #mirror: Mirror;
  readonly #setup: Setup;
  readonly #view: View;

  constructor(mirror: Mirror, setup: Setup, view: View) {
    this.#mirror = mirror;
    this.#setup = setup;
    this.#view = view;
  }

  check(
    event: ClusterEvent,
    actions: readonly Action[],
    promises: { readonly explains: boolean; readonly workConserving?: boolean },
  ): void {
    if (promises.workConserving === true) {
      for (const host of this.#mirror.nodes.values()) this.#checkWait(host, event.at);
      return;
    }
    if (event.kind !== "slots-offered" || !promises.explains) return;
    if (actions.some(({ kind }) => kind === "pass")) return;
    const host = this.#mirror.node(event.node);
    const task = this.#waitingBesideFreeSlot(host);
    if (task !== undefined) claim(false, task, `waits while ${host.node.name} holds a slot`);
  }

  isClosed({ job }: MirrorTask, node: NodeId): boolean {
    const { id } = job.job;
    const isFlaky = (other: NodeId): boolean =>
      this.#view.failuresOn(id, other) >= NODE_FAILURES_MAX;
    if (!isFlaky(node)) return false;
    const flaky = [...this.#mirror.nodes.keys()].filter(isFlaky).length;
    if (flaky >= FLAKY_SHARE_MAX * [...this.#view.nodes()].length) return false;
    // Ours: a node is not closed if no open node has slots of a kind that it has.
    const kinds = this.#mirror.node(node).node.slots.filter(({ count }) => count > 0);
    const open = [...this.#mirror.nodes.values()].filter(
      (other) => other.joined && !isFlaky(other.node.id),
    );
    return kinds.every(({ kind }) => open.some((other) => slotsOf(other.node.slots, kind) > 0));
  }

  /** No slot is held back longer than the time until it is asked about again. */
  #checkWait(host: MirrorNode, at: number): void {
    const task = this.#waitingBesideFreeSlot(host);
    host.heldSince = task === undefined ? undefined : (host.heldSince ?? at);
    if (task === undefined || host.heldSince === undefined) return;
    const heldMs = at - host.heldSince;
    const isFair = heldMs <= this.#setup.askAgainMs;
    claim(isFair, task, `has waited for ${heldMs} ms while ${host.node.name} holds a slot`);
  }

  #waitingBesideFreeSlot({ node, offered, taken }: MirrorNode): MirrorTask | undefined {
    if (offered.length === 0 || !this.#mirror.isUsable(node.id)) return undefined;
    for (const { kind, count } of offered) {
      if (taken.filter((other) => other === kind).length >= count) continue;
      if (this.#view.waiting(kind) === 0) continue;
      const task = this.#waitingFor(node.id, kind);
      if (task !== undefined) return task;
    }
    return undefined;
  }

  /** A waiting task that may take a slot of the kind on the node. */
  #waitingFor(node: NodeId, kind: SlotKind): MirrorTask | undefined {
    const admitted = new Set<JobId>();
    for (const { id } of this.#view.jobs()) admitted.add(id);
    for (const task of this.#mirror.tasks.values()) {
      if (!task.phase.slots.includes(kind) || !admitted.has(task.job.job.id)) continue;
      if (!this.#view.isWaiting(task.task.id) || this.isClosed(task, node)) continue;
      if (this.#isUpstreamWaiting(task) || this.#isForElsewhere(task, node, kind)) continue;
      return task;
    }
    return undefined;
  }

  /** A reader leaves a slot to a phase that it reads, if that phase waits for the same kind. */
  #isUpstreamWaiting({ phase, job }: MirrorTask): boolean {
    const ancestors = new Set(phase.after.map((edge) => edge.phase));
    for (const other of [...job.job.phases].reverse()) {
      if (!ancestors.has(other.id)) continue;
      for (const edge of other.after) ancestors.add(edge.phase);
      const shares = other.slots.some((kind) => phase.slots.includes(kind));
      if (shares && [...other.tasks].some(({ id }) => this.#view.isWaiting(id))) return true;
    }
    return false;
  }

  /**
   * Hadoop's order: not where it has failed, unless it has failed on as many nodes as there are.
   * `largest-first`: not where it has failed, while another node is left.
   */
  #isForElsewhere(task: MirrorTask, node: NodeId, kind: SlotKind): boolean {
    const { failedOn } = task;
    if (!failedOn.has(node)) return false;
    if (failedOn.size < [...this.#view.nodes()].length) return true;
    if (this.#setup.discipline.order.policy.name !== "largest-first") return false;
    return [...this.#mirror.nodes.values()].some(
      ({ joined, node: { id, slots } }) =>
        joined && !failedOn.has(id) && slotsOf(slots, kind) > 0 && !this.isClosed(task, id),
    );
  }
}
