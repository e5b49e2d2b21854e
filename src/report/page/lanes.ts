import { byName } from "../../base/order.ts";
import { cell } from "../../base/rows.ts";
import type { AttemptTable, PageNode, PageRow } from "./document.ts";

/** What a slot is chosen by; `kinds`: of each phase, the slots that its attempts take. */
interface Placed
  extends Pick<AttemptTable, "length" | "node" | "phase" | "startedAt" | "endedAt" | "resultAt"> {
  readonly kinds: readonly string[];
}

/**
 * Puts attempts on the slots of their nodes, each on the first that is free: as many rows for a
 * node and kind as ran at once, or as many as are known. COST: O(n log n + n x slots of a node).
 */
export function laneAttempts(
  { length, node, phase, startedAt, endedAt, resultAt, kinds }: Placed,
  nodes: readonly number[],
  slots: ReadonlyMap<string, number>,
): { readonly rows: readonly PageRow[]; readonly row: Int32Array } {
  const keyAt = (i: number): string => keyOf(node[i]!, kinds[phase[i]!]!);
  const order = Uint32Array.from({ length }, (_, i) => i).sort(
    (a, b) => Math.sign(startedAt[a]! - startedAt[b]!) || a - b,
  );
  const freeAt = new Map<string, number[]>();
  const lane = new Int32Array(length);
  for (const i of order) {
    const free = freeAt.get(keyAt(i)) ?? [];
    freeAt.set(keyAt(i), free);
    lane[i] = laneFor(free, startedAt[i]!, slots.get(keyAt(i)));
    // A slot is free again when the fetching of the attempt's result begins.
    free[cell(lane[i])] = Number.isNaN(resultAt[i]) ? endedAt[i]! : resultAt[i]!;
  }
  const rows: PageRow[] = [];
  const first = new Map<string, number>();
  const allKinds = new Set([...kinds, ...kindsOf(slots)]);
  for (const one of nodes) {
    for (const kind of allKinds) {
      const key = keyOf(one, kind);
      const count = Math.max(freeAt.get(key)?.length ?? 0, slots.get(key) ?? 0);
      first.set(key, rows.length);
      for (let n = 0; n < count; n++) rows.push({ node: one, kind });
    }
  }
  return { rows, row: lane.map((value, i) => value + cell(first.get(keyAt(i)))) };
}

/** Spark stamps a launch this much before the end that made room for it, at most. */
const STAMPED_EARLY_MS = 1_000;

/** A slot that is free; of slots that are known also one that will soon be. */
function laneFor(free: readonly number[], at: number, known: number | undefined): number {
  const own = free.findIndex((end) => end <= at);
  if (own >= 0) return own;
  // A slot that is known may have lasted for no time, so that none is known.
  if (known === undefined || free.length < Math.max(known, 1)) return free.length;
  const first = free.reduce((a, end, n) => (end < cell(free[a]) ? n : a), 0);
  return cell(free[first]) - at <= STAMPED_EARLY_MS ? first : free.length;
}

export const keyOf = (node: number, kind: string): string => `${node} ${kind}`;

const kindsOf = (slots: ReadonlyMap<string, number>): readonly string[] =>
  [...slots.keys()].map((key) => key.slice(key.indexOf(" ") + 1));

/** By rack, then by name with numbers as numbers; attempts without a node come last. */
export function inOrder(nodes: readonly PageNode[]): readonly number[] {
  const order = Array.from(nodes.keys()).sort(
    (a, b) =>
      byName(nodes[a]?.rack ?? "", nodes[b]?.rack ?? "") ||
      byName(nodes[a]?.name ?? "", nodes[b]?.name ?? ""),
  );
  return [...order, -1];
}
