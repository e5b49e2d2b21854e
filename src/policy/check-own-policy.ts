import { hint } from "../base/hint.ts";
import { InputError } from "../base/input-error.ts";
import { CAPABILITIES } from "../model/cluster.ts";
import type { Policy } from "./policy.ts";
import { type FieldKind, type FieldsOf, HEARD } from "./seat-fields.ts";

/** A place in a user's file of policies. */
export interface OwnPlace {
  readonly file: string;
  /** Such as `speculation[0].name`; "" for the whole export. */
  readonly path: string;
}

export const mistake = ({ file, path }: OwnPlace, expected: string): InputError =>
  new InputError("bad-policies", path === "" ? file : `${file}: ${path}`, expected);

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The list under a key, empty if it is missing; InputError if the key is not one of `known`. */
export function listIn(
  of: Readonly<Record<string, unknown>>,
  key: string,
  { place, known }: { readonly place: OwnPlace; readonly known: readonly string[] },
): readonly unknown[] {
  const at = { ...place, path: key };
  if (!known.includes(key)) {
    throw mistake(at, `unknown; expected ${known.join(", ")}${hint(key, known)}`);
  }
  const list = of[key];
  if (list === undefined) return [];
  if (!Array.isArray(list)) throw mistake(at, `expected a list, found ${described(list)}`);
  return list;
}

/** The fields of every policy, besides the hooks of its seat. */
const EVERY: Readonly<Record<keyof Policy<object, unknown>, "own" | FieldKind>> = {
  name: "own",
  source: "own",
  params: "own",
  needs: "own",
  wants: "own",
  remember: "hook",
  hears: "own",
};

/** InputError unless the value is a policy whose fields are those of its seat. */
export function checkOwnPolicy<T extends Policy<object, unknown>>(
  policy: unknown,
  at: OwnPlace,
  fields: FieldsOf<T>,
): asserts policy is T {
  if (!isRecord(policy)) throw mistake(at, `expected a policy, found ${described(policy)}`);
  const name = isName(policy.name) ? policy.name : undefined;
  if (name === undefined) {
    const expected = "expected a name of letters, digits, . and -";
    throw mistake(below(at, "name"), `${expected}, found ${described(policy.name)}`);
  }
  const here = { ...at, path: `${at.path} ${name}` };
  if (typeof policy.source !== "string" || policy.source === "") {
    throw mistake(here, 'source: expected where the rule comes from: "my own idea"');
  }
  checkParams(policy.params, here);
  for (const key of ["needs", "wants"]) checkCapabilities(policy[key], key, here);
  checkHears(policy.hears, here);
  const kinds = new Map<string, string>(Object.entries({ ...EVERY, ...fields }));
  for (const [key, value] of Object.entries(policy)) {
    const kind = kinds.get(key);
    if (kind !== undefined) checkField(value, { kind, key, at: here });
    else throw unknownField(key, [...kinds.keys()], here);
  }
  for (const [key, kind] of kinds) {
    if (policy[key] === undefined && (kind === "hook" || kind === "flag")) {
      const what = key === "remember" ? "a function, such as () => null" : nounOf(kind);
      throw mistake(here, `${key}: expected ${what}, found nothing`);
    }
  }
}

/** Names appear in `--discipline late,sharing=fair` and in `--set`, so they have no separators. */
const isName = (value: unknown): value is string =>
  typeof value === "string" && /^[\w.-]+$/.test(value);

const below = (at: OwnPlace, key: string): OwnPlace => ({ ...at, path: `${at.path}.${key}` });

const nounOf = (kind: string): string => (kind.includes("flag") ? "true or false" : "a function");

function checkField(
  value: unknown,
  { kind, key, at }: { readonly kind: string; readonly key: string; readonly at: OwnPlace },
): void {
  if (kind === "own" || value === undefined) return;
  const type = kind.includes("flag") ? "boolean" : "function";
  if (typeof value !== type) {
    throw mistake(at, `${key}: expected ${nounOf(kind)}, found ${described(value)}`);
  }
  // Only the jobs' order is an iterable.
  const wrong = key === "jobs" ? /^Async/ : /^Async|^Generator/;
  if (typeof value === "function" && wrong.test(value.constructor.name)) {
    const cure = "the scheduler decides at once, so a hook cannot wait";
    throw mistake(at, `${key}: expected a plain function, found ${described(value)}; ${cure}`);
  }
}

/** A field with a misspelt name would never be called. */
function unknownField(key: string, known: readonly string[], at: OwnPlace): InputError {
  const text = `${key}: unknown; a policy in this seat has ${known.join(", ")}`;
  const near = key === "record" ? `; write hears: ${HEARS}` : hint(key, known);
  return mistake(at, `${text}${near}`);
}

const HEARS = '{ "attempt-succeeded"(ctx, what) { ... } }';

/** A handler with a misspelt name would never be called. */
function checkHears(hears: unknown, at: OwnPlace): void {
  if (hears === undefined) return;
  if (!isRecord(hears)) throw mistake(at, `hears: expected ${HEARS}, found ${described(hears)}`);
  const known = Object.keys(HEARD);
  for (const [key, value] of Object.entries(hears)) {
    if (!known.includes(key)) {
      const text = `hears.${key}: unknown; a policy hears ${known.join(", ")}`;
      throw mistake(at, `${text}${hint(key, known)}`);
    }
    checkField(value, { kind: "hook", key: `hears.${key}`, at });
  }
}

function checkParams(params: unknown, at: OwnPlace): void {
  if (!isRecord(params)) {
    throw mistake(at, `params: expected params({ ... }), found ${described(params)}`);
  }
  for (const [name, param] of Object.entries(params)) {
    const isDeclared =
      isRecord(param) &&
      ["number", "string", "boolean"].includes(typeof param.default) &&
      typeof param.about === "string";
    if (isDeclared) continue;
    const expected = 'expected { default: 1, about: "what it means" }, as params({ ... }) takes it';
    throw mistake(at, `params.${name}: ${expected}`);
  }
}

function checkCapabilities(value: unknown, key: string, at: OwnPlace): void {
  const known: readonly string[] = CAPABILITIES;
  if (key === "wants" && value === undefined) return;
  if (!Array.isArray(value)) {
    throw mistake(at, `${key}: expected a list such as ["slot-offers"], found ${described(value)}`);
  }
  const items: readonly unknown[] = value;
  const wrong = items.find((item) => typeof item !== "string" || !known.includes(item));
  if (wrong === undefined) return;
  const near = typeof wrong === "string" ? hint(wrong, known) : "";
  throw mistake(
    at,
    `${key}: expected some of ${known.join(", ")}, found ${described(wrong)}${near}`,
  );
}

function described(value: unknown): string {
  if (value === undefined) return "nothing";
  if (typeof value === "function") {
    const { name } = value.constructor;
    if (/^Async/.test(name)) return "an async function";
    return /^Generator/.test(name) ? "a generator" : "a function";
  }
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "an object" : JSON.stringify(value);
}
