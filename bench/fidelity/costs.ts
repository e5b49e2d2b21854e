import type { RunResult } from "broomwagon/engine";
import { median } from "../engine/ratio.ts";
import { MAPS } from "./setting.ts";

/** The measured costs of a task on an undisturbed node. */
export interface Costs {
  readonly mapInputBytes: number;
  readonly mapMs: number;
  readonly outputPerInput: number;
  /** The time of a reduce whose maps are all done. */
  readonly reduceMs: number;
}

/** The costs in a run without faults. */
export function costsOf({ attempts, phases }: RunResult): Costs {
  const [map] = phases;
  if (map === undefined) throw new Error("the run has no phases");
  const maps = attempts.filter(({ attempt }) => attempt.includes("/map/"));
  const mapsEndedAt = Math.max(...maps.map(({ endedAt }) => endedAt));
  const reduces = attempts.filter(({ attempt }) => attempt.includes("/reduce/"));
  const lasted = (from: number, { launchedAt, endedAt }: RunResult["attempts"][number]): number =>
    endedAt - Math.max(from, launchedAt);
  return {
    mapInputBytes: map.inputBytes / MAPS,
    mapMs: median(maps.map((attempt) => lasted(0, attempt))),
    outputPerInput: map.outputBytes / map.inputBytes,
    reduceMs: median(reduces.map((attempt) => lasted(mapsEndedAt, attempt))),
  };
}
