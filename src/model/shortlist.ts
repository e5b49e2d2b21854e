import { defined } from "../base/assert.ts";
import { Buckets } from "../base/buckets.ts";
import { ascending } from "../base/order.ts";
import type { Attempt } from "./attempt.ts";
import type { AttemptId, NodeId, RackId, TaskId } from "./ids.ts";
import { soleAttempt } from "./sole-attempt.ts";
import { mayBeCopiedTo } from "./tried-before.ts";
import type { View } from "./view.ts";

/**
 * Attempts in the order in which a policy would copy them. The list has their ids alone: thousands
 * may be listed, and few are looked at again.
 */
export class AttemptList {
  readonly #ids: AttemptId[] = [];
  readonly #tasks: TaskId[] = [];

  get length(): number {
    return this.#ids.length;
  }

  add({ id, task }: Pick<Attempt, "id" | "task">): void {
    this.#ids.push(id);
    this.#tasks.push(task);
  }

  id(place: number): AttemptId | undefined {
    return this.#ids[place];
  }

  task(place: number): TaskId | undefined {
    return this.#tasks[place];
  }

  tasks(): readonly TaskId[] {
    return this.#tasks;
  }

  /** The same attempts by their keys, smallest first; attempts with equal keys keep their order. */
  sortedBy(keys: readonly number[]): AttemptList {
    const sorted = new AttemptList();
    for (const place of [...keys.keys()].sort(ascending((at) => keys[at] ?? 0))) {
      sorted.#ids.push(defined(this.#ids[place], "an attempt of the list"));
      sorted.#tasks.push(defined(this.#tasks[place], "its task"));
    }
    return sorted;
  }
}

/**
 * The attempts that a policy would copy, best first: found in one look at all attempts, and kept
 * while the view holds them. Other attempts of the same tasks were not looked at and are not
 * listed.
 */
export class Shortlist {
  readonly #attempts: AttemptList;
  readonly #places: ArrayLike<number> | undefined;
  /** All attempts before this index have ended, or their tasks are being speculated. */
  #from = 0;

  /** `places`: those of the attempts that are on the shortlist; all attempts if left out. */
  constructor(attempts: AttemptList, places?: ArrayLike<number>) {
    this.#attempts = attempts;
    this.#places = places;
  }

  /**
   * The first attempt that still runs alone, and whose task may be copied to this node; with
   * `fresh`, only a task that has not been at work there.
   */
  firstFor(view: View, node: NodeId, fresh = false): Attempt | undefined {
    const places = this.#places;
    const count = places?.length ?? this.#attempts.length;
    for (let i = this.#from; i < count; i++) {
      const place = places?.[i] ?? i;
      const task = this.#attempts.task(place);
      if (task === undefined) continue;
      const sole = soleAttempt(view, task);
      if (sole === undefined || sole.id !== this.#attempts.id(place)) {
        if (i === this.#from) this.#from++;
      } else if (sole.state === "running" && mayBeCopiedTo(view, task, node)) {
        if (!fresh || !view.hasWorkedOn(task, node)) return sole;
      }
    }
    return undefined;
  }
}

/**
 * The shortlist with locality: of the first attempts, those with data on the node come before those
 * with data on its rack, and these before the others. As in Hadoop 1.2.1 (shouldRemove, in
 * JobInProgress.findSpeculativeTask), a node forgets a task that has run on it: until the task
 * starts again, the task counts as no nearer to the node than to the rest of its rack.
 */
export class PlacedShortlist {
  readonly #onNode: Lists;
  readonly #onRack: Lists;
  readonly #anywhere: Shortlist;

  /** `tied`: how many attempts, from the first, differ in the place of their data alone. */
  constructor(view: View, attempts: AttemptList, tied: number) {
    const places: number[] = [];
    const nodes: NodeId[] = [];
    for (const [place, task] of attempts.tasks().slice(0, tied).entries()) {
      for (const replica of view.task(task).replicas) {
        places.push(place);
        nodes.push(replica);
      }
    }
    this.#onNode = new Lists(attempts, places, nodes);
    this.#onRack = new Lists(attempts, places, racksOf(view, nodes));
    this.#anywhere = new Shortlist(attempts);
  }

  firstFor(view: View, node: NodeId): Attempt | undefined {
    return (
      this.#onNode.of(node).firstFor(view, node, true) ??
      this.#onRack.of(view.node(node).rack).firstFor(view, node) ??
      this.#anywhere.firstFor(view, node)
    );
  }
}

/** The racks of these nodes. COST: a node's noun is read once, however often the node occurs. */
function racksOf(view: View, nodes: readonly NodeId[]): readonly RackId[] {
  const known: RackId[] = [];
  return nodes.map((node) => (known[node] ??= view.node(node).rack));
}

/** The asks for which going over all attempts is quicker than an index of their places. */
const SCANS = 3;

/** A shortlist for each node, or rack: made when the node first asks, since few ask in time. */
class Lists {
  readonly #attempts: AttemptList;
  readonly #places: readonly number[];
  readonly #keys: readonly number[];
  #index: Buckets | undefined;
  readonly #made = new Map<number, Shortlist>();

  /**
   * The attempt at `places[i]` has data at `keys[i]`. An attempt with two replicas on a rack is
   * twice on its list.
   */
  constructor(attempts: AttemptList, places: readonly number[], keys: readonly number[]) {
    this.#attempts = attempts;
    this.#places = places;
    this.#keys = keys;
  }

  of(key: number): Shortlist {
    const known = this.#made.get(key);
    if (known !== undefined) return known;
    const made = new Shortlist(this.#attempts, this.#placesOf(key));
    this.#made.set(key, made);
    return made;
  }

  #placesOf(key: number): ArrayLike<number> {
    if (this.#made.size < SCANS) return this.#places.filter((_, i) => this.#keys[i] === key);
    this.#index ??= new Buckets(this.#places, this.#keys);
    return this.#index.under(key);
  }
}
