import { expect, test } from "vitest";
import { readNamedSettings } from "./named-settings.ts";
import { flag, number, object, oneOf, optional, Place, standard } from "./shape.ts";

interface Pool {
  readonly weight: number;
  readonly mode?: "fair" | "fifo";
  readonly open?: boolean;
}

const pool = object<Pool>("a pool", {
  weight: standard(number({ min: 0 }), 1),
  mode: optional(oneOf(["fair", "fifo"])),
  open: optional(flag),
});

const read = (text: string) =>
  readNamedSettings(text, pool, new Place("bad-parameter", "sharing.pools"));

test("names come in the order of the text, each with its settings", () => {
  expect([...read("b:weight=2,mode=fifo; a ; c:open=true")]).toEqual([
    ["b", { weight: 2, mode: "fifo" }],
    ["a", { weight: 1 }],
    ["c", { weight: 1, open: true }],
  ]);
  expect(read("").size).toBe(0);
});

test.each([
  [
    "a:wieght=2",
    "sharing.pools: a.wieght: unknown; did you mean weight? a pool has weight, mode, open",
  ],
  ["a:weight=-1", "sharing.pools: a.weight: expected a number of 0 or more, found -1"],
  ["a:mode=lifo", 'sharing.pools: a.mode: expected one of "fair", "fifo", found "lifo"'],
  ["a:weight", "sharing.pools: a: expected KEY=VALUE, found weight"],
  ["a:weight=1=2", "sharing.pools: a: expected KEY=VALUE, found weight=1=2"],
  ["a:weight=1,weight=2", "sharing.pools: a.weight: said twice"],
  ["a;a", "sharing.pools: a: said twice"],
  [":weight=1", "sharing.pools: expected NAME:KEY=VALUE,..., found :weight=1"],
])("%s is refused with its place", (text, message) => {
  expect(() => read(text)).toThrow(message);
});
