import { byName } from "../../base/order.ts";
import { cell } from "../../base/rows.ts";
import type { AttemptColumns } from "../../history/columns.ts";
import type { PageNode, PageRow } from "./document.ts";

/** An attempt before it has its place in the table. */
export interface Placed {
  readonly phase: number;
  /** Its row among the columns of its phase. */
  readonly at: number;
  readonly columns: AttemptColumns;
  readonly node: number;
  readonly kind: string;
  readonly startedAt: number;
  readonly endedAt: number;
}

/**
 * Puts attempts on the slots of their nodes, each on the first that is free: as many rows for a
 * node and kind as ran at once, or as many as are known. COST: O(n log n + n x slots of a node).
 */
export function laneAttempts(
  attempts: readonly Placed[],
  nodes: readonly number[],
  slots: ReadonlyMap<string, number>,
): { readonly rows: readonly PageRow[]; readonly row: Int32Array } {
  const order = Array.from(attempts.keys()).sort((a, b) =>
    Math.sign((attempts[a]?.startedAt ?? 0) - (attempts[b]?.startedAt ?? 0)),
  );
  const freeAt = new Map<string, number[]>();
  const lane = new Int32Array(attempts.length);
  for (const i of order) {
    const one = attempts[i];
    if (one === undefined) continue;
    const key = keyOf(one.node, one.kind);
    const free = freeAt.get(key) ?? [];
    freeAt.set(key, free);
    lane[i] = laneFor(free, one.startedAt, slots.get(key));
    free[cell(lane[i])] = slotUntil(one);
  }
  const rows: PageRow[] = [];
  const first = new Map<string, number>();
  const kinds = [...new Set([...attempts.map(({ kind }) => kind), ...kindsOf(slots)])];
  for (const node of nodes) {
    for (const kind of kinds) {
      const key = keyOf(node, kind);
      const count = Math.max(freeAt.get(key)?.length ?? 0, slots.get(key) ?? 0);
      first.set(key, rows.length);
      for (let n = 0; n < count; n++) rows.push({ node, kind });
    }
  }
  const row = lane.map((value, i) => {
    const { node = -1, kind = "" } = attempts[i] ?? {};
    return value + (first.get(keyOf(node, kind)) ?? 0);
  });
  return { rows, row };
}

/** A slot is free again when the fetching of the attempt's result begins. */
function slotUntil({ columns, at, endedAt }: Placed): number {
  const resultAt = cell(columns.resultAt[at]);
  return Number.isNaN(resultAt) ? endedAt : resultAt;
}

/** Spark stamps a launch this much before the end that made room for it, at most. */
const STAMPED_EARLY_MS = 1_000;

/** A slot that is free; of slots that are known also one that will soon be. */
function laneFor(free: readonly number[], at: number, known: number | undefined): number {
  const own = free.findIndex((end) => end <= at);
  if (own >= 0) return own;
  if (known === undefined || free.length < known) return free.length;
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
