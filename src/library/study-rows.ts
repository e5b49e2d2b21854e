import type { DisciplineSpec, Scenario, Settings, StudyRow } from "../hosts/sim/index.ts";
import type { Discipline } from "../policy/policy.ts";
import { parseSetting } from "../policy/setting.ts";

/** The rows of a scenario's study that the flags choose. */
export interface ChosenRows {
  readonly rows: readonly DisciplineSpec[];
  /** Whether the rows, and thus their errors, are the scenario's own. */
  readonly areOwn: boolean;
}

/**
 * The rows with the named discipline, or else with the named label, and their settings; if the
 * scenario has none, one row with the plain discipline. All rows if no name is given.
 */
export function chooseRows({ study }: Scenario, name: string | undefined): ChosenRows {
  const { disciplines } = study;
  if (name === undefined) return { rows: disciplines, areOwn: true };
  const wanted = name.replaceAll(" ", "");
  const named = disciplines.filter((row) => row.discipline.replaceAll(" ", "") === wanted);
  const labelled = disciplines.filter(({ label }) => label === name);
  const rows = named.length > 0 ? named : labelled;
  if (rows.length > 0) return { rows, areOwn: true };
  return { rows: [{ discipline: name, label: name, set: {} }], areOwn: false };
}

/**
 * The row under those texts of `--set` that its discipline knows: a parameter that is set is no
 * longer swept, and published figures belong to the scenario's own settings and faults.
 */
export function withFlags(
  row: DisciplineSpec,
  { sets, hasOtherFaults }: { readonly sets: readonly string[]; readonly hasOtherFaults: boolean },
): DisciplineSpec {
  const { sweep, published, ...rest } = row;
  const given = Object.fromEntries(
    sets.map(parseSetting).map(({ seat, parameter, value }) => [`${seat}.${parameter}`, value]),
  );
  const isSwept = sweep !== undefined && given[sweep.parameter.replaceAll(" ", "")] === undefined;
  const isAsPublished = published !== undefined && sets.length === 0 && !hasOtherFaults;
  return {
    ...rest,
    set: { ...rest.set, ...given },
    ...(isSwept && { sweep }),
    ...(isAsPublished && { published }),
  };
}

/** The parameters that are set for a row, with their values in force. */
export const settingsInForce = (row: Pick<StudyRow, "set">, discipline: Discipline): Settings =>
  Object.fromEntries(Object.keys(row.set).map((name) => [name, valueInForce(discipline, name)]));

function valueInForce(discipline: Discipline, name: string): string | number | boolean {
  const [seat = "", parameter = ""] = name.split(".");
  const { name: _, files: _f, ...seats } = discipline;
  const all: readonly (readonly [string, unknown])[] = Object.entries(seats)
    .filter(([each]) => each === seat)
    .flatMap(([, used]) => [used].flat())
    .flatMap(({ params }) => Object.entries(params));
  const value = all.find(([each]) => each === parameter)?.[1];
  return typeof value === "number" || typeof value === "boolean" ? value : String(value);
}

/** The settings that all rows of a study share, as texts of `--set`. */
export function commonSettings({ study }: Scenario): readonly string[] {
  const [first, ...others] = study.disciplines.map(({ set }) => textsOf(set));
  return (first ?? []).filter((text) => others.every((texts) => texts.includes(text)));
}

const textsOf = (set: Settings): readonly string[] =>
  Object.entries(set).map(([name, value]) => `${name}=${value}`);

/** What a plain discipline lacks compared with the scenario's rows. */
export function plainText(name: string, common: readonly string[]): string {
  const absent = `The scenario has no row ${name}`;
  if (common.length === 0) return `${absent}.`;
  const sets = common.map((text) => `--set ${text}`).join(" ");
  return `${absent}; all of its rows have ${common.join(", ")} (add ${sets} to compare).`;
}

/** The settings of the rows, each once, with the labels of the rows that have it. */
export function settingsText(
  rows: readonly Pick<StudyRow, "label" | "set">[],
  isSwept: boolean,
): string {
  const labels = new Map<string, string[]>();
  for (const { label, set } of rows) {
    for (const text of textsOf(set)) {
      const having = labels.get(text) ?? [];
      labels.set(text, having.includes(label) ? having : [...having, label]);
    }
  }
  const count = new Set(rows.map(({ label }) => label)).size;
  if (labels.size === 0)
    return `Settings: every ${isSwept ? "other " : ""}parameter has its default.`;
  const lines = [...labels].map(([text, having]) =>
    having.length === count ? text : `${text} (${having.join("; ")})`,
  );
  const others = "all other parameters have their defaults";
  return `Settings: ${lines.join(", ")}; ${others}.`;
}
