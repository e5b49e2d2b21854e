import { InputError } from "../base/input-error.ts";
import { nearNames } from "./near.ts";
import type { Policy } from "./policy.ts";

type AnyPolicy = Policy<object, unknown>;

/** One parameter of a policy, as a table shows it. */
export interface Parameter {
  readonly name: string;
  readonly default: unknown;
  readonly about: string;
}

export const parametersOf = (policy: AnyPolicy): readonly Parameter[] =>
  Object.entries(policy.defaults).map(([name, value]: [string, unknown]) => ({
    name,
    default: value,
    about: policy.about?.[name] ?? "",
  }));

/** A value for a parameter, out of text; it must be of the default's type. */
export function parseValue(policy: AnyPolicy, name: string, text: string, place: string): unknown {
  const { default: standard } = parameter(policy, name, place);
  if (typeof standard === "number") {
    const value = text.trim() === "" ? Number.NaN : Number(text);
    // Durations, shares, counts and thresholds: none of them goes below 0.
    if (value >= 0) return value;
  } else if (typeof standard === "boolean") {
    if (text === "true" || text === "false") return text === "true";
  } else if (typeof standard === "string") return text;
  throw badValue(place, { policy, name, standard, found: text });
}

/** A value for a parameter, out of a journal or a program; it must be of the default's type. */
export function checkValue(
  policy: AnyPolicy,
  name: string,
  value: unknown,
  place: string,
): unknown {
  const { default: standard } = parameter(policy, name, place);
  if (typeof value === typeof standard) return value;
  throw badValue(place, { policy, name, standard, found: JSON.stringify(value) });
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
  bad: { policy: AnyPolicy; name: string; standard: unknown; found: string },
): InputError {
  const { policy, name, standard, found } = bad;
  const expected = EXPECTED[typeof standard] ?? "a value of the same type";
  const text = `${name} of ${policy.name} is ${expected} (default ${standard}), found ${found}`;
  return new InputError("bad-parameter", place, text);
}

const EXPECTED: { readonly [type: string]: string } = {
  number: "a number, 0 or more",
  boolean: "true or false",
  string: "text",
};
