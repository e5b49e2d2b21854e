import type { Recorded } from "../../history/model.ts";
import type { HadoopJob } from "./history.ts";

const PROPERTY = /<property>([\s\S]*?)<\/property>/g;

/** Settings that say how stragglers are dealt with, or how many tasks run at once. */
const MATTERS = /speculat|slowstart|\.maxattempts|max\.attempts|\.tasks\.maximum|queue\.name$/;

/** Adds the settings that matter from the text of a `job.xml` or `conf.xml`. */
export function addSettings(text: string, settings: Map<string, string>): void {
  for (const [, property = ""] of text.matchAll(PROPERTY)) {
    const [, name = ""] = /<name>\s*([^<]*?)\s*<\/name>/.exec(property) ?? [];
    const [, value] = /<value>\s*([^<]*?)\s*<\/value>/.exec(property) ?? [];
    if (value !== undefined) addSetting(name, plain(value), settings);
  }
}

export function addSetting(name: string, value: string, settings: Map<string, string>): void {
  if (MATTERS.test(name)) settings.set(name, value);
}

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ["lt", "<"],
  ["gt", ">"],
  ["quot", '"'],
  ["apos", "'"],
  ["amp", "&"],
]);

const plain = (value: string): string =>
  value.replace(/&(lt|gt|quot|apos|amp);/g, (entity, name: string) => ENTITIES.get(name) ?? entity);

/** Hadoop's default share of the maps that must be done before reduces start. */
const SLOWSTART = 0.05;

const SLOWSTARTS = [
  "mapreduce.job.reduce.slowstart.completedmaps",
  "mapred.reduce.slowstart.completed.maps",
];
const SPECULATIONS = [
  "mapreduce.map.speculative",
  "mapreduce.reduce.speculative",
  "mapred.map.tasks.speculative.execution",
  "mapred.reduce.tasks.speculative.execution",
];

export function slowstartOf({ settings }: HadoopJob): number {
  const set = SLOWSTARTS.map((name) => Number.parseFloat(settings.get(name) ?? ""));
  return set.find((value) => value >= 0 && value <= 1) ?? SLOWSTART;
}

/**
 * The rules of speculation that the job ran under, as far as its settings are known. Without
 * settings, copies show that speculation was on.
 */
export function recordedOf(
  { settings }: HadoopJob,
  hasTrackers: boolean,
  hasCopies = false,
): Recorded {
  const values = Object.fromEntries(settings);
  const set = SPECULATIONS.flatMap((name) => settings.get(name) ?? []);
  if (set.length === 0 && !hasCopies) return { values };
  const speculation = hasCopies || set.includes("true");
  // Hadoop 0.21 brought LATE's thresholds; earlier versions copied tasks that were 20 % behind.
  const hasThresholds = [...settings.keys()].some((name) => /slownodethreshold/i.test(name));
  const classic = hasThresholds ? "late-0.21" : "hadoop";
  return {
    speculation,
    discipline: speculation ? (hasTrackers ? classic : "yarn") : "none",
    values,
  };
}
