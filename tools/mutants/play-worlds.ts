/**
 * Plays worlds of the letter, each on a line of standard output; the first argument names a file
 * with the `Job`. Without points it stops at the first world that differs.
 */
import { readFileSync } from "node:fs";
import { Reached } from "./reached.ts";

/** A policy, or `PLACEMENT`, and a seed. */
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
const { judgePlacement } = await import("../../test/letter/placement.ts");
const { PLACEMENT } = await import("../../test/letter/placement-world.ts");
if (reached !== undefined) print({ outside: reached.outside() });
for (const world of worlds) {
  const line = lineOf(world);
  print(line);
  if (reached === undefined && line.fault !== undefined) break;
}

function lineOf(world: World): Line {
  let played: Pick<Line, "acts"> & { readonly fault: string | undefined };
  try {
    played = playOne(world);
  } catch (error) {
    const fault = error instanceof Error ? error.message : String(error);
    return { world, acts: [], fault: `${world.join(", seed ")}: ${fault}` };
  }
  const { acts, fault } = played;
  return {
    ...{ world, acts },
    ...(fault !== undefined && { fault }),
    ...(reached !== undefined && { reached: reached.take() }),
  };
}

function playOne([policy, seed]: World) {
  if (policy === PLACEMENT) {
    const { fault, how } = judgePlacement(seed);
    return {
      acts: [[`place ${how}`, 1] as const],
      fault: fault && `${policy}, seed ${seed}: ${fault}`,
    };
  }
  const letter = LETTERS.find((one) => one.policy === policy);
  if (letter === undefined) throw new Error(`${policy} has no letter`);
  const driven = driveOne(letter, seed);
  return { acts: [...driven.acts], fault: faultsOf(driven, 0)[0] };
}

function print(line: Line | Outside): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}
