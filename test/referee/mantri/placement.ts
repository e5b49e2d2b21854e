import type { PhaseBook, TaskBook } from "../driven/books.ts";
import { above } from "../figures.ts";

/** 5.2: the reduces of a phase that read anything, and the matrix I of their bytes on each rack. */
interface Demand {
  readonly tasks: readonly TaskBook[];
  readonly bytes: readonly (readonly number[])[];
}

/** Of each rack, as they were sampled last: bytes per ms. */
export type Sampled = ReadonlyMap<number, { readonly up: number; readonly down: number }>;

type Links = Readonly<Record<"up" | "down", readonly number[]>>;

/** "... finish quickly, and the bandwidths can be assumed to be constant". */
const SHORT_MS = 60_000;

/** Whether each reduce was given a rack such that no placement has a less busy link. */
export function isBest(
  phase: PhaseBook,
  { racks, sampled }: { readonly racks: number; readonly sampled: Sampled },
  rackOf: ReadonlyMap<number, number>,
): boolean {
  const demand = demandOf(phase, racks);
  if (racks === 1) return rackOf.size === 0;
  if (demand.tasks.some(({ id }) => !rackOf.has(id)) || rackOf.size > demand.tasks.length)
    return false;
  if (demand.tasks.length === 0) return true;
  const start = linksOf(sampled, racks);
  const isShort = start !== undefined && !above(least(demand, start), SHORT_MS);
  const ones = new Array<number>(racks).fill(1);
  const links = isShort ? start : { up: ones, down: ones };
  const placed = demand.tasks.map(({ id }) => rackOf.get(id)!);
  return !above(busiest(demand, placed, links), least(demand, links));
}

function demandOf(phase: PhaseBook, racks: number): Demand {
  const rows = phase.tasks.map((task) => {
    const bytes = new Array<number>(racks).fill(0);
    for (const read of phase.reads.flatMap(({ tasks }) => tasks)) {
      const part = read.parts[task.index] ?? 0;
      for (const node of read.outputs) bytes[node.rack]! += part;
    }
    return { task, bytes };
  });
  const some = rows.filter(({ bytes }) => bytes.some((one) => one > 0));
  return { tasks: some.map(({ task }) => task), bytes: some.map(({ bytes }) => bytes) };
}

/** max c_j: c_{2i-1} = d_u / b_u, c_{2i} = d_d / b_d. */
function busiest({ bytes }: Demand, placed: readonly number[], { up, down }: Links): number {
  const costs = up.flatMap((b, rack) => {
    let [leaves, comes] = [0, 0];
    for (const [task, row] of bytes.entries()) {
      const here = row[rack]!;
      if (placed[task] === rack) comes += row.reduce((sum, one) => sum + one, 0) - here;
      else leaves += here;
    }
    return [leaves / b, comes / down[rack]!];
  });
  return Math.max(...costs);
}

/** "The optimal value over all placement permutations": each of them is tried. */
function least(demand: Demand, links: Links): number {
  const racks = links.up.length;
  let best = Number.POSITIVE_INFINITY;
  for (let number = 0; number < racks ** demand.tasks.length; number++) {
    const placed = demand.tasks.map((_, i) => Math.floor(number / racks ** i) % racks);
    best = Math.min(best, busiest(demand, placed, links));
  }
  return best;
}

/** Undefined if the links of a rack were never sampled. */
function linksOf(sampled: Sampled, racks: number): Links | undefined {
  const all = Array.from({ length: racks }, (_, rack) => sampled.get(rack));
  if (all.some((one) => one === undefined)) return undefined;
  return { up: all.map((one) => one!.up), down: all.map((one) => one!.down) };
}
