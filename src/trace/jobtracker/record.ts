/** A line of a JobTracker's log: `Kind KEY="value" ... .` */
export interface JobTrackerRecord {
  readonly kind: string;
  readonly values: ReadonlyMap<string, string>;
}

const PAIR = /([A-Z_]+)="((?:[^"\\]|\\.)*)"/gs;

/** undefined if the text is no record. Escapes `\.`, `\"` and the like are resolved. */
export function parseRecord(text: string): JobTrackerRecord | undefined {
  const [, kind] = /^([A-Za-z]+) [A-Z_]+="/.exec(text) ?? [];
  if (kind === undefined) return undefined;
  const values = new Map<string, string>();
  for (const [, key = "", value = ""] of text.matchAll(PAIR)) {
    values.set(key, value.replaceAll(/\\(.)/gs, "$1"));
  }
  return { kind, values };
}

/** `{(group)(Name)[(COUNTER)(Name)(12)]...}`, resolved escapes. */
export function parseCounters(text: string): ReadonlyMap<string, number> | undefined {
  const found = new Map<string, number>();
  for (const [, name = "", value] of text.matchAll(/\[\(([^()]+)\)\([^()]*\)\((-?\d+)\)\]/g)) {
    found.set(name, Number(value));
  }
  return found.size > 0 ? found : undefined;
}
