import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { figuresOf } from "./history.ts";

const read = (name: string): string =>
  readFileSync(fileURLToPath(new URL(`../../fixtures/hadoop/${name}`, import.meta.url)), "utf8");

test("a copy that won, two that lost, and the time of all three losers", () => {
  const { copies, responseMs, wastedMs, won } = figuresOf(read("json.jhist"));
  expect({ copies, won }).toEqual({ copies: 3, won: 1 });
  expect(responseMs).toBe(1795302166224 - 1795302054042);
  expect(wastedMs).toBe(10_319 + 57_309 + 9_957);
});

test("a file that is no history in JSON is refused", () => {
  expect(() => figuresOf(read("binary.jhist"))).toThrow("expected a history in Avro-Json");
});
