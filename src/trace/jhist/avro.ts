import { isList, isObject, type Json, type JsonObject } from "../../base/json.ts";
import { textOf } from "../byte-text.ts";
import { listIn, textIn } from "../json-values.ts";

/** Bytes of Avro's binary encoding; reading beyond the end gives undefined. */
class Cursor {
  readonly bytes: Uint8Array;
  at: number;
  /** How deep within the schema the next value is. */
  depth = 0;

  constructor(bytes: Uint8Array, at: number) {
    this.bytes = bytes;
    this.at = at;
  }

  /** A zigzag varint. */
  long(): number | undefined {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = this.bytes[this.at++];
      if (byte === undefined || scale > 0x8000_0000_0000_0000) return undefined;
      value += (byte & 127) * scale;
      if (byte < 128) break;
    }
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }

  /** Bytes that have not been read. */
  get left(): number {
    return this.bytes.length - this.at;
  }

  take(length: number): Uint8Array | undefined {
    const end = this.at + length;
    if (length < 0 || end > this.bytes.length) return undefined;
    const found = this.bytes.subarray(this.at, end);
    this.at = end;
    return found;
  }
}

const DEPTH_MAX = 100;

/** Reads values of one schema, with unions unwrapped. */
export class AvroDecoder {
  readonly #schema: Json;
  readonly #named = new Map<string, JsonObject>();

  /** `schema`: as in the file. */
  constructor(schema: Json) {
    this.#schema = schema;
    this.#learn(schema);
  }

  /** undefined if the bytes end within the value, or do not fit the schema. */
  decode(
    bytes: Uint8Array,
    at: number,
  ): { readonly value: Json; readonly end: number } | undefined {
    const cursor = new Cursor(bytes, at);
    const value = this.#read(this.#schema, cursor);
    return value === undefined ? undefined : { value, end: cursor.at };
  }

  /**
   * Whether a record of JSON has the fields that the schema gives it. False of one that joins the
   * beginning of a record and the end of another kind's; a record that the schema lacks may have
   * any.
   */
  fits(name: string, record: JsonObject): boolean {
    const schema = this.#named.get(lastPart(name));
    if (schema === undefined) return true;
    const fields = listIn(schema, "fields").filter(isObject);
    const has = (field: JsonObject): boolean => Object.hasOwn(record, textIn(field, "name") ?? "");
    return fields.length === Object.keys(record).length && fields.every(has);
  }

  #learn(schema: Json): void {
    if (isList(schema)) for (const branch of schema) this.#learn(branch);
    if (!isObject(schema)) return;
    const name = textIn(schema, "name");
    const isNamed = /^(record|enum|fixed)$/.test(textIn(schema, "type") ?? "");
    if (name !== undefined && isNamed) this.#named.set(name, schema);
    for (const field of listIn(schema, "fields")) {
      if (isObject(field)) this.#learn(field.type ?? null);
    }
    for (const inner of [schema.items, schema.values, schema.type]) {
      if (inner !== undefined && typeof inner !== "string") this.#learn(inner);
    }
  }

  #read(schema: Json, cursor: Cursor): Json | undefined {
    // A schema whose types contain each other would never end.
    if (cursor.depth > DEPTH_MAX) return undefined;
    cursor.depth += 1;
    const value = this.#readAny(schema, cursor);
    cursor.depth -= 1;
    return value;
  }

  #readAny(schema: Json, cursor: Cursor): Json | undefined {
    if (isList(schema)) {
      const branch = schema[cursor.long() ?? -1];
      return branch === undefined ? undefined : this.#read(branch, cursor);
    }
    if (isObject(schema)) return this.#readComplex(schema, cursor);
    switch (schema) {
      case "null":
        return null;
      case "boolean": {
        const byte = cursor.take(1)?.[0];
        return byte === undefined ? undefined : byte === 1;
      }
      case "int":
      case "long":
        return cursor.long();
      case "float":
      case "double":
        return readFloat(cursor, schema === "float" ? 4 : 8);
      case "bytes":
      case "string": {
        const bytes = cursor.take(cursor.long() ?? -1);
        return bytes === undefined ? undefined : textOf(bytes);
      }
      default: {
        const named = typeof schema === "string" ? this.#named.get(lastPart(schema)) : undefined;
        return named === undefined ? undefined : this.#readComplex(named, cursor);
      }
    }
  }

  #readComplex(schema: JsonObject, cursor: Cursor): Json | undefined {
    switch (schema.type) {
      case "record": {
        const record: Record<string, Json> = {};
        for (const field of listIn(schema, "fields")) {
          if (!isObject(field)) return undefined;
          const value = this.#read(field.type ?? null, cursor);
          if (value === undefined) return undefined;
          record[textIn(field, "name") ?? ""] = value;
        }
        return record;
      }
      case "enum":
        return listIn(schema, "symbols")[cursor.long() ?? -1];
      case "array":
        return this.#readBlocks(cursor, () => this.#read(schema.items ?? null, cursor));
      case "map": {
        const entries = this.#readBlocks(cursor, () => this.#readEntry(schema, cursor));
        return entries === undefined ? undefined : Object.fromEntries(entries);
      }
      default:
        return this.#read(schema.type ?? null, cursor);
    }
  }

  #readEntry(schema: JsonObject, cursor: Cursor): readonly [string, Json] | undefined {
    const key = this.#read("string", cursor);
    const value = this.#read(schema.values ?? null, cursor);
    return typeof key === "string" && value !== undefined ? [key, value] : undefined;
  }

  #readBlocks<T>(cursor: Cursor, one: () => T | undefined): readonly T[] | undefined {
    const items: T[] = [];
    for (;;) {
      const count = cursor.long();
      if (count === undefined) return undefined;
      if (count === 0) return items;
      // A negative count is followed by the block's size in bytes.
      if (count < 0 && cursor.long() === undefined) return undefined;
      // Every item takes a byte at least: a larger count is damaged, or more bytes will come.
      if (Math.abs(count) > cursor.left) return undefined;
      for (let n = 0; n < Math.abs(count); n++) {
        const item = one();
        if (item === undefined) return undefined;
        items.push(item);
      }
    }
  }
}

const lastPart = (name: string): string => name.slice(name.lastIndexOf(".") + 1);

function readFloat(cursor: Cursor, size: 4 | 8): number | undefined {
  const bytes = cursor.take(size);
  if (bytes === undefined) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, size);
  return size === 4 ? view.getFloat32(0, true) : view.getFloat64(0, true);
}
