import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { basename, extname, join } from "node:path";
import type { Scenario } from "broomwagon/sim";
import { ROOT } from "../engine/place.ts";

/** One scenario, for the engine and for the simulator. */
export interface Setting {
  readonly name: string;
  readonly discipline: string;
  readonly set: readonly string[];
  readonly faults: readonly Fault[];
}

/** Each node has a core of its own, as in the simulator. */
export const NODES: number = Math.min(4, Math.max(2, availableParallelism()));
export const REDUCES = 4;
export const MAPS = 16;
export const HEARTBEAT_MS = 200;
/** A node of the engine is given up sooner than a machine. */
const BASE_SET = ["detection.expiryMs=2000"];

type Fault = Scenario["faults"][number];

/** LATE's minute would be a whole job here. */
const IMPATIENT = ["speculation.runtimeMsMin=500"];

export const SETTINGS: readonly Setting[] = [
  setting("no fault", "none"),
  setting("slow node", "none", "slow-node"),
  setting("slow node", "late", "slow-node", IMPATIENT),
  setting("stress", "late", "stress", IMPATIENT),
  setting("dead node", "hadoop", "dead-node"),
];

function setting(
  name: string,
  discipline: string,
  chaos?: string,
  set: readonly string[] = [],
): Setting {
  const path = chaos && join(ROOT, "scenarios/chaos", `${chaos}.json`);
  return { name, discipline, set: [...BASE_SET, ...set], faults: faultsOf(path) };
}

/** The user's own setting, with a fault file's path. */
export function ownSetting(query: {
  readonly discipline: string;
  readonly set: readonly string[];
  readonly chaos: string | undefined;
}): Setting {
  const { discipline, set, chaos } = query;
  const name = chaos === undefined ? "no fault" : basename(chaos, extname(chaos));
  return { name, discipline, set: [...BASE_SET, ...set], faults: faultsOf(chaos) };
}

/** Both sides check the content. */
function faultsOf(path: string | undefined): readonly Fault[] {
  return path === undefined ? [] : JSON.parse(readFileSync(path, "utf8"));
}
