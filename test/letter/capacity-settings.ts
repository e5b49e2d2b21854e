import type { Dice } from "./dice.ts";
import type { Params } from "./letter.ts";

export const QUEUES = ["a", "b", "c"];
const CAPACITIES = [
  [50, 30, 20],
  [69, 30, 1],
  [34, 33, 33],
  [80, 15, 5],
];

export function drawCapacity(dice: Dice): Params {
  const params: Record<string, number> = {
    gap: dice.pick([0.2, 0.2, 0, 0.1]),
    lagMs: dice.pick([60_000, 20_000, 0]),
  };
  const set = (name: string, values: readonly number[]): void => {
    const value = dice.pick(values);
    if (!Number.isNaN(value)) params[name] = value;
  };
  const no = Number.NaN;
  const capacities = dice.pick(CAPACITIES);
  for (const [at, queue] of QUEUES.entries()) {
    params[`${queue}.capacity`] = capacities[at] ?? 0;
    set(`${queue}.maximumCapacity`, [no, no, 100, 95]);
    set(`${queue}.minimumUserLimitPercent`, [no, 100, 50, 25]);
    set(`${queue}.userLimitFactor`, [no, no, 1, 2, 10, 10, 30, 0.5]);
    set(`${queue}.supportsPriority`, [no, no, 1]);
    // Of the size of a few jobs, so that some sums of tasks are just as large as the limit.
    set(`${queue}.maximumActiveTasks`, [no, no, dice.whole(20, 90)]);
    set(`${queue}.maximumActiveTasksPerUser`, [no, no, dice.whole(10, 60)]);
  }
  set("maximumSystemJobs", [no, no, 4, 10]);
  set("minimumUserLimitPercent", [no, 50, 25]);
  set("userLimitFactor", [no, 3, 10, 10, 10]);
  set("supportsPriority", [no, no, 1]);
  set("localityWaitFactor", [no, no, 0.5, 0.25]);
  set("mapsMax", [no, no, no, 1, 2]);
  return params;
}

export function setsOfCapacity(params: Params): readonly string[] {
  const fields = new Map<string, string[]>();
  const others: string[] = [];
  for (const [name, value] of Object.entries(params)) {
    const [queue, field] = name.split(".");
    const text = (field ?? name) === "supportsPriority" ? String(value === 1) : String(value);
    if (field === undefined) {
      const seat = name === "gap" || name === "lagMs" ? "speculation" : "sharing";
      others.push(`${seat}.${name}=${text}`);
    } else fields.set(queue!, [...(fields.get(queue!) ?? []), `${field}=${text}`]);
  }
  const queues = [...fields].map(([queue, texts]) => `${queue}:${texts.join(",")}`);
  return [...others, `sharing.queues=${queues.join(";")}`];
}
