import type { Attempt } from "./attempt.ts";
import type { NodeId, RackId, TaskId } from "./ids.ts";
import { soleAttempt } from "./sole-attempt.ts";
import type { View } from "./view.ts";

/**
 * Tasks that a policy would copy, the best first: found in a look at all, and kept for as long as
 * the view holds them.
 */
export class Shortlist {
  private readonly tasks: readonly TaskId[];
  /** Those before it are done, or are being speculated on. */
  private from = 0;

  constructor(tasks: readonly TaskId[]) {
    this.tasks = tasks;
  }

  /** The one attempt of the first task that runs but has not run on this node. */
  firstFor(view: View, node: NodeId): Attempt | undefined {
    for (let i = this.from; i < this.tasks.length; i++) {
      const task = this.tasks[i];
      if (task === undefined) continue;
      const attempt = soleAttempt(view, task);
      if (attempt === undefined) {
        if (i === this.from) this.from++;
      } else if (attempt.state === "running" && !view.hasRunOn(task, node)) return attempt;
    }
    return undefined;
  }
}

/** The same, those with data on the node before those with data on its rack before the others. */
export class PlacedShortlist {
  private readonly onNode: ReadonlyMap<NodeId, Shortlist>;
  private readonly onRack: ReadonlyMap<RackId, Shortlist>;
  private readonly anywhere: Shortlist;

  constructor(view: View, tasks: readonly TaskId[]) {
    const onNode = new Map<NodeId, TaskId[]>();
    const onRack = new Map<RackId, TaskId[]>();
    for (const id of tasks) {
      const { replicas } = view.task(id);
      for (const replica of new Set(replicas)) add(onNode, replica, id);
      for (const rack of new Set(replicas.map((replica) => view.node(replica).rack))) {
        add(onRack, rack, id);
      }
    }
    this.onNode = listed(onNode);
    this.onRack = listed(onRack);
    this.anywhere = new Shortlist(tasks);
  }

  nearestTo(view: View, node: NodeId): Attempt | undefined {
    return (
      this.onNode.get(node)?.firstFor(view, node) ??
      this.onRack.get(view.node(node).rack)?.firstFor(view, node) ??
      this.anywhere.firstFor(view, node)
    );
  }
}

function add<K>(lists: Map<K, TaskId[]>, key: K, task: TaskId): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [task]);
  else list.push(task);
}

const listed = <K>(lists: ReadonlyMap<K, readonly TaskId[]>): ReadonlyMap<K, Shortlist> =>
  new Map([...lists].map(([key, tasks]) => [key, new Shortlist(tasks)]));
