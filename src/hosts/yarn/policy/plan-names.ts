import { readFileSync } from "node:fs";
import type { Json } from "../../../base/json.ts";
import { Fields } from "../../../core/journal/fields.ts";

/** The program's names of tasks, which Hadoop numbers by the size of their inputs. */
export interface PlanNames {
  readonly job: string;
  /** By the number of the map, `phase/index`. */
  readonly maps: readonly string[];
  /**
   * The phase of the reduces, which Hadoop numbers in the program's order; absent without reduces.
   */
  readonly reduces?: string;
}

/** The name of the file of names in the ApplicationMaster's container. */
export const NAMES_FILE = "broomwagon-names.json";

/** InputError, with the place, if a field is missing or of another kind. */
export function readPlanNames(json: Json, place: string): PlanNames {
  const fields = new Fields(json, place);
  const names = { job: fields.text("job"), maps: fields.texts("maps") };
  return fields.has("reduces") ? { ...names, reduces: fields.text("reduces") } : names;
}

/** Reads the file that the client wrote. */
export const planNamesIn = (file: string): PlanNames =>
  readPlanNames(JSON.parse(readFileSync(file, "utf8")), file);

/** The name `job/phase/index` of a task such as `m_000003`. */
export function plannedName({ job, maps, reduces }: PlanNames, task: string): string {
  const index = Number(task.slice(task.indexOf("_") + 1));
  return `${job}/${task.startsWith("m") ? maps[index] : `${reduces}/${index}`}`;
}
