import type { Attempt } from "./attempt.ts";
import type { NodeId, RackId } from "./ids.ts";
import { soleAttempt } from "./sole-attempt.ts";
import { mayBeCopiedTo } from "./tried-before.ts";
import type { View } from "./view.ts";

/**
 * The attempts that a policy would copy, best first: found in one look at all attempts, and kept
 * while the view holds them. Other attempts of the same tasks were not looked at and are not
 * listed.
 */
export class Shortlist {
  readonly #attempts: readonly Attempt[];
  /** All attempts before this index have ended, or their tasks are being speculated. */
  #from = 0;

  constructor(attempts: readonly Attempt[]) {
    this.#attempts = attempts;
  }

  /**
   * The first attempt that still runs alone, and whose task may be copied to this node; with
   * `fresh`, only a task that has not been at work there.
   */
  firstFor(view: View, node: NodeId, fresh = false): Attempt | undefined {
    for (let i = this.#from; i < this.#attempts.length; i++) {
      const listed = this.#attempts[i];
      if (listed === undefined) continue;
      const sole = soleAttempt(view, listed.task);
      if (sole?.id !== listed.id) {
        if (i === this.#from) this.#from++;
      } else if (sole.state === "running" && mayBeCopiedTo(view, sole.task, node)) {
        if (!fresh || !view.hasWorkedOn(sole.task, node)) return sole;
      }
    }
    return undefined;
  }
}

/**
 * The shortlist with locality: attempts with data on the node come before those with data on its
 * rack, and these before the others. As in Hadoop 1.2.1 (JobInProgress.findSpeculativeTask,
 * shouldRemove), a node forgets a task that has run on it: until the task starts again, the task
 * counts as no nearer to the node than to the rest of its rack.
 */
export class PlacedShortlist {
  readonly #onNode: ReadonlyMap<NodeId, Shortlist>;
  readonly #onRack: ReadonlyMap<RackId, Shortlist>;
  readonly #anywhere: Shortlist;

  constructor(view: View, attempts: readonly Attempt[]) {
    const onNode = new Map<NodeId, Attempt[]>();
    const onRack = new Map<RackId, Attempt[]>();
    for (const attempt of attempts) {
      for (const replica of view.task(attempt.task).replicas) {
        add(onNode, replica, attempt);
        add(onRack, view.node(replica).rack, attempt);
      }
    }
    this.#onNode = listed(onNode);
    this.#onRack = listed(onRack);
    this.#anywhere = new Shortlist(attempts);
  }

  firstFor(view: View, node: NodeId): Attempt | undefined {
    return (
      this.#onNode.get(node)?.firstFor(view, node, true) ??
      this.#onRack.get(view.node(node).rack)?.firstFor(view, node) ??
      this.#anywhere.firstFor(view, node)
    );
  }
}

function add<K>(lists: Map<K, Attempt[]>, key: K, attempt: Attempt): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [attempt]);
  // Two replicas may be on one node or rack.
  else if (list.at(-1) !== attempt) list.push(attempt);
}

const listed = <K>(lists: ReadonlyMap<K, readonly Attempt[]>): ReadonlyMap<K, Shortlist> =>
  new Map([...lists].map(([key, attempts]) => [key, new Shortlist(attempts)]));
