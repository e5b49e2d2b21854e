import type { Json } from "../../../base/json.ts";
import { Fields } from "../../../core/journal/fields.ts";
import {
  type AmLine,
  END_STATES,
  type HadoopCounters,
  type HadoopSplit,
  type HelloLine,
  type JobConf,
  type JobLine,
  type TaskConf,
} from "./am-line.ts";
import { readPlanNames } from "./plan-names.ts";

/**
 * Reads the fields in use; undefined for an unknown type of line. InputError, with the place, if a
 * field is missing or of another kind.
 */
export function readAmLine(json: Json, place: string): AmLine | undefined {
  const fields = new Fields(json, place);
  const at = fields.number("at");
  const type = fields.text("type");
  const attempt = () => ({ attempt: fields.text("attempt") });
  const task = () => ({ task: fields.text("task") });
  const command = () => ({ command: fields.number("command") });
  switch (type) {
    case "hello":
      return hello(fields, at, place);
    case "job":
      return job(fields, at);
    case "recovered":
      return {
        ...{ type, at, ...attempt(), ...task(), state: fields.oneOf("state", END_STATES) },
        ...textIf(fields, "host"),
        ...textIf(fields, "rack"),
        ...numberIf(fields, "startedAt"),
        ...numberIf(fields, "endedAt"),
        counters: counters(fields),
      };
    case "started": {
      const [host, rack] = [fields.text("host"), fields.text("rack")];
      return { type, at, ...attempt(), ...task(), host, rack, copy: fields.flag("copy") };
    }
    case "status": {
      const [progress, phase] = [fields.number("progress"), fields.text("phase")];
      return { type, at, ...attempt(), progress, phase, counters: counters(fields) };
    }
    case "ended": {
      const state = fields.oneOf("state", END_STATES);
      const diagnostics = textIf(fields, "diagnostics");
      return {
        type,
        at,
        ...attempt(),
        ...task(),
        state,
        ...diagnostics,
        counters: counters(fields),
      };
    }
    case "output-lost":
      return { type, at, ...attempt(), ...task() };
    case "node": {
      const state = fields.oneOf("state", ["lost", "usable"]);
      return { type, at, host: fields.text("host"), state };
    }
    case "tick":
      return { type, at, tick: fields.number("tick") };
    case "done":
      return { type, at, ...command(), ...textIf(fields, "attempt") };
    case "refused":
      return { type, at, ...command(), reason: fields.text("reason") };
    case "job-ended":
      return { type, at, job: fields.text("job"), state: fields.text("state") };
    default:
      return undefined;
  }
}

function hello(fields: Fields, at: number, place: string): HelloLine {
  const capabilities = fields.fields("capabilities");
  const settings = fields.fields("settings").entries();
  return {
    type: "hello",
    at,
    protocol: fields.number("protocol"),
    application: fields.text("application"),
    amAttempt: fields.number("amAttempt"),
    ...textIf(fields, "user"),
    journal: fields.text("journal"),
    capabilities: {
      placement: capabilities.flag("placement"),
      withdraw: capabilities.flag("withdraw"),
    },
    settings: Object.fromEntries(
      settings.map(([name, value]) => [name, typeof value === "string" ? value : String(value)]),
    ),
    conf: jobConf(fields.fields("conf")),
    ...(fields.has("names") && { names: readPlanNames(fields.json("names"), place) }),
  };
}

function jobConf(fields: Fields): JobConf {
  return {
    slowstart: fields.number("slowstart"),
    map: taskConf(fields.fields("map")),
    reduce: taskConf(fields.fields("reduce")),
    resourceManagers: fields
      .rows("resourceManagers")
      .map((row) => ({ url: row.text("url"), ...textIf(row, "address") })),
  };
}

const taskConf = (fields: Fields): TaskConf => ({
  memoryMb: fields.number("memoryMb"),
  vcores: fields.number("vcores"),
  speculation: fields.flag("speculation"),
});

function job(fields: Fields, at: number): JobLine {
  return {
    type: "job",
    at,
    job: fields.text("job"),
    name: fields.text("name"),
    user: fields.text("user"),
    queue: fields.text("queue"),
    submittedAt: fields.number("submittedAt"),
    maps: fields.rows("maps").map(split),
    reduces: fields.number("reduces"),
  };
}

const split = (row: Fields): HadoopSplit => ({
  ...numberIf(row, "bytes"),
  hosts: row.texts("hosts"),
});

/** Hadoop's counters that show an attempt's progress. */
const USED = [
  "BYTES_READ",
  "MAP_INPUT_RECORDS",
  "MAP_OUTPUT_RECORDS",
  "MAP_OUTPUT_BYTES",
  "MAP_OUTPUT_MATERIALIZED_BYTES",
  "REDUCE_SHUFFLE_BYTES",
  "REDUCE_INPUT_RECORDS",
  "REDUCE_OUTPUT_RECORDS",
];
const USED_OF_OURS = ["progressPermille", "bytesRead", "bytesWritten", "records"];

function counters(fields: Fields): HadoopCounters {
  if (!fields.has("counters")) return { hadoop: {}, broomwagon: {} };
  const groups = fields.fields("counters");
  const pick = (group: string, names: readonly string[]) => {
    if (!groups.has(group)) return {};
    const found = groups.fields(group);
    return Object.fromEntries(
      names.flatMap((name) => (found.has(name) ? [[name, found.number(name)]] : [])),
    );
  };
  return { hadoop: pick("hadoop", USED), broomwagon: pick("broomwagon", USED_OF_OURS) };
}

function textIf<K extends string>(fields: Fields, key: K): Partial<Record<K, string>> {
  const none: Partial<Record<K, string>> = {};
  return fields.has(key) ? { ...none, [key]: fields.text(key) } : none;
}

function numberIf<K extends string>(fields: Fields, key: K): Partial<Record<K, number>> {
  const none: Partial<Record<K, number>> = {};
  return fields.has(key) ? { ...none, [key]: fields.number(key) } : none;
}
