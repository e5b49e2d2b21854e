import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { defineFlow, defineJob, text } from "./index.ts";

const make = () => defineJob({ map: () => [] });
const first = make();
const others = [1, 2].map(make);
await Promise.resolve();
const flow = defineFlow("flow", (f) => f.read("lines", text()).write(text()));

test("a job or flow belongs to the module whose evaluation defines it, by its number", () => {
  const file = fileURLToPath(import.meta.url);
  expect([first, ...others, flow].map(({ definition }) => definition)).toEqual(
    [0, 1, 2, 3].map((index) => ({ file, index, isAfterRun: false })),
  );
});

test("a job that a function defines later belongs to no module", async () => {
  expect(make().definition).toBeUndefined();
  await Promise.resolve();
  expect(make().definition).toBeUndefined();
});

test("the engine's stack traces are as before", () => {
  const { stackTraceLimit } = Error;
  const own = (error: Error): string => `own ${error.message}`;
  const kept = Object.getOwnPropertyDescriptor(Error, "prepareStackTrace");
  Error.prepareStackTrace = own;
  try {
    make();
    expect(Error.prepareStackTrace).toBe(own);
    expect(Error.stackTraceLimit).toBe(stackTraceLimit);
  } finally {
    if (kept === undefined) Reflect.deleteProperty(Error, "prepareStackTrace");
    else Object.defineProperty(Error, "prepareStackTrace", kept);
  }
});
