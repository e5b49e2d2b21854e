/**
 * Plays worlds of the letter, each on a line of standard output; the first argument names a file
 * with the `Job`. Without points it stops at the first world that differs.
 */
import { readFileSync } from "node:fs";
import type { Driven } from "../../test/letter/drive.ts";
import { Reached } from "./reached.ts";

/** A policy and a seed. */
export type World = readonly [policy: string, seed: number];

export interface Job {
  readonly worlds: readonly World[];
  /** Places in source files, by path: tells which of them a world runs through. */
  readonly points?: { readonly [path: string]: readonly number[] };
}

export interface Line {
  readonly world: World;
  readonly acts: readonly (readonly [act: string, count: number])[];
  readonly fault?: string;
  /** The places that the world ran through, as numbers over all paths. */
  readonly reached?: readonly number[];
}

/** Before the first line, if there are points: the places outside any function. */
export interface Outside {
  readonly outside: readonly number[];
}

const { points, worlds }: Job = JSON.parse(readFileSync(process.argv[2] ?? "", "utf8"));
const reached = points === undefined ? undefined : new Reached(points);
// Code that runs as the modules load must be seen too.
const { driveOne, faultsOf } = await import("../../test/letter/drive.ts");
const { LETTERS } = await import("../../test/letter/letters.ts");
if (reached !== undefined) print({ outside: reached.outside() });
for (const world of worlds) {
  const line = lineOf(world);
  print(line);
  if (reached === undefined && line.fault !== undefined) break;
}

function lineOf(world: World): Line {
  const [policy, seed] = world;
  const letter = LETTERS.find((one) => one.policy === policy);
  if (letter === undefined) throw new Error(`${policy} has no letter`);
  let driven: Driven;
  try {
    driven = driveOne(letter, seed);
  } catch (error) {
    const fault = error instanceof Error ? error.message : String(error);
    return { world, acts: [], fault: `${policy}, seed ${seed}: ${fault}` };
  }
  const [fault] = faultsOf(driven, 0);
  return {
    ...{ world, acts: [...driven.acts] },
    ...(fault !== undefined && { fault }),
    ...(reached !== undefined && { reached: reached.take() }),
  };
}

function print(line: Line | Outside): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}
