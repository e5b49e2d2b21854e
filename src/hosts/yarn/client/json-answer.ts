import { isObject } from "../../../base/shape.ts";

/**
 * A JSON object from one of Hadoop's services. Only the requested fields are checked, since each
 * version of Hadoop adds more.
 */
export class JsonAnswer {
  readonly #value: object;
  readonly #place: string;

  constructor(value: unknown, place: string) {
    this.#value = isObject(value) ? value : {};
    this.#place = place;
  }

  /** The object in this field, empty if absent. */
  part(name: string): JsonAnswer {
    return new JsonAnswer(Reflect.get(this.#value, name), `${this.#place}.${name}`);
  }

  /**
   * Hadoop writes an empty list as null, as "" or not at all, and may leave out the brackets of a
   * single item.
   */
  items(name: string): readonly JsonAnswer[] {
    const value: unknown = Reflect.get(this.#value, name);
    const all: readonly unknown[] = Array.isArray(value) ? value : isObject(value) ? [value] : [];
    return all.map((each, index) => new JsonAnswer(each, `${this.#place}.${name}[${index}]`));
  }

  texts(name: string): readonly string[] {
    const value: unknown = Reflect.get(this.#value, name);
    return Array.isArray(value) ? value.map(String) : [];
  }

  /** The numbers and texts in the object of this field. */
  record(name: string): Readonly<Record<string, number | string>> {
    const value: unknown = Reflect.get(this.#value, name);
    if (!isObject(value)) return {};
    const pairs = Object.entries(value).flatMap(([key, each]) => {
      const isPlain = typeof each === "number" || typeof each === "string";
      return isPlain ? [[key, each] as const] : [];
    });
    return Object.fromEntries(pairs);
  }

  /** Empty if the field is absent. */
  text(name: string): string {
    const value: unknown = Reflect.get(this.#value, name);
    return typeof value === "string" || typeof value === "number" ? String(value) : "";
  }

  /** 0 if the field is absent. */
  number(name: string): number {
    const value = Number(Reflect.get(this.#value, name) ?? 0);
    return Number.isFinite(value) ? value : 0;
  }
}
