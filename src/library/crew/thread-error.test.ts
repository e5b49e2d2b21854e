import { expect, test } from "vitest";
import { InputError } from "../../base/input-error.ts";
import { errorFrom, threadErrorOf } from "./thread-error.ts";

const sent = (error: unknown): Error => errorFrom(structuredClone(threadErrorOf(error)), "unit 3");

test("a user's mistake passes between threads as an InputError, word by word", () => {
  const mistake = new InputError("bad-parameter", "--set a=1", "expected: a number, b or c");
  expect(sent(mistake)).toBeInstanceOf(InputError);
  expect(sent(mistake)).toMatchObject({ ...mistake, message: mistake.message });
});

test("a bug keeps its stack, and names the unit that has it", () => {
  const bug = new Error("no such node");
  expect(sent(bug)).toMatchObject({ message: "unit 3: no such node" });
  expect(sent(bug).stack).toBe(`unit 3: ${bug.stack}`);
  expect(sent("thrown text").message).toBe("unit 3: thrown text");
});
