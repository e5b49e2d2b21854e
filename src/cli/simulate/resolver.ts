import { InputError } from "../../base/input-error.ts";
import type { Resolve } from "../../hosts/sim/index.ts";
import { parseDiscipline } from "../../policy/discipline.ts";
import type { Registry } from "../../policy/registry.ts";

/** How a study finds its disciplines: plain data, which can be sent to a thread. */
export interface Naming {
  /** The scenario file, if the rows are its own. */
  readonly path: string | undefined;
  /** The settings of the flags. */
  readonly sets: readonly string[];
}

/**
 * The flags' settings come after the scenario's, and win. For rows of the scenario at `path`, an
 * error that occurs without the flags is the scenario's.
 */
export function resolver({ path, sets }: Naming, registry: Registry): Resolve {
  return (discipline, settings) => {
    const own = Object.entries(settings).map(([name, value]) => `${name}=${value}`);
    if (path !== undefined) checkScenario(path, discipline, own, registry);
    return parseDiscipline(discipline, [...own, ...sets], registry);
  };
}

function checkScenario(
  path: string,
  discipline: string,
  settings: readonly string[],
  registry: Registry,
): void {
  try {
    parseDiscipline(discipline, settings, registry);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const problem = error.message.replace(/^--(discipline|set) /, "");
    throw new InputError(error.code, `${path}: study.disciplines`, problem);
  }
}
