import { describe, expect, test } from "vitest";
import {
  dictionary,
  either,
  flag,
  given,
  holding,
  kind,
  list,
  mapped,
  number,
  object,
  oneOf,
  optional,
  Place,
  positive,
  required,
  type Shape,
  standard,
  text,
  variants,
  whole,
} from "./shape.ts";

const place = new Place("bad-scenario", "file.json");

interface Point {
  readonly x: number;
  readonly name?: string;
  readonly tags: readonly string[];
}

const point: Shape<Point> = object<Point>("a point", {
  x: required(number({ min: 0 })),
  name: optional(text),
  tags: standard(list(text), []),
});

type Figure =
  | { readonly kind: "circle"; readonly radius: number }
  | { readonly kind: "points"; readonly points: readonly Point[] };

const figure: Shape<Figure> = variants<Figure>("a figure", {
  circle: ["a circle", { radius: required(positive) }],
  points: object<Extract<Figure, { kind: "points" }>>("points", {
    kind: kind("points"),
    points: required(list(point, { min: 1 })),
  }),
});

describe("reading JSON by its shape", () => {
  test("gives the typed value, with defaults for absent fields", () => {
    expect(point.read({ x: 1 }, place)).toEqual({ x: 1, tags: [] });
    expect(point.read({ x: 1, name: "a", tags: ["b"] }, place)).toEqual({
      x: 1,
      name: "a",
      tags: ["b"],
    });
    expect(figure.read({ kind: "circle", radius: 2 }, place)).toEqual({
      kind: "circle",
      radius: 2,
    });
    expect(dictionary(flag).read({ a: true }, place)).toEqual({ a: true });
  });

  test.each([
    [point, [], "file.json: expected a point, found []"],
    [point, {}, "file.json: x: expected a number of 0 or more, found nothing"],
    [point, { x: -1 }, "file.json: x: expected a number of 0 or more, found -1"],
    [point, { x: 1, y: 2 }, "file.json: y: unknown; a point has x, name, tags"],
    [point, { x: 1, tags: [1] }, "file.json: tags[0]: expected a text that is not empty, found 1"],
    [figure, {}, 'file.json: kind: expected one of "circle", "points", found nothing'],
    [
      figure,
      { kind: "circle", radius: 0 },
      "file.json: radius: expected a number above 0, found 0",
    ],
    [
      figure,
      { kind: "points", points: [{ x: 0 }, { x: "1" }] },
      'file.json: points[1].x: expected a number of 0 or more, found "1"',
    ],
    [whole({ min: 1, max: 3 }), 1.5, "file.json: expected a whole number from 1 to 3, found 1.5"],
    [oneOf(["a"]), "b", 'file.json: expected "a", found "b"'],
    [dictionary(flag), { a: 1 }, "file.json: a: expected true or false, found 1"],
  ])("names the place and what was expected: %#", (of, json, message) => {
    expect(() => of.read(json, place)).toThrow(message);
  });

  test("a value may have one of two shapes, or be turned into something else", () => {
    const length = mapped(text, (value) => value.length);
    const either1 = either((json) => typeof json === "number", number({}), length);
    expect([either1.read(7, place), either1.read("four", place)]).toEqual([7, 4]);
  });

  test("a misspelt key is answered with the key that was meant", () => {
    const wrong = { x: 1, tag: ["a"] };
    expect(() => point.read(wrong, place)).toThrow(
      "tag: unknown; did you mean tags? a point has x, name, tags",
    );
  });

  test("a value that JSON lacks is shown in words", () => {
    const round: { self?: object } = {};
    round.self = round;
    for (const [found, shown] of [
      [() => 1, "found a function"],
      [2n, "found 2"],
      [Number.POSITIVE_INFINITY, "found Infinity"],
      [Symbol("s"), "found Symbol(s)"],
      [{ big: 3n }, 'found {"big":"3"}'],
      [round, 'found {"self":"..."}'],
    ] as const) {
      expect(() => flag.read(found, place)).toThrow(shown);
    }
  });

  test("an object of our own stays as it is, and what is relied on is checked", () => {
    const seen = holding<{ readonly at: number; readonly by?: string }>("a sight", {
      at: required(number()),
      by: optional(text),
    });
    const json = { at: 1, more: true };
    expect(seen.read(json, place)).toBe(json);
    expect(() => seen.read([], place)).toThrow("file.json: expected a sight, found []");
    expect(() => seen.read({}, place)).toThrow("at: expected a number, found nothing");
    expect(() => seen.read({ at: 1, by: 2 }, place)).toThrow("by: expected a text");
  });

  test("a program's own value is read by its own test", () => {
    const signal = given("an AbortSignal", (value) => value instanceof AbortSignal);
    const { signal: own } = new AbortController();
    expect(signal.read(own, place)).toBe(own);
    expect(() => signal.read("now", place)).toThrow('expected an AbortSignal, found "now"');
  });

  test("a long value is shown by its beginning", () => {
    expect(() => flag.read("x".repeat(200), place)).toThrow(/x\.\.\.$/);
  });
});
