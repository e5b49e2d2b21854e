import { InputError } from "../../base/input-error.ts";
import { isList, isObject, type Json, type JsonObject } from "../../base/json.ts";

/** An object in a journal's line, read by key and kind. */
export class Fields {
  readonly #object: JsonObject;
  readonly #place: string;

  /** `place`: file and line. */
  constructor(value: Json, place: string) {
    if (!isObject(value))
      throw new InputError("bad-journal", place, `expected an object${found(value)}`);
    this.#object = value;
    this.#place = place;
  }

  has(key: string): boolean {
    return Object.hasOwn(this.#object, key);
  }

  find(key: string): Json | undefined {
    return this.has(key) ? this.#object[key] : undefined;
  }

  json(key: string): Json {
    return this.find(key) ?? this.fail(key, "a value");
  }

  text(key: string): string {
    const value = this.find(key);
    return typeof value === "string" ? value : this.fail(key, "a string");
  }

  /** Non-finite numbers are written as strings. */
  number(key: string): number {
    return numberFrom(this.find(key)) ?? this.fail(key, "a number");
  }

  finite(key: string): number {
    const value = this.number(key);
    return Number.isFinite(value) ? value : this.fail(key, "a finite number");
  }

  /** From 0 on. */
  whole(key: string, most: number): number {
    const value = this.number(key);
    const isOne = Number.isInteger(value) && value >= 0 && value <= most;
    return isOne ? value : this.fail(key, `a whole number from 0 to ${most}`);
  }

  flag(key: string): boolean {
    const value = this.find(key);
    return typeof value === "boolean" ? value : this.fail(key, "true or false");
  }

  list(key: string): readonly Json[] {
    const value = this.find(key);
    return value !== undefined && isList(value) ? value : this.fail(key, "a list");
  }

  texts(key: string): readonly string[] {
    return this.list(key).map((one) =>
      typeof one === "string" ? one : this.fail(key, "a list of strings"),
    );
  }

  numbers(key: string): readonly number[] {
    return this.list(key).map((one) => numberFrom(one) ?? this.fail(key, "a list of numbers"));
  }

  /** Pairs of a name and a value. */
  pairs(key: string): readonly (readonly [string, Json])[] {
    return this.list(key).map((one) => {
      const [name, value] = isList(one) ? one : [];
      if (typeof name !== "string" || value === undefined)
        this.fail(key, "pairs of name and value");
      return [name, value] as const;
    });
  }

  counts(key: string): readonly (readonly [string, number])[] {
    return this.pairs(key).map(([name, value]) => [
      name,
      numberFrom(value) ?? this.fail(key, "pairs of name and number"),
    ]);
  }

  oneOf<T extends string>(key: string, known: readonly T[]): T {
    const value = this.find(key);
    return known.find((one) => one === value) ?? this.fail(key, `one of ${known.join(", ")}`);
  }

  fields(key: string): Fields {
    return new Fields(this.find(key) ?? this.fail(key, "an object"), this.#place);
  }

  rows(key: string): readonly Fields[] {
    return this.list(key).map((one) => new Fields(one, this.#place));
  }

  entries(): readonly (readonly [string, Json])[] {
    return Object.entries(this.#object);
  }

  fail(key: string, expected: string): never {
    const problem = `expected "${key}" to be ${expected}${found(this.find(key))}`;
    throw new InputError("bad-journal", this.#place, problem);
  }
}

/** Numbers that JSON cannot express are written as strings. */
export const written = (value: number): number | string =>
  Number.isFinite(value) ? value : String(value);

/** The same as text of JSON. */
export const numberText = (value: number): string =>
  Number.isFinite(value) ? `${value}` : `"${value}"`;

const NON_FINITE = new Map([
  ["Infinity", Infinity],
  ["-Infinity", -Infinity],
  ["NaN", NaN],
]);

/** The inverse of `written`; undefined if the value is neither a number nor the name of one. */
export function numberFrom(value: Json | undefined): number | undefined {
  return typeof value === "string"
    ? NON_FINITE.get(value)
    : typeof value === "number"
      ? value
      : undefined;
}

function found(value: Json | undefined): string {
  if (value === undefined) return ", found nothing";
  const text = JSON.stringify(value);
  return `, found ${text.length > 60 ? `${text.slice(0, 60)}...` : text}`;
}
