import type { Fault } from "../../model/fault.ts";
import type { FaultLine } from "../../model/fault-line.ts";

/** A fault on a node or on a rack's links. Times in ms. */
export interface Mark {
  /** Name of the node or rack. */
  readonly target: string;
  readonly of: "node" | "rack";
  readonly from: number;
  /** Equal to `from` for an instant. */
  readonly to: number;
  /** slow: the node still works; down: nothing runs there; blow: something was lost at once. */
  readonly kind: "slow" | "down" | "blow";
  readonly text: string;
}

/** The marks of faults that began before the end; a fault that did not end lasts to the end. */
export function marksOf(lines: readonly FaultLine[], endsAt: number): readonly Mark[] {
  const marks: Mark[] = [];
  /** The mark that is open on each node, by the kind of fault. */
  const open = new Map<string, Mark>();
  const close = (key: string, to: number): void => {
    const mark = open.get(key);
    open.delete(key);
    if (mark !== undefined) marks.push({ ...mark, to: Math.min(to, endsAt) });
  };
  for (const line of lines) {
    if (line.at >= endsAt) break;
    const key = `${line.fault} ${line.node}`;
    close(key, line.at);
    if (line.is === "end") continue;
    const mark = markOf(line);
    if (mark.kind === "blow") marks.push(mark);
    else open.set(key, mark);
  }
  for (const key of [...open.keys()]) close(key, endsAt);
  return marks;
}

function markOf({ at, node, what, fault }: FaultLine): Mark {
  const of = fault === "congestion" ? "rack" : "node";
  return { target: node, of, from: at, to: at, kind: LOOKS[fault], text: what };
}

/** How a fault of each kind looks. */
export const LOOKS: Readonly<Record<Fault["kind"], Mark["kind"]>> = {
  slow: "slow",
  stress: "slow",
  load: "slow",
  congestion: "slow",
  "fill-disk": "slow",
  pause: "down",
  kill: "down",
  "lose-outputs": "blow",
  evict: "blow",
};

export const isFaultKind = (name: string): name is Fault["kind"] => Object.hasOwn(LOOKS, name);
