import type { Fold } from "./fold.ts";
import type { Key } from "./key.ts";
import { encodeKey } from "./key-bytes.ts";
import { hashBytes } from "./key-hash.ts";
import { compareKeys } from "./key-order.ts";
import { placeOf } from "./top-k.ts";

/** Up to this many different values are kept exactly. */
const EXACT_MAX = 1000;

/**
 * The different values in order; or, with more than 1000, the registers of HyperLogLog (Flajolet,
 * Fusy, Gandouet and Meunier, AofA 2007). Either depends on the set of values alone.
 */
type Seen = { readonly keys: Key[] } | { readonly registers: Uint8Array };

/** 2^14 registers: a standard error of 1.04 / 128, which is 0.8 %. */
const REGISTER_BITS = 14;
const REGISTERS = 1 << REGISTER_BITS;

/** Counts different values: exactly up to 1000, then within about 1 %. */
export function distinct(): Fold<Key, Seen, number> {
  return {
    name: "distinct",
    init: () => ({ keys: [] }),
    add: addKey,
    merge: mergeSeen,
    done: (so) => ("keys" in so ? so.keys.length : estimate(so.registers)),
    ofNothing: () => 0,
  };
}

function addKey(so: Seen, key: Key): Seen {
  if (!("keys" in so)) return addHash(so, key);
  const { keys } = so;
  const at = placeOf(keys, (one) => compareKeys(one, key) < 0);
  const there = keys[at];
  if (there !== undefined && compareKeys(there, key) === 0) return so;
  keys.splice(at, 0, key);
  return keys.length > EXACT_MAX ? hashed(keys) : so;
}

function mergeSeen(left: Seen, right: Seen): Seen {
  if ("keys" in right) return right.keys.reduce<Seen>(addKey, left);
  const into = "keys" in left ? hashed(left.keys) : left;
  for (const [i, rank] of right.registers.entries()) {
    if (rank > (into.registers[i] ?? 0)) into.registers[i] = rank;
  }
  return into;
}

type Hashed = Extract<Seen, { readonly registers: Uint8Array }>;

const hashed = (keys: readonly Key[]): Hashed =>
  keys.reduce<Hashed>(addHash, { registers: new Uint8Array(REGISTERS) });

/** One hash selects the register, another gives the value's rank: 32 bits would not do for both. */
function addHash(so: Hashed, key: Key): Hashed {
  const bytes = encodeKey(key);
  const register = hashBytes(bytes) >>> (32 - REGISTER_BITS);
  const marked = new Uint8Array(bytes.length + 1);
  marked.set(bytes, 1);
  const rank = Math.clz32(hashBytes(marked)) + 1;
  if (rank > (so.registers[register] ?? 0)) so.registers[register] = rank;
  return so;
}

/** 1 / (2 ln 2). */
const ALPHA = 0.7213475204444817;

/** The largest rank: one more than the leading zeros of 32 bits. */
const RANK_MAX = 33;

/**
 * Ertl's improved estimator (New cardinality estimation algorithms for HyperLogLog sketches, 2017,
 * algorithm 6), which needs no correction for few values.
 */
function estimate(registers: Uint8Array): number {
  const counts = new Array<number>(RANK_MAX + 1).fill(0);
  for (const rank of registers) counts[rank] = (counts[rank] ?? 0) + 1;
  const share = (rank: number): number => (counts[rank] ?? 0) / REGISTERS;
  let z = REGISTERS * tau(1 - share(RANK_MAX));
  for (let rank = RANK_MAX - 1; rank >= 1; rank--) z = 0.5 * (z + (counts[rank] ?? 0));
  z += REGISTERS * sigma(share(0));
  return Math.floor((ALPHA * REGISTERS * REGISTERS) / z + 0.5);
}

function sigma(x: number): number {
  if (x === 1) return Number.POSITIVE_INFINITY;
  let [z, before, weight] = [x, -1, 1];
  for (let power = x; z !== before; weight *= 2) {
    before = z;
    power *= power;
    z += power * weight;
  }
  return z;
}

function tau(x: number): number {
  if (x === 0 || x === 1) return 0;
  let [z, before, weight] = [1 - x, -1, 0.5];
  for (let root = x; z !== before; weight *= 0.5) {
    before = z;
    root = Math.sqrt(root);
    z -= (1 - root) * (1 - root) * weight;
  }
  return z / 3;
}
