import { InputError } from "../base/input-error.ts";
import { nearNames } from "./near.ts";
import type { Policy } from "./policy.ts";

type AnyPolicy = Policy<object, unknown>;

/** One parameter of a policy, as a table shows it. */
export interface Parameter {
  readonly name: string;
  readonly default: unknown;
  /** Of a number. */
  readonly bounds?: readonly [min: number, max: number];
  readonly about: string;
}

export const parametersOf = (policy: AnyPolicy): readonly Parameter[] =>
  Object.entries(policy.defaults).map(([name, value]: [string, unknown]) => ({
    name,
    default: value,
    ...(typeof value === "number" ? { bounds: policy.bounds?.[name] ?? NO_BOUNDS } : {}),
    about: policy.about?.[name] ?? "",
  }));

/** Durations, shares, counts and thresholds: none goes below 0. */
const NO_BOUNDS = [0, Number.POSITIVE_INFINITY] as const;

/** A value for a parameter, out of text; it must be of the default's type, and in bounds. */
export function parseValue(policy: AnyPolicy, name: string, text: string, place: string): unknown {
  const found = parameter(policy, name, place);
  const value = valueIn(text, found.default);
  if (isFit(value, found)) return value;
  throw badValue(place, policy, found, text);
}

function valueIn(text: string, standard: unknown): unknown {
  if (typeof standard === "number") return text.trim() === "" ? Number.NaN : Number(text);
  if (typeof standard !== "boolean") return text;
  return text === "true" ? true : text === "false" ? false : undefined;
}

function isFit(value: unknown, { default: standard, bounds = NO_BOUNDS }: Parameter): boolean {
  if (typeof value !== typeof standard) return false;
  return typeof value !== "number" || (value >= bounds[0] && value <= bounds[1]);
}

/** A value for a parameter, out of a journal or a program: of the default's type, and in bounds. */
export function checkValue(
  policy: AnyPolicy,
  name: string,
  value: unknown,
  place: string,
): unknown {
  const found = parameter(policy, name, place);
  if (isFit(value, found)) return value;
  throw badValue(place, policy, found, JSON.stringify(value));
}

function parameter(policy: AnyPolicy, name: string, place: string): Parameter {
  const parameters = parametersOf(policy);
  const found = parameters.find((one) => one.name === name);
  if (found !== undefined) return found;
  const names = parameters.map((one) => one.name);
  const known = names.length === 0 ? "it has none" : `known: ${names.join(", ")}`;
  const text = `${policy.name} has no parameter ${name}; ${known}${hint(name, names)}`;
  throw new InputError("unknown-parameter", place, text);
}

/** `; did you mean late?`, if one is near. */
export function hint(word: string, known: readonly string[]): string {
  const near = nearNames(word, known);
  return near.length === 0 ? "" : `; did you mean ${near.slice(0, 3).join(" or ")}?`;
}

function badValue(
  place: string,
  { name: policy }: AnyPolicy,
  parameter: Parameter,
  found: string,
): InputError {
  const { name, default: standard } = parameter;
  const wanted = `${name} of ${policy} is ${expected(parameter)} (default ${standard})`;
  return new InputError("bad-parameter", place, `${wanted}, found ${found}`);
}

function expected({ default: standard, bounds = NO_BOUNDS }: Parameter): string {
  if (typeof standard === "boolean") return "true or false";
  if (typeof standard === "string") return "text";
  if (typeof standard !== "number") return "a value of the same type";
  const [min, max] = bounds;
  return max < Number.POSITIVE_INFINITY
    ? `a number from ${min} to ${max}`
    : `a number, ${min} or more`;
}
