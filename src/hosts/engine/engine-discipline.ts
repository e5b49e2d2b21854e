import { parseDiscipline } from "../../policy/discipline.ts";
import type { Discipline } from "../../policy/policy.ts";
import type { Registry } from "../../policy/registry.ts";
import { ENGINE_EXPIRY_MS } from "../../run/options.ts";

/**
 * The named discipline as the engine uses it: Hadoop gives a machine up after ten minutes, the
 * engine a process after ten seconds.
 */
export function engineDiscipline(
  name: string,
  sets: readonly string[],
  registry: Registry,
): Discipline {
  const asked = parseDiscipline(name, sets, registry);
  const isGiven = sets.some((one) => one.startsWith("detection.expiryMs="));
  if (isGiven || asked.detection.policy.name !== "fixed-expiry") return asked;
  return parseDiscipline(name, [...sets, `detection.expiryMs=${ENGINE_EXPIRY_MS}`], registry);
}
