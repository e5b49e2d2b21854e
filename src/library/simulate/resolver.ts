import { InputError } from "../../base/input-error.ts";
import type { Resolve } from "../../hosts/sim/index.ts";
import { parseDiscipline } from "../../policy/discipline.ts";
import type { Registry } from "../../policy/registry.ts";

/**
 * Finds the disciplines of a study's rows. If the rows are those of the scenario at `path`, an
 * error is the scenario's.
 */
export function resolver(path: string | undefined, registry: Registry): Resolve {
  return (discipline, settings) => {
    const sets = Object.entries(settings).map(([name, value]) => `${name}=${value}`);
    try {
      return parseDiscipline(discipline, sets, registry);
    } catch (error) {
      if (path === undefined || !(error instanceof InputError)) throw error;
      const problem = error.message.replace(/^--(discipline|set) /, "");
      throw new InputError(error.code, `${path}: study.disciplines`, problem);
    }
  };
}
