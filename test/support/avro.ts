/** A schema by Avro's specification: the name of a type, a union, or a new type. */
export type Schema = string | readonly Schema[] | Shape;

interface Shape {
  readonly type: string;
  readonly name?: string;
  /** Of a record. */
  readonly fields?: readonly { readonly name: string; readonly type: Schema }[];
  /** Of an enum. */
  readonly symbols?: readonly string[];
  /** Of an array. */
  readonly items?: Schema;
  /** Of a map. */
  readonly values?: Schema;
}

/**
 * Reads consecutive values in Avro's binary encoding, and returns them as in Avro's JSON encoding.
 * Supports the types in Hadoop's histories.
 */
export class AvroReader {
  readonly #bytes: Buffer;
  /** The records by name, since a schema defines each only once. */
  readonly #records = new Map<string, Shape>();
  readonly #schema: Schema;
  #at = 0;

  constructor(schema: string, bytes: Buffer) {
    this.#schema = JSON.parse(schema, (_key, value: unknown) => {
      if (isShape(value) && value.type === "record") this.#records.set(value.name ?? "", value);
      return value;
    });
    this.#bytes = bytes;
  }

  /** All values; throws if the bytes end within a value. */
  *values(): Generator<unknown, void> {
    while (this.#at < this.#bytes.length) yield this.#read(this.#schema);
  }

  #read(schema: Schema): unknown {
    if (typeof schema === "string") return this.#readNamed(schema);
    if (!isShape(schema)) return this.#readUnion(schema);
    const { type, fields = [], symbols = [], items = "", values = "" } = schema;
    switch (type) {
      case "record":
        return Object.fromEntries(fields.map((field) => [field.name, this.#read(field.type)]));
      case "enum":
        return symbols[this.#readLong()];
      case "array":
        return this.#readBlocks(() => this.#read(items));
      case "map":
        return Object.fromEntries(
          this.#readBlocks(() => [this.#readText(), this.#read(values)] as const),
        );
      default:
        return this.#readNamed(type);
    }
  }

  #readNamed(name: string): unknown {
    switch (name) {
      case "null":
        return null;
      case "boolean":
        return this.#readByte() === 1;
      case "int":
      case "long":
        return this.#readLong();
      case "string":
        return this.#readText();
      default: {
        const record = this.#records.get(name);
        if (record === undefined) throw new Error(`expected a type of the schema, found ${name}`);
        return this.#read(record);
      }
    }
  }

  /** A value that is not null is under the name of its type. */
  #readUnion(types: readonly Schema[]): unknown {
    const number = this.#readLong();
    const type = types[number];
    if (type === undefined) throw new Error(`expected a type of ${types.length}, found ${number}`);
    if (type === "null") return null;
    const name = isShape(type) ? (type.name ?? type.type) : String(type);
    return { [name]: this.#read(type) };
  }

  /** Blocks of a count and that number of items, until a count is 0. */
  #readBlocks<T>(readItem: () => T): readonly T[] {
    const items: T[] = [];
    for (let count = this.#readLong(); count !== 0; count = this.#readLong()) {
      // A count below 0 is followed by the block's size in bytes, for skipping.
      if (count < 0) this.#readLong();
      for (let left = Math.abs(count); left > 0; left--) items.push(readItem());
    }
    return items;
  }

  #readText(): string {
    const from = this.#at;
    const length = this.#readLong();
    const begin = this.#at;
    if (begin + length > this.#bytes.length) throw new Error(`expected a text at byte ${from}`);
    this.#at = begin + length;
    return this.#bytes.toString("utf8", begin, this.#at);
  }

  /** Seven bits per byte, the lowest first, in zigzag form: 2 n, or -2 n - 1 for negative n. */
  #readLong(): number {
    let zigzag = 0;
    for (let weight = 1; ; weight *= 128) {
      const byte = this.#readByte();
      zigzag += (byte & 0x7f) * weight;
      if (byte < 0x80) break;
    }
    return zigzag % 2 === 0 ? zigzag / 2 : -(zigzag + 1) / 2;
  }

  #readByte(): number {
    return this.#bytes.readUInt8(this.#at++);
  }
}

const isShape = (value: unknown): value is Shape =>
  typeof value === "object" && value !== null && "type" in value;
