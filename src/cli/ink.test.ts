import { expect, test } from "vitest";
import { inked, inkOf } from "./ink.ts";
import { sinkOf } from "./shell.ts";

test.each([
  ["a terminal", true, {}, "colour"],
  ["a pipe", false, {}, "none"],
  ["NO_COLOR on a terminal", true, { NO_COLOR: "1" }, "weight"],
  ["an empty NO_COLOR, which is none", true, { NO_COLOR: "" }, "colour"],
  ["TERM=dumb", true, { TERM: "dumb" }, "none"],
  ["FORCE_COLOR in a pipe", false, { FORCE_COLOR: "1" }, "colour"],
  ["an empty FORCE_COLOR, which forces", false, { FORCE_COLOR: "" }, "colour"],
  ["FORCE_COLOR=0 on a terminal", true, { FORCE_COLOR: "0" }, "weight"],
  ["FORCE_COLOR=0 in a pipe", false, { FORCE_COLOR: "0" }, "none"],
  ["FORCE_COLOR beside NO_COLOR", true, { FORCE_COLOR: "1", NO_COLOR: "1" }, "colour"],
] as const)("%s", (_, isTerminal, env, ink) => expect(inkOf(isTerminal, env)).toBe(ink));

test("only colour needs colours; bold and dim need weight", () => {
  const bold = "\u001b[1mx\u001b[22m";
  expect(inked("colour", "bold", "x")).toBe(bold);
  expect(inked("weight", "bold", "x")).toBe(bold);
  expect(inked("weight", "red", "x")).toBe("x");
  expect(inked("none", "bold", "x")).toBe("x");
});

test("NO_COLOR keeps the live display; CI and TERM=dumb have plain lines", () => {
  const stream = { isTTY: true } as NodeJS.WriteStream;
  const isLive = (env: NodeJS.ProcessEnv): boolean => sinkOf(stream, env).isLive;
  expect([isLive({}), isLive({ NO_COLOR: "1" })]).toEqual([true, true]);
  expect([isLive({ CI: "true" }), isLive({ TERM: "dumb" })]).toEqual([false, false]);
});
