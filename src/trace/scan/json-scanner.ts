import { cell } from "../../base/rows.ts";
import { textOf } from "../byte-text.ts";
import { type ByteName, ByteNames, byteAt, isSame, NO_NAME } from "./byte-names.ts";
import { type Key, type KeyNode, keyTree } from "./key-tree.ts";

const ABSENT = 0;
const NUMBER = 1;
const TEXT = 2;
const TRUE = 3;
const LIST = 4;
const OBJECT = 5;
const OTHER = 6;

const SPACE = 0x20;
const QUOTE = 0x22;
const COMMA = 0x2c;
const MINUS = 0x2d;
const DOT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const COLON = 0x3a;
const UPPER_E = 0x45;
const OPEN_LIST = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_LIST = 0x5d;
const LOWER_A = 0x61;
const LOWER_E = 0x65;
const LOWER_T = 0x74;
const LOWER_Z = 0x7a;
const OPEN = 0x7b;
const CLOSE = 0x7d;

const QUOTES = 2;
/** The effect of a byte on the depth of brackets; QUOTES begins a string. */
const NESTS = new Int8Array(256);
for (const byte of [OPEN, OPEN_LIST]) NESTS[byte] = 1;
for (const byte of [CLOSE, CLOSE_LIST]) NESTS[byte] = -1;
NESTS[QUOTE] = QUOTES;

/** Longer numbers may not be exact when their digits are summed up. */
const EXACT_DIGITS = 15;

/**
 * Reads some fields of a JSON object from its bytes, without making objects of the others, which it
 * skips by their brackets and quotes. COST: at most about 1 ns per byte.
 */
export class JsonScanner {
  readonly #root: KeyNode;
  readonly #kinds: Uint8Array;
  readonly #numbers: Float64Array;
  readonly #texts: ByteName[];
  /** Where a list or an object begins and ends. */
  readonly #from: Uint32Array;
  readonly #end: Uint32Array;
  readonly #names = new ByteNames();
  #bytes: Uint8Array = new Uint8Array(0);
  #at = 0;
  #to = 0;

  /** The keys that lead to each field from the outermost object. */
  constructor(paths: readonly (readonly string[])[]) {
    this.#root = keyTree(paths);
    this.#kinds = new Uint8Array(paths.length);
    this.#numbers = new Float64Array(paths.length);
    this.#from = new Uint32Array(paths.length);
    this.#end = new Uint32Array(paths.length);
    this.#texts = paths.map(() => NO_NAME);
  }

  /**
   * Reads the object in bytes[from, to). False if it is cut off, or holds something that only a
   * full parser understands: the fields then mean nothing.
   */
  scan(bytes: Uint8Array, from: number, to: number): boolean {
    this.#bytes = bytes;
    this.#at = from;
    this.#to = to;
    this.#kinds.fill(ABSENT);
    this.#skipSpace();
    const isWhole = bytes[this.#at] === OPEN && this.#object(this.#root);
    this.#skipSpace();
    return isWhole && this.#at === to;
  }

  /** NaN if the field is absent or no number. */
  number(field: number): number {
    return this.#kinds[field] === NUMBER ? cell(this.#numbers[field]) : Number.NaN;
  }

  /** undefined if the field is absent or no string. */
  text(field: number): string | undefined {
    return this.#kinds[field] === TEXT ? this.#texts[field]?.text : undefined;
  }

  isTrue(field: number): boolean {
    return this.#kinds[field] === TRUE;
  }

  /**
   * The JSON of a list; undefined if the field is absent or no list. Valid until the bytes change.
   */
  list(field: number): string | undefined {
    return this.#kinds[field] === LIST ? this.#json(field) : undefined;
  }

  /** As `list`, of an object. */
  object(field: number): string | undefined {
    return this.#kinds[field] === OBJECT ? this.#json(field) : undefined;
  }

  #json(field: number): string {
    return textOf(this.#bytes, this.#from[field], this.#end[field]);
  }

  /** At the opening brace; ends after the closing one. */
  #object(node: KeyNode): boolean {
    this.#at += 1;
    if (this.#next() === CLOSE) {
      this.#at += 1;
      return true;
    }
    let last = node.start;
    for (;;) {
      if (this.#next() !== QUOTE) return false;
      const key = this.#key(node, last);
      if (key === undefined || this.#next() !== COLON) return false;
      last = key;
      this.#at += 1;
      if (!this.#value(key.field, key.child)) return false;
      const byte = this.#next();
      this.#at += 1;
      if (byte === CLOSE) return true;
      if (byte !== COMMA) return false;
    }
  }

  /** At the opening quote of a key; ends after the closing one. */
  #key(node: KeyNode, last: Key): Key | undefined {
    const bytes = this.#bytes;
    const from = this.#at + 1;
    const expected = last.next;
    if (expected !== undefined) {
      const to = from + expected.name.length;
      if (to < this.#to && bytes[to] === QUOTE && isSame(expected.name, bytes, from, to)) {
        this.#at = to + 1;
        return expected;
      }
    }
    if (!this.#skipText()) return undefined;
    const key = node.find(bytes, from, this.#at - 1);
    last.next = key;
    return key;
  }

  #value(field: number, child: KeyNode | undefined): boolean {
    const byte = this.#next();
    if (byte === OPEN && child !== undefined) return this.#object(child);
    if (field < 0) return this.#skipValue();
    if (byte === QUOTE) return this.#text(field);
    if (byte === MINUS || isDigit(byte)) return this.#number(field);
    const from = this.#at;
    if (!this.#skipValue()) return false;
    if (byte === OPEN_LIST || byte === OPEN) {
      this.#kinds[field] = byte === OPEN ? OBJECT : LIST;
      this.#from[field] = from;
      this.#end[field] = this.#at;
      return true;
    }
    const isTrue = this.#at - from === 4 && this.#bytes[from] === LOWER_T;
    this.#kinds[field] = isTrue ? TRUE : OTHER;
    return true;
  }

  #text(field: number): boolean {
    const bytes = this.#bytes;
    const from = this.#at + 1;
    // The text is usually that of the previous event.
    const before = this.#texts[field]!;
    const end = from + before.bytes.length;
    if (end < this.#to && bytes[end] === QUOTE && isSame(before.bytes, bytes, from, end)) {
      this.#at = end + 1;
      this.#kinds[field] = TEXT;
      return true;
    }
    if (!this.#skipText()) return false;
    const name = this.#names.of(bytes, from, this.#at - 1);
    // An escape, which only a full parser understands.
    if (name === undefined) return false;
    this.#kinds[field] = TEXT;
    this.#texts[field] = name;
    return true;
  }

  #number(field: number): boolean {
    const bytes = this.#bytes;
    const from = this.#at;
    let at = bytes[from] === MINUS ? from + 1 : from;
    const first = at;
    let value = 0;
    for (let byte = byteAt(bytes, at); isDigit(byte); byte = byteAt(bytes, ++at)) {
      value = value * 10 + byte - ZERO;
    }
    const end = byteAt(bytes, at);
    const isPlain = end !== DOT && end !== UPPER_E && end !== LOWER_E;
    if (isPlain && at > first && at - first <= EXACT_DIGITS && at <= this.#to) {
      this.#at = at;
      value = first > from ? -value : value;
    } else {
      this.#skipWord();
      value = Number(textOf(bytes, from, this.#at));
      if (Number.isNaN(value)) return false;
    }
    this.#kinds[field] = NUMBER;
    this.#numbers[field] = value;
    return true;
  }

  #skipValue(): boolean {
    const byte = this.#next();
    if (byte === QUOTE) return this.#skipText();
    if (byte === OPEN_LIST && this.#leapList()) return true;
    if (byte === OPEN || byte === OPEN_LIST) return this.#skipNested();
    return this.#skipWord();
  }

  /** A number, true, false or null. */
  #skipWord(): boolean {
    const from = this.#at;
    while (this.#at < this.#to && !isEnd(this.#bytes[this.#at]!)) this.#at += 1;
    return this.#at > from;
  }

  /** At the opening quote; ends after the closing one. */
  #skipText(): boolean {
    const bytes = this.#bytes;
    const to = this.#to;
    let at = this.#at + 1;
    for (; at < to; at++) {
      const byte = bytes[at];
      if (byte === QUOTE) break;
      if (byte === BACKSLASH) at += 1;
    }
    this.#at = at + 1;
    return at < to;
  }

  /**
   * Skips a list without looking at its items: to the first ], if `},"` and a letter follow. Those
   * bytes cannot occur in a string, whose quotes are escaped or followed by punctuation. If the ]
   * is that of an inner list after all, the object seems to end before its bytes do, and `scan`
   * gives up.
   */
  #leapList(): boolean {
    const bytes = this.#bytes;
    const end = bytes.indexOf(CLOSE_LIST, this.#at);
    if (end < 0 || end + 4 >= this.#to) return false;
    if (bytes[end + 1] !== CLOSE || bytes[end + 2] !== COMMA || bytes[end + 3] !== QUOTE) {
      return false;
    }
    const letter = bytes[end + 4]! | SPACE;
    if (letter < LOWER_A || letter > LOWER_Z) return false;
    this.#at = end + 1;
    return true;
  }

  /** At an opening bracket; ends after the closing one. */
  #skipNested(): boolean {
    const bytes = this.#bytes;
    const to = this.#to;
    let depth = 0;
    for (let at = this.#at; at < to; at++) {
      const by = NESTS[bytes[at]!]!;
      if (by === 0) continue;
      if (by === QUOTES) {
        for (at++; at < to && bytes[at] !== QUOTE; at++) if (bytes[at] === BACKSLASH) at += 1;
        continue;
      }
      depth += by;
      if (depth > 0) continue;
      this.#at = at + 1;
      return true;
    }
    return false;
  }

  /** The next byte that is no space; 0 at the end. */
  #next(): number {
    const byte = byteAt(this.#bytes, this.#at);
    if (byte > SPACE && this.#at < this.#to) return byte;
    this.#skipSpace();
    return this.#at < this.#to ? this.#bytes[this.#at]! : 0;
  }

  #skipSpace(): void {
    while (this.#at < this.#to && this.#bytes[this.#at]! <= SPACE) this.#at += 1;
  }
}

const isDigit = (byte: number): boolean => byte >= ZERO && byte <= NINE;

const isEnd = (byte: number): boolean =>
  byte === COMMA || byte === CLOSE || byte === CLOSE_LIST || byte <= SPACE;
