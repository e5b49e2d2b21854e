import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Job, Line, Outside } from "./play-worlds.ts";
import type { Tree } from "./tree.ts";
import { type Ended, watched } from "./watched.ts";

export type { Line } from "./play-worlds.ts";

/** A world takes a tenth of a second; on a busy machine, some seconds. */
const SILENT_MS = 60_000;

/** Plays worlds in the tree. */
export async function linesOf(
  tree: Tree,
  job: Job,
  onLine: (line: Line) => void,
): Promise<{
  readonly ended: Ended;
  readonly code: number | null;
  readonly outside: readonly number[] | undefined;
}> {
  const file = join(tree.root, ".letter/job.json");
  writeFileSync(file, JSON.stringify(job));
  let outside: readonly number[] | undefined;
  const result = await watched([tree.letter, file], {
    cwd: tree.root,
    silentMs: SILENT_MS,
    onLine(text) {
      const line: Line | Outside = JSON.parse(text);
      if ("outside" in line) ({ outside } = line);
      else onLine(line);
      return "more";
    },
  });
  return { ...result, outside };
}
