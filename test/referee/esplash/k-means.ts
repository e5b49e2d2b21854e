import { below, mean, sum } from "../figures.ts";
import type { Group, Vector } from "./grouping.ts";

export interface Cluster {
  readonly members: readonly Vector[];
  readonly center: Point;
}

type Point = readonly number[];
type Clustering = readonly Cluster[];

/** "Randomly select": an outcome rarer than this does not happen. */
const CHANCE_MIN = 1e-9;
const ROUNDS_MAX = 100;

/**
 * Every clustering that Algorithm 2 may end with. The random choice of line 1 is not known: all
 * orders of all centres are tried. Of several starts the clustering with the least scatter is kept,
 * so a clustering is possible unless, all but surely, one of the starts would have given less.
 */
export function possibleClusterings(
  groups: readonly Group[],
  { k, starts }: { readonly k: number; readonly starts: number },
): readonly Clustering[] {
  const found = new Map<string, { readonly clustering: Clustering; chance: number }>();
  for (const orders of startsOf(groups, k)) {
    for (const { centers, chance } of orders) {
      const { clustering, isTied } = clusterFrom(groups, centers);
      // Without a tie the order of the centres makes no difference.
      const all = isTied ? chance : sum(orders.map((order) => order.chance));
      const key = keyOf(clustering);
      const known = found.get(key);
      if (known === undefined) found.set(key, { clustering, chance: all });
      else known.chance += all;
      if (!isTied) break;
    }
  }
  const all = [...found.values()].map((one) => ({ ...one, scatter: scatterOf(one.clustering) }));
  const possible = all.filter(({ scatter }) => {
    const noBetter = all.filter((other) => !below(other.scatter, scatter));
    return sum(noBetter.map(({ chance }) => chance)) ** starts > CHANCE_MIN;
  });
  return possible.map(({ clustering }) => clustering);
}

interface Start {
  readonly centers: readonly Point[];
  readonly chance: number;
}

/**
 * Line 1: "Randomly select k cluster centers", no two of them of one group or equal. Each choice in
 * all of its orders.
 */
function startsOf(groups: readonly Group[], k: number): Iterable<readonly Start[]> {
  const byChoice = new Map<string, Start[]>();
  type Left = readonly (readonly [Vector, Group])[];
  const draw = (drawn: readonly Vector[], left: Left, chance: number): void => {
    if (drawn.length === k || left.length === 0) {
      const key = drawn.map(({ node }) => node).sort();
      const orders = byChoice.get(String(key)) ?? [];
      byChoice.set(String(key), orders);
      orders.push({ centers: drawn.map(({ times }) => times), chance });
      return;
    }
    for (const [vector, group] of left) {
      const others = left.filter(
        ([{ times }, of]) => of !== group && below(0, squareBetween(times, vector.times)),
      );
      draw([...drawn, vector], others, chance / left.length);
    }
  };
  const all = groups.flatMap((group) => group.map((vector) => [vector, group] as const));
  draw([], all, 1);
  return byChoice.values();
}

/** Lines 2 to 5; and whether a tie was broken by the order of the centres. */
function clusterFrom(groups: readonly Group[], first: readonly Point[]) {
  let centers = first;
  let before: readonly number[] = [];
  let clustering: Clustering = [];
  let isTied = false;
  for (let round = 0; round < ROUNDS_MAX; round++) {
    // Line 2: "For each PV_i ... pick the closest one as the preferred center". Line 3: "the center
    // with the most votes as the group preferred center".
    const chosen = groups.map((group) => {
      const votes = centers.map(() => 0);
      for (const { times } of group) {
        const preferred = closest(times, centers);
        votes[preferred.center]!++;
        isTied ||= preferred.isTied;
      }
      const most = Math.max(...votes);
      isTied ||= votes.indexOf(most) !== votes.lastIndexOf(most);
      return votes.indexOf(most);
    });
    // Line 5: "repeat the process until no PV/group is reassigned".
    if (chosen.every((center, index) => center === before[index])) break;
    before = chosen;
    // Line 4: "Assign all the PV points in a group to the group preferred center". Line 5:
    // "Recalculate the cluster centers".
    const all = centers.map((center, index): Cluster => {
      const members = groups.flatMap((group, at) => (chosen[at] === index ? group : []));
      return { members, center: members.length === 0 ? center : centerOf(members) };
    });
    centers = all.map(({ center }) => center);
    clustering = all.filter(({ members }) => members.length > 0);
  }
  return { clustering, isTied };
}

/** The first of equals. */
export function closest(point: Point, centers: readonly Point[]) {
  const squares = centers.map((center) => squareBetween(point, center));
  let best = 0;
  for (const [index, square] of squares.entries()) if (below(square, squares[best]!)) best = index;
  const equals = squares.filter((square) => !below(squares[best]!, square));
  return { center: best, isTied: equals.length > 1 };
}

function squareBetween(a: Point, b: Point): number {
  let square = 0;
  for (const [type, x] of a.entries()) square += (x - b[type]!) ** 2;
  return square;
}

const centerOf = (members: readonly Vector[]): Point =>
  members[0]!.times.map((_, type) => mean(members.map(({ times }) => times[type]!)));

const scatterOf = (clustering: Clustering): number =>
  sum(
    clustering.flatMap(({ members, center }) =>
      members.map(({ times }) => squareBetween(times, center)),
    ),
  );

const keyOf = (clustering: Clustering): string =>
  clustering
    .map(({ members }) =>
      members
        .map(({ node }) => node)
        .sort((a, b) => a - b)
        .join(" "),
    )
    .sort()
    .join("|");
