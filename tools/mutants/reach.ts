import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { type Line, linesOf } from "./letter-program.ts";
import type { Mutant } from "./mutant.ts";
import type { World } from "./play-worlds.ts";
import type { Tree } from "./tree.ts";

/** What the letter's worlds run through where nothing is changed. */
export interface Reach {
  readonly worlds: readonly Pick<Line, "world" | "acts">[];
  /** By path and offset: the worlds that run through the place, by their numbers. */
  readonly at: { readonly [place: string]: readonly number[] };
}

export const placeOf = ({ path, runsAt }: Pick<Mutant, "path" | "runsAt">): string =>
  `${path}:${runsAt}`;

/** Plays the worlds in all trees at once, or reads the file that an earlier run has written. */
export async function reachOf(
  trees: readonly Tree[],
  of: {
    readonly worlds: readonly World[];
    readonly mutants: readonly Mutant[];
    readonly importers: ReadonlyMap<string, readonly string[]>;
    readonly file: string;
  },
): Promise<Reach> {
  if (existsSync(of.file)) return JSON.parse(readFileSync(of.file, "utf8"));
  const points = pointsOf(of.mutants);
  const parts = await Promise.all(
    trees.map(async (tree, part) => {
      const worlds = of.worlds.filter((_, i) => i % trees.length === part);
      const lines: Line[] = [];
      const ended = await linesOf(tree, { worlds, points }, (line) => lines.push(line));
      if (ended.outside === undefined || lines.length < worlds.length) {
        throw new Error("the letter's worlds do not end where nothing is changed");
      }
      return { lines, outside: ended.outside };
    }),
  );
  const lines = parts.flatMap((part) => part.lines);
  const fault = lines.find((line) => line.fault !== undefined)?.fault;
  if (fault !== undefined) throw new Error(`the letter differs where nothing is changed: ${fault}`);
  const reach = {
    worlds: lines.map(({ acts, world }) => ({ acts, world })),
    at: at(points, lines, new Set(parts[0]?.outside), of.importers),
  };
  mkdirSync(dirname(of.file), { recursive: true });
  writeFileSync(of.file, JSON.stringify(reach));
  return reach;
}

function pointsOf(mutants: readonly Mutant[]): { readonly [path: string]: readonly number[] } {
  const byPath = new Map<string, Set<number>>();
  for (const { path, runsAt } of mutants) {
    byPath.set(path, (byPath.get(path) ?? new Set()).add(runsAt));
  }
  return Object.fromEntries([...byPath].map(([path, offsets]) => [path, [...offsets]]));
}

function at(
  points: { readonly [path: string]: readonly number[] },
  lines: readonly Line[],
  outside: ReadonlySet<number>,
  importers: ReadonlyMap<string, readonly string[]>,
): Reach["at"] {
  const places = Object.entries(points).flatMap(([path, offsets]) =>
    offsets.map((offset) => ({ path, place: `${path}:${offset}` })),
  );
  const found = new Map<string, number[]>(places.map(({ place }) => [place, []]));
  const byFile = new Map<string, Set<number>>();
  for (const [world, { reached }] of lines.entries()) {
    for (const point of reached ?? []) {
      const where = places[point];
      if (where === undefined || outside.has(point)) continue;
      found.get(where.place)?.push(world);
      byFile.set(where.path, (byFile.get(where.path) ?? new Set()).add(world));
    }
  }
  // What is in no function serves those of its file, and of the files that import it.
  for (const point of outside) {
    const where = places[point];
    if (where === undefined) continue;
    const users = [where.path, ...(importers.get(where.path) ?? [])];
    const worlds = new Set(users.flatMap((path) => [...(byFile.get(path) ?? [])]));
    found.set(
      where.place,
      [...worlds].sort((a, b) => a - b),
    );
  }
  return Object.fromEntries(found);
}
