import { describe, expect, test } from "vitest";
import { exp, log, pow } from "./math.ts";
import { nextFloat, randomState } from "./random.ts";

const TOLERANCE = 1e-14;

function expectClose(ours: number, theirs: number, what: string) {
  if (ours === theirs || (Number.isNaN(ours) && Number.isNaN(theirs))) return;
  const error = Math.abs(ours - theirs) / Math.max(Math.abs(theirs), Number.MIN_VALUE);
  // Subnormal results have fewer digits than a double.
  const allowed = Math.abs(theirs) < 2.3e-308 ? 1 : TOLERANCE;
  expect(error, `${what}: ${ours} is not ${theirs}`).toBeLessThan(allowed);
}

const EDGES = [
  0,
  1,
  2,
  0.5,
  1.5,
  10,
  1e-300,
  1e300,
  5e-324,
  2.2250738585072014e-308,
  1.7976931348623157e308,
  Number.POSITIVE_INFINITY,
  Number.NaN,
  Math.SQRT2,
  Math.SQRT1_2,
  Math.E,
  1 + 2 ** -52,
  1 - 2 ** -53,
];

describe("deterministic functions", () => {
  test("exp agrees with the engine's over its whole range", () => {
    const random = randomState(1);
    for (let i = 0; i < 20_000; i += 1) {
      const x = (nextFloat(random) - 0.5) * 1_500;
      expectClose(exp(x), Math.exp(x), `exp(${x})`);
      expectClose(exp(x / 1_000), Math.exp(x / 1_000), `exp(${x / 1_000})`);
    }
    for (const x of EDGES) {
      expectClose(exp(x), Math.exp(x), `exp(${x})`);
      expectClose(exp(-x), Math.exp(-x), `exp(${-x})`);
    }
  });

  test("log agrees with the engine's over its whole range", () => {
    const random = randomState(2);
    for (let i = 0; i < 20_000; i += 1) {
      const x = Math.exp((nextFloat(random) - 0.5) * 1_400);
      expectClose(log(x), Math.log(x), `log(${x})`);
      const near = 0.5 + nextFloat(random);
      expectClose(log(near), Math.log(near), `log(${near})`);
    }
    for (const x of [...EDGES, -1]) expectClose(log(x), Math.log(x), `log(${x})`);
  });

  test("pow agrees with the engine's for every base of 0 or more", () => {
    const random = randomState(3);
    for (let i = 0; i < 20_000; i += 1) {
      const base = Math.exp((nextFloat(random) - 0.5) * 100);
      const exponent = (nextFloat(random) - 0.5) * 30;
      expectClose(pow(base, exponent), base ** exponent, `${base} ** ${exponent}`);
      const u = nextFloat(random);
      expectClose(pow(u, 1 / 1.5), u ** (1 / 1.5), `${u} ** (2/3)`);
    }
    for (const base of EDGES) {
      for (const exponent of [...EDGES, ...EDGES.map((x) => -x), 3, -3, 1023, 1074.5]) {
        expectClose(pow(base, exponent), base ** exponent, `${base} ** ${exponent}`);
      }
    }
  });

  test("a base below zero gives NaN", () => {
    expect(pow(-8, 1 / 3)).toBeNaN();
  });
});
