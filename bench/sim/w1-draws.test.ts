import { expect, test } from "vitest";
import { mulberry32 } from "../../src/base/random.ts";
import { exactMs, paretoMs } from "./w1-draws.ts";

test("the quick draw is the exact one, to the millisecond", () => {
  const random = mulberry32(7);
  for (let n = 0; n < 200_000; n += 1) {
    const x = 1 - random();
    if (paretoMs(x) !== exactMs(x)) expect.fail(`${x}: ${paretoMs(x)}, ${exactMs(x)}`);
  }
});

test.each([1, 0.5, 0.125, 2 ** -32, 3 * 2 ** -32])("at %d", (x) => {
  expect(paretoMs(x)).toBe(exactMs(x));
});
