import { describe, expect, test } from "vitest";
import { JsonScanner } from "./json-scanner.ts";

const PATHS = [
  ["id"],
  ["task", "host"],
  ["task", "at"],
  ["task", "isCopy"],
  ["of"],
  ["task", "m", "x"],
];
const [ID, HOST, AT, IS_COPY, OF, X] = [0, 1, 2, 3, 4, 5];

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

function scan(text: string, scanner = new JsonScanner(PATHS)): JsonScanner | undefined {
  const bytes = bytesOf(`??${text}??`);
  return scanner.scan(bytes, 2, bytes.length - 2) ? scanner : undefined;
}

describe("a scanner", () => {
  test("finds its fields at their depth, whatever surrounds them", () => {
    const found = scan(
      '{"x":[{"id":9}],"id":-12,"host":"no","task":{"m":{"y":{},"x":1.5e3},"host":"hé","at":0,' +
        '"isCopy":true,"t\\"ask":{"host":"no"}},"of":[1, [2]],"end":null}',
    );
    expect(found?.number(ID)).toBe(-12);
    expect(found?.text(HOST)).toBe("hé");
    expect(found?.number(AT)).toBe(0);
    expect(found?.isTrue(IS_COPY)).toBe(true);
    expect(found?.list(OF)).toBe("[1, [2]]");
    expect(found?.number(X)).toBe(1_500);
  });

  test("reports fields that are absent or of another type", () => {
    const found = scan('{"id":"7","task":null,"of":{}}');
    expect(found?.number(ID)).toBeNaN();
    expect(found?.text(ID)).toBe("7");
    expect(found?.text(HOST)).toBeUndefined();
    expect(found?.isTrue(IS_COPY)).toBe(false);
    expect(found?.list(OF)).toBeUndefined();
  });

  test("forgets the object before", () => {
    const scanner = new JsonScanner(PATHS);
    scan('{"id":1,"task":{"host":"a"}}', scanner);
    scan('{"task":{"at":2}}', scanner);
    expect([scanner.number(ID), scanner.text(HOST), scanner.number(AT)]).toEqual([
      Number.NaN,
      undefined,
      2,
    ]);
  });

  test("reads numbers of any length as a parser does", () => {
    for (const text of ["123456789012345678901", "0.1", "-0", "1e-7", "999999999999999"]) {
      expect(scan(`{"id":${text}}`)?.number(ID)).toBe(JSON.parse(text));
    }
  });

  test("gives up on an escape in a field, and on anything that is cut off", () => {
    expect(scan('{"task":{"host":"a\\nb"}}')).toBeUndefined();
    expect(scan('{"y":"a\\nb\\"","id":1}')?.number(ID)).toBe(1);
    const whole = '{"id":12,"task":{"host":"a","m":{"x":[{}]}},"of":[1,2],"y":{"z":"}"}}';
    for (let size = 0; size < whole.length; size++) {
      expect(scan(whole.slice(0, size))).toBeUndefined();
    }
    expect(scan(`${whole}}`)).toBeUndefined();
  });

  test("gives up where a list seems to end within an inner object", () => {
    expect(scan('{"y":[{"a":{"b":[1]},"id":3}],"id":4}')).toBeUndefined();
    expect(scan('{"y":[{"a":{"b":[1]},"c":"]"}],"id":4}')).toBeUndefined();
    expect(scan('{"y":{"z":[{"b":"]},"},[]]},"id":4}')?.number(ID)).toBe(4);
  });
});

describe("random objects", () => {
  // The test's own generator: xorshift over 32 bits.
  function dice(seed: number): (sides: number) => number {
    let state = seed;
    return (sides) => {
      state ^= state << 13;
      state ^= state >>> 17;
      state ^= state << 5;
      return (state >>> 0) % sides;
    };
  }
  const NAMES = ["id", "task", "host", "at", "isCopy", "of", "m", "x", "T", "a]", "{", 'q"', "\\"];
  const TEXTS = ["a", "host-1", "", "]},", '"', "]", "{", "\\", "ü", "},"];

  function value(roll: (sides: number) => number, depth: number): unknown {
    const kind = roll(depth > 3 ? 5 : 8);
    if (kind === 0) return roll(2) === 1;
    if (kind === 1) return null;
    if (kind === 2) return TEXTS[roll(TEXTS.length)];
    if (kind < 5) return [roll(1_000), -1 - roll(9), roll(1_000) / 8, 2 ** 60, roll(1e9)][roll(5)];
    if (kind === 5) return Array.from({ length: roll(4) }, () => value(roll, depth + 1));
    const keys = Array.from({ length: roll(6) }, () => NAMES[roll(NAMES.length)] ?? "");
    return Object.fromEntries(keys.map((key) => [key, value(roll, depth + 1)]));
  }

  test("are read as a parser reads them, or not at all", () => {
    const scanner = new JsonScanner(PATHS);
    let understood = 0;
    for (let seed = 1; seed <= 4_000; seed++) {
      const roll = dice(seed * 7_919);
      const object = { task: value(roll, 1), id: value(roll, 1), of: value(roll, 1), y: 0 };
      const text = JSON.stringify(object, undefined, roll(3));
      if (scan(text, scanner) === undefined) continue;
      understood += 1;
      for (const [field, keys] of PATHS.entries()) {
        let expected: unknown = object;
        for (const key of keys) {
          const isObject = typeof expected === "object" && !Array.isArray(expected);
          expected = isObject ? Object.entries(expected ?? {}).find(([k]) => k === key)?.[1] : {};
        }
        const place = `${keys.join(".")} of ${text}`;
        const number = typeof expected === "number" ? expected : Number.NaN;
        expect(scanner.number(field), place).toBe(number);
        expect(scanner.text(field), place).toBe(
          typeof expected === "string" ? expected : undefined,
        );
        expect(scanner.isTrue(field), place).toBe(expected === true);
        const list = scanner.list(field);
        expect(list === undefined ? undefined : JSON.parse(list), place).toEqual(
          Array.isArray(expected) ? expected : undefined,
        );
      }
    }
    // Most are: an escape in a field is rare.
    expect(understood).toBeGreaterThan(2_400);
  });
});
