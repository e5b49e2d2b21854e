import { assert } from "./assert.ts";
import { log, pow } from "./math.ts";

/**
 * The state of a random stream: four 32-bit integers, plain data that survives cloning. The
 * generator is xoshiro128** (Blackman and Vigna, 2018).
 */
export interface RandomState {
  a: number;
  b: number;
  c: number;
  d: number;
}

/**
 * A stream for each name: drawing from one never moves another. The seed is any finite number;
 * different seeds give different streams.
 */
export function randomState(seed: number, stream = ""): RandomState {
  assert(Number.isFinite(seed), "a seed is a finite number");
  const mix = mixer(seed, stream);
  const state = { a: mix(), b: mix(), c: mix(), d: mix() };
  // Zero in all four is the one state that the generator never leaves.
  if ((state.a | state.b | state.c | state.d) === 0) state.a = 1;
  return state;
}

/** A stream for each whole number; the parent does not move. */
export function split(parent: RandomState, key: number): RandomState {
  const mix = stirred(stir(parent.a ^ key) ^ parent.b ^ Math.floor(key / 4_294_967_296));
  const state = { a: mix(), b: mix() ^ parent.c, c: mix() ^ parent.d, d: mix() };
  if ((state.a | state.b | state.c | state.d) === 0) state.a = 1;
  return state;
}

/** 32 random bits, unsigned. */
export function nextBits(state: RandomState): number {
  const starred = Math.imul(state.b, 5);
  const result = Math.imul((starred << 7) | (starred >>> 25), 9) >>> 0;
  const shifted = state.b << 9;
  state.c ^= state.a;
  state.d ^= state.b;
  state.b ^= state.c;
  state.a ^= state.d;
  state.c ^= shifted;
  state.d = (state.d << 11) | (state.d >>> 21);
  return result;
}

/** Uniform in [0, 1), with all 53 bits of a double. */
export function nextFloat(state: RandomState): number {
  const high = nextBits(state) >>> 5;
  const low = nextBits(state) >>> 6;
  return (high * 67_108_864 + low) / 9_007_199_254_740_992;
}

export interface Range {
  readonly from: number;
  readonly to: number;
}

/** Uniform in [from, to). */
export function uniform(state: RandomState, range: Range): number {
  return range.from + (range.to - range.from) * nextFloat(state);
}

/** A whole number from 0 up to, but not including, the bound, uniform to 53 bits. */
export function integer(state: RandomState, bound: number): number {
  assert(bound >= 1, "an integer is drawn below 1 or more");
  return Math.floor(nextFloat(state) * bound);
}

export function exponential(state: RandomState, mean: number): number {
  return -mean * log(1 - nextFloat(state));
}

/** P(X > x) = (minimum / x) ^ shape. */
export function pareto(
  state: RandomState,
  { minimum, shape }: { readonly minimum: number; readonly shape: number },
): number {
  return minimum / pow(1 - nextFloat(state), 1 / shape);
}

/** Mean 0, standard deviation 1: the polar method of Marsaglia and Bray. */
export function normal(state: RandomState): number {
  for (;;) {
    const x = 2 * nextFloat(state) - 1;
    const y = 2 * nextFloat(state) - 1;
    const square = x * x + y * y;
    if (square > 0 && square < 1) return x * Math.sqrt((-2 * log(square)) / square);
  }
}

/** One of the items; there must be at least one. */
export function pick<T>(state: RandomState, items: readonly T[]): T {
  return items[integer(state, items.length)] as T;
}

/** The items in a random order, as a new array (Fisher and Yates). */
export function shuffle<T>(state: RandomState, items: readonly T[]): T[] {
  const shuffled = [...items];
  for (let last = shuffled.length - 1; last > 0; last -= 1) {
    const other = integer(state, last + 1);
    const moved = shuffled[last] as T;
    shuffled[last] = shuffled[other] as T;
    shuffled[other] = moved;
  }
  return shuffled;
}

/** The generator of workload W1 and of many small tools: 32 bits of state, uniform in [0, 1). */
export function mulberry32(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Makes 32-bit integers from a seed and a name, any number of them. */
function mixer(seed: number, stream: string): () => number {
  let hash = 0x811c9dc5;
  const absorb = (byte: number) => {
    hash = Math.imul(hash ^ byte, 0x01000193);
  };
  for (const character of `${seed}/${stream}`) {
    const code = character.codePointAt(0) ?? 0;
    absorb(code & 0xff);
    absorb((code >>> 8) & 0xff);
    absorb(code >>> 16);
  }
  return stirred(hash);
}

/** Makes 32-bit integers from one, any number of them (splitmix32). */
function stirred(from: number): () => number {
  let weyl = from;
  return () => {
    weyl = (weyl + 0x9e3779b9) | 0;
    return stir(weyl);
  };
}

/** Spreads each bit over all bits (MurmurHash3's finalizer). */
function stir(bits: number): number {
  let mixed = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}
