import { InputError } from "../base/input-error.ts";
import { parseDiscipline } from "./discipline.ts";
import type { Discipline } from "./policy.ts";
import { REGISTRY, type Registry } from "./registry.ts";
import { knows, parseSetting, type Seated, settingHint } from "./setting.ts";

/**
 * For each of several disciplines, those texts of `--set` whose parameter it has: a setting changes
 * every discipline that knows it. InputError if a setting is known to none, or has a value that is
 * not allowed.
 */
export function knownSets(
  disciplines: readonly string[],
  sets: readonly string[],
  registry: Registry = REGISTRY,
): readonly (readonly string[])[] {
  const all = disciplines.map((text) => seatedIn(parseDiscipline(text, [], registry)));
  const known = all.map((seated) => sets.filter((set) => knows(seated, parseSetting(set))));
  for (const set of sets) {
    if (known.some((texts) => texts.includes(set))) continue;
    // The error of a discipline that is alone also lists its parameters.
    if (disciplines.length === 1) parseDiscipline(disciplines[0] ?? "", [set], registry);
    const setting = parseSetting(set);
    const lacks = `no policy of ${[...new Set(disciplines)].join(", ")} has this parameter`;
    const hint = settingHint(setting, all, registry);
    throw new InputError("unknown-parameter", setting.place, `${lacks}${hint}`);
  }
  for (const [n, text] of disciplines.entries()) parseDiscipline(text, known[n], registry);
  return known;
}

const seatedIn = ({ data, ...one }: Discipline): Seated => ({
  sharing: one.sharing.policy,
  order: one.order.policy,
  speculation: one.speculation.policy,
  data: data.map(({ policy }) => policy),
  estimator: one.estimator.policy,
  detection: one.detection.policy,
});
