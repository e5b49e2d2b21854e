import { describe, expect, test } from "vitest";
import { linearScale, logScale } from "./scale.ts";

const PIXELS = { from: 0, to: 100 };
const texts = (scale: { readonly ticks: readonly { readonly text: string }[] }) =>
  scale.ticks.map(({ text }) => text);

describe("a scale", () => {
  test("marks steps of 1, 2 or 5, including its ends", () => {
    expect(texts(linearScale({ from: 0, to: 1 }, PIXELS))).toEqual([
      "0",
      "0.2",
      "0.4",
      "0.6",
      "0.8",
      "1",
    ]);
    expect(texts(linearScale({ from: -3, to: 11 }, PIXELS))).toEqual(["-5", "0", "5", "10", "15"]);
    expect(texts(linearScale({ from: 0, to: 745 }, PIXELS))).toEqual([
      "0",
      "200",
      "400",
      "600",
      "800",
    ]);
  });

  test("of logarithms puts equal factors equally far apart", () => {
    const scale = logScale({ from: 1, to: 100 }, PIXELS);
    expect(scale.at(10)).toBeCloseTo(50, 9);
    expect(texts(scale)).toEqual(["1", "2", "5", "10", "20", "50", "100"]);
    expect(texts(logScale({ from: 1, to: 1e6 }, PIXELS))).toEqual([
      "1",
      "10",
      "100",
      "1000",
      "10000",
      "100000",
      "1000000",
    ]);
  });

  test("of logarithms has marks even without a power of ten in range", () => {
    expect(texts(logScale({ from: 6, to: 8 }, PIXELS))).toEqual(["6", "7", "8"]);
  });

  test("of a single value has room for it", () => {
    expect(linearScale({ from: 3, to: 3 }, PIXELS).at(3)).toBe(0);
    expect(logScale({ from: 3, to: 3 }, PIXELS).at(3)).toBe(0);
  });
});
