import { existsSync } from "node:fs";
import { join } from "node:path";
import { answerPath, type Contestant } from "./contestant.ts";
import { ROOT } from "./place.ts";

const WORKS = "bench/engine/works";

/** A core for each node. */
const NODES = 2;

export interface Run {
  readonly name: string;
  /** The job's file, relative to the works. */
  readonly job: string;
  readonly inputs: readonly string[];
  /** Further flags of `broomwagon run`. */
  readonly flags?: readonly string[];
  /** The Node that runs the job; by default the one that runs this benchmark. */
  readonly node?: string;
  readonly environment?: Readonly<Record<string, string>>;
}

/**
 * Our engine as a user starts it, timed over the whole process; with journal, checksums, heartbeats
 * and LATE unless the flags say otherwise.
 */
export const ours = (run: Run, root: string = ROOT): Contestant => ({
  name: run.name,
  answers: "in-file",
  clock: "whole-process",
  absence() {
    const needed = [run.node ?? process.execPath, join(root, "dist/bundle/index.js")];
    const missing = needed.find((path) => !existsSync(path));
    return missing === undefined ? undefined : `there is no ${missing}`;
  },
  inTree: (other) => ours({ ...run, name: `${run.name}, there` }, other),
  command(place) {
    const program = run.node ?? process.execPath;
    const what = [join(root, "bin/broomwagon.js"), "run", join(root, WORKS, run.job)];
    const where = ["--output", answerPath(place), "--run-dir", join(place, "runs")];
    const how = ["--nodes", `${NODES}`, "--quiet", ...(run.flags ?? [])];
    return {
      program,
      args: [...what, ...how, ...where, "--input", ...run.inputs],
      ...(run.environment && { environment: run.environment }),
    };
  },
});
