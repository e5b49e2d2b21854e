import { randomState, shuffle } from "../../src/base/random.ts";
import type { SourceFile } from "../tidy/source.ts";
import { changesOf } from "./changes.ts";
import { decides, type Mutant, mutantOf } from "./mutant.ts";

/**
 * The mutants of a seed, in the order in which they are drawn. Each line that can be changed has
 * the same chance, whatever its file, and is changed once; the change is one of the line's.
 */
export function draw(files: readonly SourceFile[], seed: number): readonly Mutant[] {
  const random = randomState(seed, "mutants");
  return shuffle(random, linesOf(files)).flatMap((mutants) => shuffle(random, mutants).slice(0, 1));
}

function linesOf(files: readonly SourceFile[]): readonly (readonly Mutant[])[] {
  const lines = new Map<string, Mutant[]>();
  for (const file of files.filter(decides)) {
    for (const change of changesOf(file)) {
      const mutant = mutantOf(file, change);
      const line = `${mutant.path}:${mutant.line}`;
      lines.set(line, [...(lines.get(line) ?? []), mutant]);
    }
  }
  return [...lines.values()];
}
