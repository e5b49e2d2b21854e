import { defined } from "./assert.ts";
import { hint } from "./hint.ts";
import { InputError, type InputErrorCode } from "./input-error.ts";

/**
 * The shape of a JSON value; reading by it gives the typed value or says where the value is wrong.
 */
export interface Shape<T> {
  /** "a number of 0 or more": completes "expected ...". */
  readonly expected: string;
  read(json: unknown, place: Place): T;
  /** The shape as a JSON schema; `of` gives the schemas of the shapes inside. */
  schema?(of: (inner: Shape<unknown>) => JsonSchema): JsonSchema;
}

/** A JSON schema, draft 2020-12. */
export type JsonSchema = { readonly [keyword: string]: unknown };

/** The place of a value: a file, and a path in it. */
export class Place {
  readonly code: InputErrorCode;
  readonly file: string;
  readonly path: string;

  constructor(code: InputErrorCode, file: string, path = "") {
    this.code = code;
    this.file = file;
    this.path = path;
  }

  key(name: string): Place {
    return new Place(this.code, this.file, this.path === "" ? name : `${this.path}.${name}`);
  }

  index(i: number): Place {
    return new Place(this.code, this.file, `${this.path}[${i}]`);
  }

  fail(message: string): never {
    throw new InputError(
      this.code,
      this.path === "" ? this.file : `${this.file}: ${this.path}`,
      message,
    );
  }

  refuse(expected: string, found: unknown): never {
    this.fail(`expected ${expected}, found ${excerpt(found)}`);
  }
}

function excerpt(found: unknown): string {
  if (found === undefined) return "nothing";
  if (typeof found === "function") return "a function";
  if (typeof found !== "object" && typeof found !== "string") return String(found);
  const seen = new Set<unknown>();
  const text = JSON.stringify(found, (_, value: unknown) => {
    if (typeof value === "bigint") return String(value);
    if (typeof value !== "object" || value === null) return value;
    // A value of a program may hold itself.
    return seen.has(value) ? "..." : seen.add(value) && value;
  });
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}

/** A value of a program, which no JSON holds: a function, a signal. */
export const given = <T>(expected: string, accepts: (value: unknown) => value is T): Shape<T> => ({
  expected,
  read: (value, place) => (accepts(value) ? value : place.refuse(expected, value)),
});

function shape<T>(
  expected: string,
  accepts: (json: unknown) => json is T,
  schema: JsonSchema,
): Shape<T> {
  return {
    expected,
    read: (json, place) => (accepts(json) ? json : place.refuse(expected, json)),
    schema: () => schema,
  };
}

export const text: Shape<string> = shape(
  "a text that is not empty",
  (json): json is string => typeof json === "string" && json !== "",
  { type: "string", minLength: 1 },
);

export const flag: Shape<boolean> = shape("true or false", (json) => typeof json === "boolean", {
  type: "boolean",
});

export interface Bounds {
  readonly min?: number;
  readonly max?: number;
}

export function number(bounds: Bounds = {}): Shape<number> {
  return shape(
    `a number${described(bounds)}`,
    (json): json is number => typeof json === "number" && within(json, bounds),
    { type: "number", ...bounded(bounds) },
  );
}

export function whole(bounds: Bounds = {}): Shape<number> {
  return shape(
    `a whole number${described(bounds)}`,
    (json): json is number => Number.isSafeInteger(json) && within(json as number, bounds),
    { type: "integer", ...bounded(bounds) },
  );
}

export const atLeast0 = number({ min: 0 });

/** More than 0. */
export const positive: Shape<number> = shape(
  "a number above 0",
  (json): json is number => typeof json === "number" && json > 0,
  { type: "number", exclusiveMinimum: 0 },
);

function bounded({ min, max }: Bounds): JsonSchema {
  return {
    ...(min !== undefined && { minimum: min }),
    ...(max !== undefined && { maximum: max }),
  };
}

function within(value: number, { min = -Infinity, max = Infinity }: Bounds): boolean {
  return value >= min && value <= max;
}

function described({ min, max }: Bounds): string {
  if (min !== undefined && max !== undefined) return ` from ${min} to ${max}`;
  if (min !== undefined) return ` of ${min} or more`;
  return max === undefined ? "" : ` of at most ${max}`;
}

export function oneOf<T extends string>(values: readonly T[]): Shape<T> {
  return shape(
    values.length === 1
      ? `"${values[0]}"`
      : `one of ${values.map((value) => `"${value}"`).join(", ")}`,
    (json): json is T => values.some((value) => value === json),
    values.length === 1 ? { const: values[0] } : { enum: values },
  );
}

export function list<T>(
  item: Shape<T>,
  { min = 0 }: { readonly min?: number } = {},
): Shape<readonly T[]> {
  const expected =
    min === 0 ? `a list: ${item.expected} each` : `a list of ${min} or more: ${item.expected} each`;
  return {
    expected,
    read(json, place) {
      if (!Array.isArray(json) || json.length < min) return place.refuse(expected, json);
      return json.map((value: unknown, i) => item.read(value, place.index(i)));
    },
    schema: (of) => ({ type: "array", items: of(item), ...(min > 0 && { minItems: min }) }),
  };
}

/** An object with keys of the user's choice. */
export function dictionary<T>(value: Shape<T>): Shape<Readonly<Record<string, T>>> {
  const expected = `an object: ${value.expected} each`;
  return {
    expected,
    read(json, place) {
      if (!isObject(json)) return place.refuse(expected, json);
      return Object.fromEntries(
        Object.entries(json).map(([key, item]) => [key, value.read(item, place.key(key))]),
      );
    },
    schema: (of) => ({ type: "object", additionalProperties: of(value) }),
  };
}

/** The first shape if the test holds, otherwise the second. */
export function either<A, B>(
  isFirst: (json: unknown) => boolean,
  first: Shape<A>,
  second: Shape<B>,
): Shape<A | B> {
  return {
    expected: `${first.expected} or ${second.expected}`,
    read: (json, place) => (isFirst(json) ? first : second).read(json, place),
    schema: (of) => ({ anyOf: [of(first), of(second)] }),
  };
}

/** What `to` refuses in addition is not part of the schema. */
export function mapped<A, B>(from: Shape<A>, to: (value: A, place: Place) => B): Shape<B> {
  return {
    expected: from.expected,
    read: (json, place) => to(from.read(json, place), place),
    schema: (of) => of(from),
  };
}

/** A key of an object: its shape, and the value that replaces a missing one. */
export interface Field<T, Absent = "refused" | "left-out" | { readonly value: T }> {
  readonly shape: Shape<T>;
  readonly absent: Absent;
}

export const required = <T>(of: Shape<T>): Field<T, "refused"> => ({
  shape: of,
  absent: "refused",
});
export const optional = <T>(of: Shape<T>): Field<T, "left-out"> => ({
  shape: of,
  absent: "left-out",
});
export const standard = <T>(of: Shape<T>, value: T): Field<T, { readonly value: T }> => ({
  shape: of,
  absent: { value },
});

/** The type that a shape reads. */
export type Infer<S> = S extends Shape<infer T> ? T : never;

type Fields = Readonly<Record<string, Field<unknown, unknown>>>;
type Read<F> = F extends Field<infer T, unknown> ? T : never;
type Keys<F extends Fields, Optional extends boolean> = {
  readonly [K in keyof F]: F[K]["absent"] extends "left-out"
    ? Optional extends true
      ? K
      : never
    : Optional extends true
      ? never
      : K;
}[keyof F];
type Flat<T> = { readonly [K in keyof T]: T[K] };
type ReadAll<F extends Fields> = Flat<
  { readonly [K in Keys<F, false>]: Read<F[K]> } & { readonly [K in Keys<F, true>]?: Read<F[K]> }
>;

/** An `object` whose type follows from its fields: `type Disk = Infer<typeof disk>`. */
export const record = <F extends Fields>(what: string, fields: F): Shape<ReadAll<F>> =>
  object<ReadAll<F>>(what, fields as never);

/** An object with exactly these keys; any other key is the user's mistake. */
export function object<T extends object>(
  what: string,
  fields: { readonly [K in keyof T]-?: Field<Required<T>[K]> },
): Shape<T> {
  const known = Object.keys(fields) as (keyof T & string)[];
  return {
    expected: what,
    read(json, place) {
      if (!isObject(json)) return place.refuse(what, json);
      for (const key of Object.keys(json)) {
        if (known.some((name) => name === key)) continue;
        place.key(key).fail(`unknown${hint(key, known) || ";"} ${what} has ${known.join(", ")}`);
      }
      const result: Partial<T> = {};
      for (const key of known) {
        const { shape: of, absent } = fields[key];
        const value: unknown = Reflect.get(json, key);
        if (value !== undefined) result[key] = of.read(value, place.key(key));
        else if (absent === "refused") place.key(key).refuse(of.expected, undefined);
        else if (absent !== "left-out") result[key] = absent.value;
      }
      return result as T;
    },
    schema: (of) => ({
      type: "object",
      properties: Object.fromEntries(
        known.map((key) => [key, { ...of(fields[key].shape), ...standardOf(fields[key].absent) }]),
      ),
      required: known.filter((key) => fields[key].absent === "refused"),
      additionalProperties: false,
    }),
  };
}

/**
 * An object of which only these keys are checked: this package wrote it, and its reader relies on
 * them. The value stays as it is, so no field may have a standard.
 */
export function holding<T extends object>(
  what: string,
  fields: { readonly [K in keyof T]?: Field<unknown, "refused" | "left-out"> },
): Shape<T> {
  const known = Object.keys(fields) as (keyof T & string)[];
  return {
    expected: what,
    read(json, place) {
      if (!isObject(json)) return place.refuse(what, json);
      for (const key of known) {
        const field = fields[key];
        const value: unknown = Reflect.get(json, key);
        if (field === undefined || (value === undefined && field.absent === "left-out")) continue;
        field.shape.read(value, place.key(key));
      }
      return json as T;
    },
  };
}

/** JSON has no Infinity, which stands for "unlimited". */
const standardOf = (absent: "refused" | "left-out" | { readonly value: unknown }): JsonSchema =>
  typeof absent === "string" || absent.value === Number.POSITIVE_INFINITY
    ? {}
    : { default: absent.value };

/** The members of a union that may have the kind, narrowed to it. */
type Variant<T, K> = T extends { readonly kind: infer Kinds }
  ? K extends Kinds
    ? T & { readonly kind: K }
    : never
  : never;

/** What an object of one kind is called, and its fields besides the kind. */
type Alternative<V> = readonly [
  what: string,
  fields: { readonly [F in Exclude<keyof V, "kind">]-?: Field<Required<V>[F]> },
];

/** An object whose `kind` selects its shape. A kind without a shape does not compile. */
export function variants<T extends { readonly kind: string }>(
  what: string,
  alternatives: {
    readonly [K in T["kind"]]: Shape<Variant<T, K>> | Alternative<Variant<T, K>>;
  },
): Shape<T> {
  const names = Object.keys(alternatives) as T["kind"][];
  const kinds = oneOf(names);
  const shapes = new Map<T["kind"], Shape<T>>();
  for (const name of names) {
    const of: Shape<T> | Alternative<T> = alternatives[name];
    shapes.set(name, "read" in of ? of : object(of[0], { kind: kind(name), ...of[1] } as never));
  }
  const shapeOf = (name: T["kind"]): Shape<T> => defined(shapes.get(name), "a shape of each kind");
  return {
    expected: `${what}, of kind ${names.join(", ")}`,
    read(json, place) {
      if (!isObject(json)) return place.refuse(this.expected, json);
      const name = kinds.read(Reflect.get(json, "kind"), place.key("kind"));
      return shapeOf(name).read(json, place);
    },
    schema: (of) => ({ oneOf: names.map((name) => of(shapeOf(name))) }),
  };
}

/** The key that selects an object's variant. */
export const kind = <K extends string>(name: K): Field<K> => required(oneOf([name]));

export function isObject(json: unknown): json is object {
  return typeof json === "object" && json !== null && !Array.isArray(json);
}
