import { assert } from "../base/assert.ts";

/**
 * The parameters of a policy by name, in the order of tables; `P` is the type of their values.
 * `params` makes one, and `ParamsOf` reads `P` back.
 */
export type Declared<P> = { readonly [K in keyof P]: Param<P[K]> };

/** The values of declared parameters: `ctx.params`. */
export type ParamsOf<D> = {
  readonly [K in keyof D]: D[K] extends Described<infer V> ? V : never;
};

/** One parameter. Its further fields depend on the type of its default. */
export type Param<V> = Described<V> &
  (V extends number ? Bounded : V extends string ? Written : object);

interface Described<V> {
  readonly default: V;
  /** A line for tables: meaning, unit, the source's value. */
  readonly about: string;
}

/** The fields of a number. */
interface Bounded {
  /** The smallest sensible value: 0 unless given. */
  readonly min?: number;
  /** The largest sensible value: Infinity unless given. */
  readonly max?: number;
  /** For a count: whole numbers, or Infinity if `max` allows it. */
  readonly whole?: boolean;
}

/** The fields of a text with a grammar. */
interface Written {
  /**
   * Says what is wrong with a text; undefined if nothing is. May throw an InputError with more
   * detail.
   */
  readonly fault?: (text: string) => string | undefined;
}

/** Declares the parameters of a policy, each once. A default that its own bounds forbid throws. */
export function params<P>(declared: Declared<P>): Declared<P> {
  for (const [name, param] of entriesOf(declared)) {
    assert(accepts(param, param.default), `the default of ${name} is within its bounds`);
  }
  return declared;
}

/** The same parameters with other defaults, for a variant of the policy. */
export function withDefaults<P>(declared: Declared<P>, defaults: Partial<NoInfer<P>>): Declared<P> {
  const changed = new Map<string, unknown>(Object.entries(defaults));
  const entries = entriesOf(declared).map(([name, param]) => [
    name,
    changed.has(name) ? { ...param, default: changed.get(name) } : param,
  ]);
  return params<P>(Object.fromEntries(entries));
}

/** A parameter of any type, for the code that checks values. */
export type AnyParam = Described<unknown> & Bounded & Written;

export const entriesOf = (declared: object): readonly (readonly [string, AnyParam])[] =>
  Object.entries(declared);

/** The parameter of this name; undefined if there is none. */
export const findParam = (
  policy: { readonly params: object },
  name: string,
): AnyParam | undefined => entriesOf(policy.params).find(([known]) => known === name)?.[1];

/** Whether a value is of the default's type and, if it is a number, within the bounds. */
export function accepts(param: AnyParam, value: unknown): boolean {
  const { default: standard, min = 0, max = Number.POSITIVE_INFINITY, whole = false } = param;
  if (typeof value !== typeof standard) return false;
  if (typeof value !== "number") return true;
  if (whole && Math.floor(value) !== value) return false;
  return value >= min && value <= max;
}
