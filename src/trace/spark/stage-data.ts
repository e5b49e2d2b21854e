import { isList, isObject, type JsonObject, parseJson } from "../../base/json.ts";
import { numberIn, objectsIn, textIn } from "../json-values.ts";

/** What a stage computes, as far as the RDDs in its info say. */
export interface StageData {
  /** The RDD whose partitions its tasks compute; -1 if it is unknown. */
  readonly rdd: number;
  /** The names of the operators, or of the calls, that made its RDDs. */
  readonly scopes: ReadonlySet<string>;
  /** Whether its tasks run all at once or not at all. */
  readonly isBarrier: boolean;
}

export const NO_DATA: StageData = { rdd: -1, scopes: new Set(), isBarrier: false };

/** `list`: the JSON of a `RDD Info`. */
export function stageDataOf(list: string | undefined): StageData {
  const parsed = parseJson(list ?? "[]");
  return dataOf(parsed.ok && isList(parsed.value) ? parsed.value.filter(isObject) : []);
}

function dataOf(rdds: readonly JsonObject[]): StageData {
  if (rdds.length === 0) return NO_DATA;
  // What a stage computes is made after what it is computed from.
  const rdd = rdds.reduce((most, one) => Math.max(most, numberIn(one, "RDD ID") ?? -1), -1);
  const scopes = new Set(rdds.flatMap((one) => scopeOf(textIn(one, "Scope"))));
  return { rdd, scopes, isBarrier: rdds.some((one) => one.Barrier === true) };
}

/** A scope is JSON within JSON: `{"id":"2","name":"Exchange"}`. */
function scopeOf(scope: string | undefined): readonly string[] {
  const parsed = parseJson(scope ?? "");
  const name = parsed.ok && isObject(parsed.value) ? textIn(parsed.value, "name") : undefined;
  return name === undefined ? [] : [name.trim()];
}

/** The ids in the JSON of `Accumulables`, which may be long: their values are not looked at. */
export function countersOf(list: string | undefined): ReadonlySet<number> {
  if (list === undefined || list.length > LIST_MAX) return new Set();
  return new Set(Array.from(list.matchAll(/"ID"\s*:\s*(\d+)/g), ([, id]) => Number(id)));
}

/** A longer list is left out: its jobs name thousands of stages, most of them again and again. */
const LIST_MAX = 1 << 20;

/** The RDD of each stage that a job names. `list`: the JSON of its `Stage Infos`. */
export function rddsOfStages(list: string | undefined): ReadonlyMap<number, number> {
  const found = new Map<number, number>();
  if (list === undefined || list.length > LIST_MAX) return found;
  const parsed = parseJson(list);
  if (!parsed.ok || !isList(parsed.value)) return found;
  for (const stage of parsed.value.filter(isObject)) {
    const id = numberIn(stage, "Stage ID");
    const { rdd } = dataOf(objectsIn(stage, "RDD Info"));
    if (id !== undefined && rdd >= 0) found.set(id, rdd);
  }
  return found;
}
