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
  /** Of a number: whether it counts things. */
  readonly whole?: boolean;
  readonly about: string;
}

export const parametersOf = (policy: AnyPolicy): readonly Parameter[] =>
  Object.entries(policy.defaults).map(([name, value]: [string, unknown]) => ({
    name,
    default: value,
    ...(typeof value === "number" ? rangeOf(policy, name) : {}),
    about: policy.about?.[name] ?? "",
  }));

const rangeOf = ({ bounds, whole }: AnyPolicy, name: string) => ({
  bounds: bounds?.[name] ?? NO_BOUNDS,
  whole: whole?.includes(name) === true,
});

/** Durations, shares, counts and thresholds: none goes below 0. */
const NO_BOUNDS = [0, Number.POSITIVE_INFINITY] as const;

/** A value for a parameter, out of text; it must be of the default's type, and in bounds. */
export function parseValue(policy: AnyPolicy, name: string, text: string, place: string): unknown {
  const found = parameter(policy, name, place);
  const value = valueIn(text, found.default);
  if (!isFit(value, found)) throw badValue(place, policy, found, text);
  return faultless(policy, name, value, place);
}

function valueIn(text: string, standard: unknown): unknown {
  if (typeof standard === "number") return text.trim() === "" ? Number.NaN : Number(text);
  if (typeof standard !== "boolean") return text;
  return text === "true" ? true : text === "false" ? false : undefined;
}

function isFit(value: unknown, wanted: Parameter): boolean {
  const { default: standard, bounds = NO_BOUNDS, whole = false } = wanted;
  if (typeof value !== typeof standard) return false;
  if (typeof value !== "number") return true;
  if (whole && Math.floor(value) !== value) return false;
  return value >= bounds[0] && value <= bounds[1];
}

/** A value for a parameter, out of a journal or a program: of the default's type, and in bounds. */
export function checkValue(
  policy: AnyPolicy,
  name: string,
  value: unknown,
  place: string,
): unknown {
  const found = parameter(policy, name, place);
  if (!isFit(value, found)) throw badValue(place, policy, found, JSON.stringify(value));
  return faultless(policy, name, value, place);
}

/** A text with a grammar of its own is read by the policy that has it. */
function faultless(policy: AnyPolicy, name: string, value: unknown, place: string): unknown {
  if (typeof value !== "string") return value;
  const fault = policy.faults?.[name]?.(value);
  if (fault === undefined) return value;
  throw new InputError("bad-parameter", place, `${name} of ${policy.name}: ${fault}`);
}

function parameter(policy: AnyPolicy, name: string, place: string): Parameter {
  const found = parametersOf(policy).find((one) => one.name === name);
  if (found !== undefined) return found;
  throw unknownParameter([policy], name, place);
}

/** Of the policies of one seat, none has a parameter of this name. */
export function unknownParameter(
  policies: readonly AnyPolicy[],
  name: string,
  place: string,
): InputError {
  const names = [...new Set(policies.flatMap(({ defaults }) => Object.keys(defaults)))];
  const isOne = policies.length === 1;
  const having = policies.map((policy) => policy.name).join(" and ");
  const none = isOne ? "it has none" : "they have none";
  const known = names.length === 0 ? none : `known: ${names.join(", ")}`;
  const text = `${having} ${isOne ? "has" : "have"} no parameter ${name}; ${known}`;
  return new InputError("unknown-parameter", place, `${text}${hint(name, names)}`);
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

function expected(wanted: Parameter): string {
  const { default: standard, bounds = NO_BOUNDS, whole = false } = wanted;
  if (typeof standard === "boolean") return "true or false";
  if (typeof standard === "string") return "text";
  if (typeof standard !== "number") return "a value of the same type";
  const [min, max] = bounds;
  const number = whole ? "a whole number" : "a number";
  return max < Number.POSITIVE_INFINITY
    ? `${number} from ${min} to ${max}`
    : `${number}, ${min} or more`;
}
