import type { Without } from "./without.ts";

/**
 * Writes a value under a key of an object, as text of JSON, and reads it back. `C`: the context of
 * both.
 */
export interface Codec<T, F, C> {
  write(value: T, context: C): string;
  read(fields: F, key: string, context: C): T;
  /** Whether the key is left out if there is no value. */
  readonly optional?: true;
}

/** Writes a value as fields of an object, a comma before each, and reads it back. */
export interface Line<T, F, C> {
  write(value: T, context: C): string;
  read(fields: F, context: C): T;
}

interface HasKeys {
  has(key: string): boolean;
}

/** A line whose fields are those of the value, in the order of the codecs. */
export function line<T extends object, F extends HasKeys, C>(
  codecs: {
    readonly [K in keyof T]-?: Codec<Exclude<T[K], undefined>, F, C>;
  },
): Line<T, F, C> {
  const keys = Object.keys(codecs) as (keyof T & string)[];
  const parts = keys.map((key) => ({ key, head: `,"${key}":`, codec: codecs[key] }));
  return {
    write(value, context) {
      let text = "";
      for (const { key, head, codec } of parts) {
        const one = value[key] as Exclude<T[typeof key], undefined> | undefined;
        if (one !== undefined) text += head + codec.write(one, context);
      }
      return text;
    },
    read(fields, context) {
      const found: Partial<T> = {};
      for (const key of keys) {
        const { optional, read } = codecs[key];
        if (optional !== true || fields.has(key)) found[key] = read(fields, key, context);
      }
      return found as T;
    },
  };
}

interface Kinded {
  readonly kind: string;
}

/** The lines of a union: its kinds, and how each is written and read. */
export interface Lines<U extends Kinded, F, C> {
  readonly kinds: readonly U["kind"][];
  /** Writes the kind under the tag, and the fields behind it. */
  write(value: U, context: C): string;
  read(kind: U["kind"], fields: F, context: C): U;
}

/** One line for each kind: a kind without one does not compile. `tag`: the key of the kind. */
export function lines<U extends Kinded, F, C>(
  tag: string,
  byKind: {
    readonly [K in U["kind"]]: Line<Without<Extract<U, { readonly kind: K }>, "kind">, F, C>;
  },
): Lines<U, F, C> {
  const kinds = Object.keys(byKind) as U["kind"][];
  const lineOf = (kind: U["kind"]) => byKind[kind] as Line<object, F, C>;
  const heads = new Map<string, string>(kinds.map((kind) => [kind, `"${tag}":"${kind}"`]));
  return {
    kinds,
    write: (value, context) => heads.get(value.kind) + lineOf(value.kind).write(value, context),
    read: (kind, fields, context) =>
      ({ kind, ...lineOf(kind).read(fields, context) }) as unknown as U,
  };
}
