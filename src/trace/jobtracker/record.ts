import { isMeasured } from "../hadoop/counters.ts";

/** A record of a JobTracker's log: `Task TASKID="task_1" START_TIME="5" .` */
export interface LogRecord {
  readonly tag: string;
  readonly fields: ReadonlyMap<string, string>;
}

/** The beginning of a record: a line with another beginning continues the previous record. */
const BEGIN = /^(Meta|Job|Task|MapAttempt|ReduceAttempt) [A-Z_]+="/;

export const beginsRecord = (line: string): boolean => BEGIN.test(line);

const FIELD = /([A-Z_]+)="((?:[^"\\]|\\[\s\S])*)"\s*/y;

/** undefined if the text is not one whole record. Values may have several lines. */
export function recordIn(text: string): LogRecord | undefined {
  const [begin, tag = ""] = /^(\w+) /.exec(text) ?? [];
  if (begin === undefined) return undefined;
  const fields = new Map<string, string>();
  FIELD.lastIndex = begin.length;
  let end = begin.length;
  for (let found = FIELD.exec(text); found !== null; found = FIELD.exec(text)) {
    const [, key = "", value = ""] = found;
    fields.set(key, unescaped(value));
    end = FIELD.lastIndex;
  }
  return fields.size > 0 && text.slice(end).trim() === "." ? { tag, fields } : undefined;
}

/** The log writes a backslash before `.`, `"`, `=` and itself. */
const unescaped = (value: string): string => value.replace(/\\([\s\S])/g, "$1");

const COUNTER = /\[\(([A-Za-z0-9_]+)\)\(.*?\)\((-?\d+)\)\]/g;

/** The counters in `{(group)(its name)[(NAME)(its name)(5)]...}`; undefined if there are none. */
export function countersIn(text: string | undefined): ReadonlyMap<string, number> | undefined {
  if (text === undefined) return undefined;
  const found = new Map<string, number>();
  for (const [, name = "", value = ""] of text.matchAll(COUNTER)) {
    if (isMeasured(name)) found.set(name, Number(value));
  }
  return found.size > 0 ? found : undefined;
}
