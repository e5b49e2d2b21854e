const UNITS: ReadonlyMap<string, number> = new Map([
  ["", 1],
  ["ms", 1],
  ["s", 1_000],
  ["m", 60_000],
  ["min", 60_000],
  ["h", 3_600_000],
  ["d", 86_400_000],
]);

/** A time as settings of Spark have it, in ms: `3s`, `1h`, `100`; undefined if it is none. */
export function settingMs(text: string): number | undefined {
  const [, amount, unit = ""] = /^\s*(\d+(?:\.\d+)?)\s*([a-z]*)\s*$/i.exec(text) ?? [];
  const perUnit = UNITS.get(unit.toLowerCase());
  return amount === undefined || perUnit === undefined ? undefined : Number(amount) * perUnit;
}
