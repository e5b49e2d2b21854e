import { hint } from "../base/hint.ts";
import { InputError } from "../base/input-error.ts";
import { type AnyParam, accepts, entriesOf, findParam } from "./params.ts";
import type { Policy } from "./policy.ts";

type AnyPolicy = Policy<object, unknown>;

/** A parameter of a policy, as a table shows it. */
export interface Parameter {
  readonly name: string;
  readonly default: unknown;
  /** The bounds of a number. */
  readonly bounds?: readonly [min: number, max: number];
  /** For a number: whether it counts things. */
  readonly whole?: boolean;
  readonly about: string;
}

export const parametersOf = (policy: AnyPolicy): readonly Parameter[] =>
  entriesOf(policy.params).map(([name, param]) => ({
    name,
    default: param.default,
    ...(typeof param.default === "number" ? rangeOf(param) : {}),
    about: param.about,
  }));

const rangeOf = ({ min = 0, max = Number.POSITIVE_INFINITY, whole = false }: AnyParam) => ({
  bounds: [min, max] as const,
  whole,
});

/** Parses a parameter's value from text; the value must be of the default's type, and in bounds. */
export function parseValue(policy: AnyPolicy, name: string, text: string, place: string): unknown {
  const param = paramNamed(policy, name, place);
  const value = valueIn(text, param.default);
  if (!accepts(param, value)) throw badValue({ place, policy, name, param, found: text });
  return faultless(policy, name, value, place);
}

function valueIn(text: string, standard: unknown): unknown {
  if (typeof standard === "number") return text.trim() === "" ? Number.NaN : Number(text);
  if (typeof standard !== "boolean") return text;
  return text === "true" ? true : text === "false" ? false : undefined;
}

/** Checks a parameter's value from a journal or a program: of the default's type, and in bounds. */
export function checkValue(
  policy: AnyPolicy,
  name: string,
  value: unknown,
  place: string,
): unknown {
  const param = paramNamed(policy, name, place);
  if (!accepts(param, value)) {
    throw badValue({ place, policy, name, param, found: JSON.stringify(value) });
  }
  return faultless(policy, name, value, place);
}

/** A text with a grammar is checked by its policy. */
function faultless(policy: AnyPolicy, name: string, value: unknown, place: string): unknown {
  if (typeof value !== "string") return value;
  const fault = paramNamed(policy, name, place).fault?.(value);
  if (fault === undefined) return value;
  throw new InputError("bad-parameter", place, `${name} of ${policy.name}: ${fault}`);
}

/** Throws an InputError if the policy has no parameter of this name. */
export function paramNamed(policy: AnyPolicy, name: string, place: string): AnyParam {
  const param = findParam(policy, name);
  if (param !== undefined) return param;
  const names = Object.keys(policy.params);
  const known = names.length === 0 ? "it has none" : `known: ${names.join(", ")}`;
  const text = `${policy.name} has no parameter ${name}; ${known}${hint(name, names)}`;
  throw new InputError("unknown-parameter", place, text);
}

/** The end of an error about one of too many names to print. */
export const LISTS_ALL = "`broomwagon policies` lists all";

function badValue(of: {
  readonly place: string;
  readonly policy: AnyPolicy;
  readonly name: string;
  readonly param: AnyParam;
  readonly found: string;
}): InputError {
  const { name, param, policy } = of;
  const wanted = `${name} of ${policy.name} is ${expected(param)} (default ${param.default})`;
  return new InputError("bad-parameter", of.place, `${wanted}, found ${of.found}`);
}

function expected(param: AnyParam): string {
  const { default: standard, min = 0, max = Number.POSITIVE_INFINITY, whole = false } = param;
  if (typeof standard === "boolean") return "true or false";
  if (typeof standard === "string") return "text";
  if (typeof standard !== "number") return "a value of the same type";
  const number = whole ? "a whole number" : "a number";
  return max < Number.POSITIVE_INFINITY
    ? `${number} from ${min} to ${max}`
    : `${number}, ${min} or more`;
}
