import { InputError } from "../../../base/input-error.ts";
import { createScheduler, unmetWants } from "../../../core/index.ts";
import { SETUP_DEFAULTS, type Setup } from "../../../core/state/setup.ts";
import type { Capability } from "../../../model/cluster.ts";
import { parseDiscipline } from "../../../policy/discipline.ts";
import type { Discipline } from "../../../policy/policy.ts";
import { REGISTRY, type Registry } from "../../../policy/registry.ts";
import type { HelloLine } from "./am-line.ts";
import { idleSeats } from "./idle-seats.ts";
import { type JobPolicies, NO_OWN_POLICIES } from "./job-policies.ts";
import { unknownSettings } from "./known-settings.ts";

/**
 * Maps and reduces take containers of one pool. Here they are two kinds all the same, each with as
 * many slots as there would be containers of its size, as Hadoop's own speculator keeps them apart.
 * With one kind no slot would be idle for a map's copy while a reduce waits for a container, and
 * reduces wait for that very map.
 */
export const SLOT_KINDS = ["map", "reduce"] as const;

/** The rack of nodes whose own rack was unknown at set-up. */
export const OTHER_RACK = "(another rack)";

/** The chosen discipline, and the messages about the choice. */
export interface Chosen {
  readonly discipline: Discipline;
  /** One line each. */
  readonly remarks: readonly string[];
  /** One line for each requested setting that has no effect. */
  readonly warnings: readonly string[];
  /** Why there will be no copies: the requested discipline cannot run here. */
  readonly refusal?: string;
}

/** The discipline of the job's settings; `none` if that discipline cannot run here. */
export function chooseDiscipline(
  hello: HelloLine,
  policies: JobPolicies = NO_OWN_POLICIES,
): Chosen {
  const { settings } = hello;
  const warnings = [...unknownSettings(Object.keys(settings))];
  try {
    const chosen = fittedToYarn(
      hello,
      settings.discipline ?? "late",
      settings.set ?? "",
      policies(),
    );
    return { ...chosen, warnings: [...warnings, ...chosen.warnings] };
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return { ...fittedToYarn(hello, "none", ""), warnings, refusal: error.message };
  }
}

function fittedToYarn(
  hello: HelloLine,
  name: string,
  sets: string,
  registry: Registry = REGISTRY,
): Chosen {
  const named = withDefaults(name, splitSets(sets), registry);
  // Hadoop itself decides whose turn it is and where data lie, so these seats get defaults that are
  // never asked.
  const { sharing } = parseDiscipline("none,sharing=fifo-plain");
  const discipline = { ...named, sharing, data: [] };
  const setup = setupOf(hello, discipline, []);
  // Throws if a policy needs a capability that this host lacks.
  createScheduler(setup);
  const left = named.data.map(({ policy }) => policy.name);
  const wants = unmetWants(setup);
  return {
    discipline,
    warnings: idleSeats(named),
    remarks: [
      ...(left.length === 0 ? [] : [`left out, as Hadoop sees to its data: ${left.join(", ")}`]),
      ...wants.map(({ policy, capability }) => `${policy} does without ${capability}`),
    ],
  };
}

/**
 * A task that is killed for a restart queues behind all that wait for a container, and may return
 * to the node that it was taken from. So Mantri only makes copies, until a restart can hold its
 * container first.
 */
const MANTRI_KILLS_NONE = "speculation.gamma=0";

/** The job's own settings come last, and so win. */
function withDefaults(name: string, sets: readonly string[], registry: Registry): Discipline {
  const named = parseDiscipline(name, sets, registry);
  if (named.speculation.policy.name !== "mantri") return named;
  return parseDiscipline(name, [MANTRI_KILLS_NONE, ...sets], registry);
}

/** Splits `a.x=1,b.y=2`; commas within a value stay. */
const splitSets = (text: string): readonly string[] =>
  text.trim() === "" ? [] : text.split(/,(?=\s*[a-z]+\.\w+\s*=)/).map((one) => one.trim());

/** `racks` are the racks of the nodes known at the start. */
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
    // Hadoop knows how many failures end the job, and reports the end.
    attemptsMax: Number.POSITIVE_INFINITY,
  };
}

const TICK_MS = 1_000;
