/** A JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json;
}

export type ParsedJson =
  | { readonly ok: true; readonly value: Json }
  /** `column` counts from 1; `cutOff`: the text ends where more was expected. */
  | {
      readonly ok: false;
      readonly column: number;
      readonly cutOff: boolean;
      readonly expected: string;
    };

/** Like JSON.parse, but what is wrong comes back as a value: a pure folder catches nothing. */
export function parseJson(text: string): ParsedJson {
  const parser = new Parser(text);
  const value = parser.value();
  parser.end();
  const { failure } = parser;
  if (failure === undefined) return { ok: true, value };
  const { at, expected } = failure;
  return { ok: false, column: at + 1, cutOff: MAY_GO_ON.test(text.slice(at)), expected };
}

export const isObject = (value: Json): value is JsonObject =>
  typeof value === "object" && value !== null && !isList(value);

export const isList = (value: Json): value is readonly Json[] => Array.isArray(value);

/** What a text ends with where more may have followed: a word, a number. */
const MAY_GO_ON = /^(?:|t|tr|tru|f|fa|fal|fals|n|nu|nul|-|\.|[eE][+-]?)$/;
const SPACE = /[ \t\n\r]*/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const PLAIN = /[^"\\]*/y;
const HEX = /[0-9a-fA-F]{4}/y;
const HEX_CUT_OFF = /^[0-9a-fA-F]{0,3}$/;
const ESCAPED = new Map([
  ['"', '"'],
  ["\\", "\\"],
  ["/", "/"],
  ["b", "\b"],
  ["f", "\f"],
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
]);
const WORDS: readonly (readonly [string, Json])[] = [
  ["null", null],
  ["true", true],
  ["false", false],
];

/** After the first failure every method returns at once. */
class Parser {
  failure: { readonly at: number; readonly expected: string } | undefined;
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  value(): Json {
    this.#take(SPACE);
    const first = this.#text[this.#at];
    if (first === "{") return this.#object();
    if (first === "[") return this.#list();
    if (first === '"') return this.#string();
    for (const [word, value] of WORDS) {
      if (!this.#text.startsWith(word, this.#at)) continue;
      this.#at += word.length;
      return value;
    }
    const number = this.#take(NUMBER);
    return number === "" ? this.#fail("a JSON value") : Number(number);
  }

  end(): void {
    this.#take(SPACE);
    if (this.#at < this.#text.length) this.#fail("the end of the line");
  }

  #object(): Json {
    const entries: [string, Json][] = [];
    this.#at += 1;
    if (this.#eat("}")) return {};
    do {
      this.#take(SPACE);
      const key = this.#text[this.#at] === '"' ? this.#string() : this.#fail("a key in quotes");
      if (!this.#eat(":")) return this.#fail("a colon");
      entries.push([key, this.value()]);
    } while (this.#eat(","));
    return this.#eat("}") ? Object.fromEntries(entries) : this.#fail("a comma or }");
  }

  #list(): Json {
    const values: Json[] = [];
    this.#at += 1;
    if (this.#eat("]")) return values;
    do values.push(this.value());
    while (this.#eat(","));
    return this.#eat("]") ? values : this.#fail("a comma or ]");
  }

  #string(): string {
    this.#at += 1;
    let value = this.#take(PLAIN);
    while (this.#text[this.#at] === "\\") {
      this.#at += 1;
      value += this.#escape() + this.#take(PLAIN);
    }
    if (this.failure !== undefined || this.#text[this.#at] !== '"') return this.#fail('a "');
    this.#at += 1;
    return value;
  }

  #escape(): string {
    const letter = this.#text[this.#at] ?? "";
    const plain = ESCAPED.get(letter);
    if (plain === undefined && letter !== "u") return this.#fail("an escape such as \\n");
    this.#at += 1;
    if (plain !== undefined) return plain;
    const code = this.#take(HEX);
    if (code !== "") return String.fromCharCode(Number(`0x${code}`));
    if (HEX_CUT_OFF.test(this.#text.slice(this.#at))) this.#at = this.#text.length;
    return this.#fail("four hexadecimal digits");
  }

  /** What the sticky pattern matches here, which may be nothing. */
  #take(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0] ?? "";
    this.#at += found.length;
    return found;
  }

  #eat(mark: string): boolean {
    this.#take(SPACE);
    if (this.failure !== undefined || this.#text[this.#at] !== mark) return false;
    this.#at += 1;
    return true;
  }

  #fail(expected: string): "" {
    this.failure ??= { at: this.#at, expected };
    return "";
  }
}
