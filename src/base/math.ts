/**
 * exp, log and pow from + - * / alone, so that every engine agrees to the last bit. Within about
 * one unit in the last place.
 *
 * The methods and constants are those of fdlibm's e_exp.c, e_log.c and e_pow.c:
 * Copyright (C) 1993 by Sun Microsystems, Inc. All rights reserved. Developed at SunPro, a Sun
 * Microsystems, Inc. business. Permission to use, copy, modify, and distribute this software is
 * freely granted, provided that this notice is preserved.
 */

const DOUBLE = new Float64Array(1);
const WORDS = new Uint32Array(DOUBLE.buffer);
DOUBLE[0] = 1;
/** The index of the word with sign and exponent: 1 on little-endian machines. */
const HIGH = WORDS[1] === 0 ? 0 : 1;
const LOW = 1 - HIGH;

function highWord(x: number): number {
  DOUBLE[0] = x;
  return WORDS[HIGH] ?? 0;
}

/** The number with its lower 32 bits cleared: products of two such parts are exact enough. */
function head(x: number): number {
  DOUBLE[0] = x;
  WORDS[LOW] = 0;
  return DOUBLE[0];
}

/** x * 2^power, exact unless the result is subnormal. */
function scale(x: number, power: number): number {
  if (power < -1021) return scale(scale(x, -1021), power + 1021);
  if (power > 1023) return scale(scale(x, 1023), power - 1023);
  DOUBLE[0] = 1;
  WORDS[HIGH] = (power + 1023) << 20;
  return x * (DOUBLE[0] ?? 1);
}

const SMALLEST_NORMAL = 2.2250738585072014e-308;
const TWO_54 = 18_014_398_509_481_984;

const LN2_HIGH = 6.931471803691238e-1;
const LN2_LOW = 1.9082149292705877e-10;
// biome-ignore lint/suspicious/noApproximativeNumericConstant: this double, on every engine.
const LN2_INVERSE = 1.4426950408889634;

/** x - x^2 * remez(x^2), which e_exp.c and e_pow.c share. */
function expRemainder(x: number): number {
  const t = x * x;
  return (
    x -
    t *
      (1.6666666666666602e-1 +
        t *
          (-2.7777777777015593e-3 +
            t * (6.613756321437934e-5 + t * (-1.6533902205465252e-6 + t * 4.1381367970572385e-8))))
  );
}

/** e^x. */
export function exp(x: number): number {
  if (Number.isNaN(x)) return x;
  if (x > 709.782712893384) return Number.POSITIVE_INFINITY;
  if (x < -745.1332191019411) return 0;
  if (Math.abs(x) < 3.725290298461914e-9) return 1 + x;
  const power = Math.abs(x) < 0.34657359027997264 ? 0 : Math.floor(LN2_INVERSE * x + 0.5);
  const high = x - power * LN2_HIGH;
  const low = power * LN2_LOW;
  const reduced = high - low;
  const c = expRemainder(reduced);
  const result = 1 - (low - (reduced * c) / (2 - c) - high);
  return power === 0 ? result : scale(result, power);
}

/** The natural logarithm. */
export function log(x: number): number {
  if (!(x > 0)) return x === 0 ? Number.NEGATIVE_INFINITY : Number.NaN;
  if (x === Number.POSITIVE_INFINITY) return x;
  const { significand, power } = split(x);
  const f = significand - 1;
  const s = f / (2 + f);
  const z = s * s;
  const w = z * z;
  const even = w * (3.999999999940942e-1 + w * (2.2222198432149784e-1 + w * 1.5313837699209373e-1));
  const odd =
    z *
    (6.666666666666735e-1 +
      w * (2.857142874366239e-1 + w * (1.818357216161805e-1 + w * 1.4798198605116586e-1)));
  const half = 0.5 * f * f;
  return power * LN2_HIGH - (half - (s * (half + even + odd) + power * LN2_LOW) - f);
}

/** x = significand * 2^power, with the significand between sqrt(1/2) and sqrt(2). */
function split(x: number): { significand: number; power: number } {
  const subnormal = x < SMALLEST_NORMAL;
  let high = highWord(subnormal ? x * TWO_54 : x);
  let power = (high >>> 20) - 1023 - (subnormal ? 54 : 0);
  high &= 0x000fffff;
  const upper = (high + 0x95f64) & 0x100000;
  WORDS[HIGH] = high | (upper ^ 0x3ff00000);
  power += upper >>> 20;
  return { significand: DOUBLE[0] ?? x, power };
}

/**
 * base^exponent for a base of 0 or more, which is all that is needed here; NaN for a smaller base.
 */
export function pow(base: number, exponent: number): number {
  if (exponent === 0) return 1;
  if (Number.isNaN(base) || Number.isNaN(exponent) || base < 0) return Number.NaN;
  if (exponent === 1) return base;
  if (base === 1) return Math.abs(exponent) === Number.POSITIVE_INFINITY ? Number.NaN : 1;
  if (base === 0 || base === Number.POSITIVE_INFINITY) {
    return exponent > 0 === (base === 0) ? 0 : Number.POSITIVE_INFINITY;
  }
  if (Math.abs(exponent) > 1.8446744073709552e19)
    return exponent > 0 === base > 1 ? Number.POSITIVE_INFINITY : 0;
  const { high, low } = logarithm2(base);
  const exponentHead = head(exponent);
  const productLow = (exponent - exponentHead) * high + exponent * low;
  const productHigh = exponentHead * high;
  const product = productHigh + productLow;
  if (product > 1025) return Number.POSITIVE_INFINITY;
  if (product < -1077) return 0;
  return exp2(productHigh, productLow, product);
}

/** log2(x) in two parts: `high` has its lower word clear, `low` the rest. */
function logarithm2(x: number): { high: number; low: number } {
  const { significand, power, near } = splitNear(x);
  const origin = near ? 1.5 : 1;
  // s = (significand - origin) / (significand + origin), as a sum of two.
  const u = significand - origin;
  const v = 1 / (significand + origin);
  const s = u * v;
  const sHigh = head(s);
  const tHigh = head(significand + origin);
  const tLow = significand - (tHigh - origin);
  const sLow = v * (u - sHigh * tHigh - sHigh * tLow);
  const square = s * s;
  let r = square * square * series(square);
  r += sLow * (sHigh + s);
  const sHighSquare = sHigh * sHigh;
  const sumHigh = head(3 + sHighSquare + r);
  const sumLow = r - (sumHigh - 3 - sHighSquare);
  const productU = sHigh * sumHigh;
  const productV = sLow * sumHigh + sumLow * s;
  const pHigh = head(productU + productV);
  const pLow = productV - (pHigh - productU);
  const zHigh = 9.617967009544373e-1 * pHigh;
  const zLow =
    -7.028461650952758e-9 * pHigh + pLow * 9.617966939259756e-1 + (near ? 1.350039202129749e-8 : 0);
  const nearHigh = near ? 5.849624872207642e-1 : 0;
  const high = head(zHigh + zLow + nearHigh + power);
  return { high, low: zLow - (high - power - nearHigh - zHigh) };
}

function series(square: number): number {
  return (
    5.999999999999946e-1 +
    square *
      (4.285714285785502e-1 +
        square *
          (3.3333332981837743e-1 +
            square *
              (2.72728123808534e-1 +
                square * (2.3066074577556175e-1 + square * 2.0697501780033842e-1))))
  );
}

/** x = significand * 2^power; `near`: nearer to 1.5 than to 1 or 2. */
function splitNear(x: number): { significand: number; power: number; near: boolean } {
  const subnormal = x < SMALLEST_NORMAL;
  const high = highWord(subnormal ? x * TWO_54 : x);
  let power = (high >>> 20) - 1023 - (subnormal ? 54 : 0);
  const fraction = high & 0x000fffff;
  const near = fraction > 0x3988e && fraction < 0xbb67a;
  WORDS[HIGH] = fraction | 0x3ff00000;
  let significand = DOUBLE[0] ?? 1;
  if (fraction >= 0xbb67a) {
    significand /= 2;
    power += 1;
  }
  return { significand, power, near };
}

/** 2^(high + low), where `sum` is their sum. */
function exp2(high: number, low: number, sum: number): number {
  const power = Math.abs(sum) > 0.5 ? Math.floor(sum + 0.5) : 0;
  const rest = high - power;
  const t = head(low + rest);
  const u = t * 6.931471824645996e-1;
  const v = (low - (t - rest)) * 6.931471805599453e-1 + t * -1.904654299957768e-9;
  const z = u + v;
  const w = v - (z - u);
  const c = expRemainder(z);
  const r = (z * c) / (c - 2) - (w + z * w);
  return scale(1 - (r - z), power);
}
