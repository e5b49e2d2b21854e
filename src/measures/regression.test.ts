import { describe, expect, test } from "vitest";
import { predicted, regress } from "./regression.ts";

describe("the regression of times on data and traffic", () => {
  test("finds the coefficients behind the times", () => {
    const tasks = [
      [1, 0],
      [2, 2],
      [4, 0],
      [5, 5],
    ].map(([bytes = 0, farBytes = 0]) => ({ bytes, farBytes, ms: 7 + 3 * bytes + 2 * farBytes }));
    const line = regress(tasks);
    expect(line.base).toBeCloseTo(7, 9);
    expect(line.perByte).toBeCloseTo(3, 9);
    expect(line.perFarByte).toBeCloseTo(2, 9);
  });

  test("leaves out traffic that only follows the data, and data that do not vary", () => {
    const following = [1, 2, 5].map((bytes) => ({ bytes, farBytes: bytes / 2, ms: 4 * bytes }));
    expect(regress(following)).toEqual({ base: 0, perByte: 4, perFarByte: 0 });
    const equal = [0, 3].map((farBytes) => ({ bytes: 2, farBytes, ms: 10 + farBytes }));
    expect(regress(equal).perFarByte).toBe(1);
    const alike = [1, 2, 3].map((ms) => ({ bytes: 2, farBytes: 0, ms }));
    expect(predicted(regress(alike), { bytes: 2, farBytes: 0, ms: 0 })).toBe(2);
  });
});
