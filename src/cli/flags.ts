import { InvalidArgumentError, Option } from "commander";
import { InputError } from "../base/input-error.ts";
import type { Fault } from "../model/fault.ts";
import { RUN_DEFAULTS } from "../run/options.ts";

/** A value parser for commander: a whole number in [min, max]. */
export function wholeNumber(min: number, max = Number.MAX_SAFE_INTEGER): (text: string) => number {
  return (text) => {
    const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (value >= min && value <= max) return value;
    const range = max === Number.MAX_SAFE_INTEGER ? `${min} or more` : `${min} to ${max}`;
    throw new InvalidArgumentError(`Expected a whole number, ${range}.`);
  };
}

/** A value parser for commander: `2GB`, `256MB`, `1500000`; powers of 1000. */
export function byteSize(min: number): (text: string) => number {
  return (text) => {
    const [, amount = "", unit = ""] = /^(\d+(?:\.\d+)?)\s*([kMGT]?)B?$/.exec(text) ?? [];
    const bytes = Math.floor(Number(amount) * 1000 ** " kMGT".indexOf(unit || " "));
    if (amount !== "" && bytes >= min) return bytes;
    throw new InvalidArgumentError(`Expected a size such as 256MB or 2GB, ${min / 1e6}MB or more.`);
  };
}

/** A value parser for commander: `90s`, `10min`, `500ms`, `2h`; returns milliseconds. */
export function duration(minMs: number): (text: string) => number {
  return (text) => {
    const [, amount = "", unit = ""] = /^(\d+(?:\.\d+)?)\s*(ms|s|min|h)$/.exec(text) ?? [];
    const ms = Number(amount) * (UNIT_MS.get(unit) ?? Number.NaN);
    if (amount !== "" && ms >= minMs) return ms;
    throw new InvalidArgumentError(
      `Expected a time with its unit, such as 90s, 10min or 2h, ${minMs / 1000}s or more.`,
    );
  };
}

const UNIT_MS: ReadonlyMap<string, number> = new Map([
  ["ms", 1],
  ["s", 1_000],
  ["min", 60_000],
  ["h", 3_600_000],
]);

/** `--task-timeout 10min`. */
export const taskTimeoutOption = (): Option =>
  new Option(
    "--task-timeout <time>",
    "fail an attempt that makes no progress for this time, such as 90s",
  )
    .argParser(duration(1_000))
    .default(RUN_DEFAULTS.taskTimeoutMs, "10min");

/** Collects the values of a flag that may be given several times. */
export const collect = (text: string, earlier: readonly string[] = []): readonly string[] => [
  ...earlier,
  text,
];

/** `-o table` or `-o json`. */
export const outputOption = (): Option =>
  new Option("-o, --format <format>", "output format").choices(["table", "json"]).default("table");

/** Stands beside every `-o`. */
export const jsonOption = (): Option =>
  new Option("--json", "the same as -o json").implies({ format: "json" });

export type PrintFormat = "table" | "json";

/** `--slow n2=4`: the node runs four times slower from the beginning. */
export function slowFault(text: string, nodes: readonly string[]): Fault {
  const [, node = "", factor = ""] = /^([^=]+)=(.+)$/.exec(text) ?? [];
  const value = Number(factor);
  if (!(value >= 1 && value < Number.POSITIVE_INFINITY)) {
    throw badFlag(`--slow ${text}`, "expected NODE=FACTOR with a factor of 1 or more: n2=4");
  }
  return { kind: "slow", at: 0, node: known(node, nodes, `--slow ${text}`), factor: value };
}

/** `--kill n3@12.5`: the node dies 12.5 seconds after the job began. */
export function killFault(text: string, nodes: readonly string[]): Fault {
  const [, node = "", at = ""] = /^([^@]+)@(.+)$/.exec(text) ?? [];
  const value = Number(at);
  if (at === "" || !(value >= 0 && value < Number.POSITIVE_INFINITY)) {
    throw badFlag(`--kill ${text}`, "expected NODE@SECONDS: n3@12.5");
  }
  return { kind: "kill", at: value * 1000, node: known(node, nodes, `--kill ${text}`) };
}

/** `--param key=value`. A value in the form of a number, or true or false, becomes one. */
export function paramsFrom(texts: readonly string[]): Record<string, string | number | boolean> {
  return Object.fromEntries(
    texts.map((text) => {
      const [, key = "", value = ""] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
      if (key === "") throw badFlag(`--param ${text}`, "expected KEY=VALUE: pattern=err.*");
      return [key, valueFrom(value)];
    }),
  );
}

function valueFrom(text: string): string | number | boolean {
  if (text === "true" || text === "false") return text === "true";
  return /^-?(0|[1-9]\d*)(\.\d+)?$/.test(text) ? Number(text) : text;
}

/** The engine's nodes: n1, n2 and so on. */
export const nodeNames = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `n${index + 1}`);

function known(node: string, nodes: readonly string[], place: string): string {
  if (nodes.includes(node)) return node;
  throw badFlag(place, `expected a node from ${nodes[0]} to ${nodes.at(-1)}, found ${node}`);
}

const badFlag = (place: string, expected: string): InputError =>
  new InputError("bad-flag", place, expected);
