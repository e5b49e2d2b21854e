import type { Attempt } from "./attempt.ts";
import type { NodeId, RackId } from "./ids.ts";
import { soleAttempt } from "./sole-attempt.ts";
import { mayBeCopiedTo } from "./tried-before.ts";
import type { View } from "./view.ts";

/**
 * Attempts that a policy would copy, the best first: found in a look at all, and kept for as long
 * as the view holds them. Another attempt of the same task was not looked at, and is not in it.
 */
export class Shortlist {
  readonly #attempts: readonly Attempt[];
  /** Those before it have ended, or are being speculated on. */
  #from = 0;

  constructor(attempts: readonly Attempt[]) {
    this.#attempts = attempts;
  }

  /**
   * The first that still runs alone, and whose task may be copied to this node; `fresh`: and has
   * not been at work there.
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
 * The same, those with data on the node before those with data on its rack before the others. As in
 * Hadoop 1.2.1 (JobInProgress.findSpeculativeTask, shouldRemove) a node forgets what has run on it:
 * until the task has begun anew, that is as near to the node as the rest of its rack.
 */
export class PlacedShortlist {
  readonly #onNode: ReadonlyMap<NodeId, Shortlist>;
  readonly #onRack: ReadonlyMap<RackId, Shortlist>;
  readonly #anywhere: Shortlist;

  constructor(view: View, attempts: readonly Attempt[]) {
    const onNode = new Map<NodeId, Attempt[]>();
    const onRack = new Map<RackId, Attempt[]>();
    for (const attempt of attempts) {
      const { replicas } = view.task(attempt.task);
      for (const replica of new Set(replicas)) add(onNode, replica, attempt);
      for (const rack of new Set(replicas.map((replica) => view.node(replica).rack))) {
        add(onRack, rack, attempt);
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
  else list.push(attempt);
}

const listed = <K>(lists: ReadonlyMap<K, readonly Attempt[]>): ReadonlyMap<K, Shortlist> =>
  new Map([...lists].map(([key, attempts]) => [key, new Shortlist(attempts)]));
