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

/** `; did you mean late, late-0.21 or late-early?`: the nearest three, if any are near. */
export function hint(word: string, known: readonly string[]): string {
  const near = nearNames(word, known).slice(0, 3);
  return near.length === 0 ? "" : `; did you mean ${orList(near)}?`;
}

/** For instance `late, late-0.21 or late-early`. */
export const orList = (names: readonly string[]): string =>
  [names.slice(0, -1).join(", "), names.at(-1)].filter(Boolean).join(" or ");

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

/**
 * Known names that a mistyped or shortened one may stand for, nearest first; empty text may stand
 * for any. `cap` may stand for `speculativeCap`.
 */
export function nearNames(word: string, known: readonly string[]): readonly string[] {
  if (word === "") return [];
  const near = known
    .map((name) => ({ name, edits: isPart(word, name) ? 0 : editsBetween(word, name) }))
    .filter(({ name, edits }) => edits <= Math.max(2, Math.floor(name.length / 3)));
  near.sort((a, b) => (a.edits === b.edits ? (a.name < b.name ? -1 : 1) : a.edits - b.edits));
  return near.map(({ name }) => name);
}

/** Whether the word begins the name, or is a longer part of it. */
const isPart = (word: string, name: string): boolean =>
  name.startsWith(word) ||
  (word.length >= PART_MIN && name.toLowerCase().includes(word.toLowerCase()));

/** Two letters are in too many names. */
const PART_MIN = 3;

/** The number of letters to insert, delete or change (Levenshtein). */
export function editsBetween(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const change = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1);
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, change));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
