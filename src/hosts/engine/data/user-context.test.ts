import { expect, test } from "vitest";
import { defineJob, type Key } from "../../../job/index.ts";
import { UserContext } from "./user-context.ts";

test("emit and count work taken out of the context", () => {
  const emitted: (readonly [Key, unknown])[] = [];
  const ctx = new UserContext({
    job: defineJob({ counters: ["lines"], map: () => [] }),
    params: {},
    task: 0,
    attempt: 0,
    file: "",
    emit: (key, value) => emitted.push([key, value]),
  });
  const { emit, count } = ctx;
  emit("a", 1);
  count("lines");
  count("lines", 2);
  expect(emitted).toEqual([["a", 1]]);
  expect(ctx.counters()).toEqual({ lines: 3 });
  expect(() => count("linse")).toThrow("counter linse: expected a declared one: lines");
});
