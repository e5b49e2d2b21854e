import { readFileSync } from "node:fs";
import type { Json } from "../../../base/json.ts";
import { Fields } from "../../../core/journal/fields.ts";

/** What a job of ours calls the tasks that Hadoop numbers by the size of their inputs. */
export interface PlanNames {
  readonly job: string;
  /** By the number of the map, `phase/index`. */
  readonly maps: readonly string[];
  /** The phase of the reduces, which Hadoop numbers as we do; absent: there are none. */
  readonly reduces?: string;
}

/** The name that the file of them has in the ApplicationMaster's container. */
export const NAMES_FILE = "broomwagon-names.json";

/** InputError, with the place, if something is missing or of another kind. */
export function readPlanNames(json: Json, place: string): PlanNames {
  const fields = new Fields(json, place);
  const names = { job: fields.text("job"), maps: fields.texts("maps") };
  return fields.has("reduces") ? { ...names, reduces: fields.text("reduces") } : names;
}

/** As its client has written it. */
export const planNamesIn = (file: string): PlanNames =>
  readPlanNames(JSON.parse(readFileSync(file, "utf8")), file);

/** Of `m_000003`: `job/phase/index`. */
export function plannedName({ job, maps, reduces }: PlanNames, task: string): string {
  const index = Number(task.slice(task.indexOf("_") + 1));
  return `${job}/${task.startsWith("m") ? maps[index] : `${reduces}/${index}`}`;
}
