import { InputError } from "../../../base/input-error.ts";
import { createScheduler, unmetWants } from "../../../core/index.ts";
import { SETUP_DEFAULTS, type Setup } from "../../../core/setup.ts";
import type { Capability } from "../../../model/cluster.ts";
import { parseDiscipline } from "../../../policy/discipline.ts";
import type { Discipline } from "../../../policy/policy.ts";
import type { HelloLine } from "./am-line.ts";

/**
 * Maps and reduces take containers of one pool. They are two kinds here all the same, each with as
 * many slots as there would be containers of its size, as Hadoop's own speculator keeps them apart:
 * with one kind nothing would be idle for a map's copy as long as a reduce waits for a container,
 * and reduces wait for that very map.
 */
export const SLOT_KINDS = ["map", "reduce"] as const;

/** The rack of a node whose own was not known when the policies were set up. */
export const OTHER_RACK = "(another rack)";

/** What policies are set up with, and what is to be told about it. */
export interface Chosen {
  readonly discipline: Discipline;
  /** One line each. */
  readonly remarks: readonly string[];
  /** Why there will be no copies: what was asked for cannot run here. */
  readonly refusal?: string;
}

/** The discipline of the job's settings; `none` in the place of one that cannot run here. */
export function chooseDiscipline(hello: HelloLine): Chosen {
  const { settings } = hello;
  try {
    return fittedToYarn(hello, settings.discipline ?? "late", settings.set ?? "");
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return { ...fittedToYarn(hello, "none", ""), refusal: error.message };
  }
}

function fittedToYarn(hello: HelloLine, name: string, sets: string): Chosen {
  const named = withDefaults(name, splitSets(sets));
  // Whose turn it is, and where data lie, Hadoop decides; the first in line is never asked here.
  const { sharing } = parseDiscipline("none,sharing=fifo-plain");
  const discipline = { ...named, sharing, data: [] };
  const setup = setupOf(hello, discipline, []);
  // Throws if a policy needs what this host lacks.
  createScheduler(setup);
  const left = named.data.map(({ policy }) => policy.name);
  const wants = unmetWants(setup);
  return {
    discipline,
    remarks: [
      ...(left.length === 0 ? [] : [`left out, as Hadoop sees to its data: ${left.join(", ")}`]),
      ...wants.map(({ policy, capability }) => `${policy} does without ${capability}`),
    ],
  };
}

/**
 * What is killed to run again queues behind all that waits for a container, and may get one on the
 * node that it was taken from: until a restart has its container in hand, Mantri makes copies only.
 */
const MANTRI_KILLS_NONE = "speculation.gamma=0";

/** What is set by the job's own settings comes last, and so stands. */
function withDefaults(name: string, sets: readonly string[]): Discipline {
  const named = parseDiscipline(name, sets);
  if (named.speculation.policy.name !== "mantri") return named;
  return parseDiscipline(name, [MANTRI_KILLS_NONE, ...sets]);
}

/** `a.x=1,b.y=2`: commas within a value stay. */
const splitSets = (text: string): readonly string[] =>
  text.trim() === "" ? [] : text.split(/,(?=\s*[a-z]+\.\w+\s*=)/).map((one) => one.trim());

/** `racks` are those of the nodes that are known at the start. */
export function setupOf(
  { capabilities }: HelloLine,
  discipline: Discipline,
  racks: readonly string[],
): Setup {
  const can: readonly Capability[] = ["requests", "kill-restart"];
  return {
    ...SETUP_DEFAULTS,
    seed: 1,
    slotKinds: SLOT_KINDS,
    racks: [...racks, OTHER_RACK],
    discipline,
    capabilities: capabilities.placement ? [...can, "placement"] : can,
    // The AM's tick.
    askAgainMs: TICK_MS,
    // How many failures end the job Hadoop knows, and tells.
    attemptsMax: Number.POSITIVE_INFINITY,
  };
}

const TICK_MS = 1_000;
