import { CELL_BYTES, type Kernel, VALUES } from "../kernel.ts";
import type { KernelMemory } from "../memory.ts";
import { readCount, writeCount } from "./bytes.ts";
import { readArray, readNatural, readNumber, readSum, writeNumberKey } from "./values.ts";

type Functions = "countIds" | "sumValues" | "leastValues" | "greatestValues" | "mergeValues";

/** `assembly/accumulate.ts` */
export function accumulateTwin(memory: KernelMemory): Pick<Kernel, Functions> {
  const place = (base: number, stride: number, ids: number, i: number): number =>
    base + stride * memory.view.getUint32(ids + i * 4, true);
  return {
    countIds(base, stride, ids, count) {
      for (let i = 0; i < count; i++) addCount(memory.view, place(base, stride, ids, i), 1);
    },

    sumValues(base, stride, ids, values, count) {
      const { view } = memory;
      for (let i = 0; i < count; i++) {
        const value = view.getFloat64(values + i * CELL_BYTES, true);
        if (!addAll(view, place(base, stride, ids, i), [value])) return i;
      }
      return count;
    },

    leastValues(base, stride, ids, keys, count) {
      for (let i = 0; i < count; i++) {
        const key = memory.view.getBigUint64(keys + i * CELL_BYTES, true);
        takeExtreme(memory.view, place(base, stride, ids, i), key, -1);
      }
    },

    greatestValues(base, stride, ids, keys, count) {
      for (let i = 0; i < count; i++) {
        const key = memory.view.getBigUint64(keys + i * CELL_BYTES, true);
        takeExtreme(memory.view, place(base, stride, ids, i), key, 1);
      }
    },

    mergeValues(kind, base, stride, ids, values, count) {
      for (let i = 0; i < count; i++) {
        const value = memory.view.getUint32(values + i * 4, true);
        if (!merge(memory, kind, place(base, stride, ids, i), value)) return i;
      }
      return count;
    },
  };
}

function addCount(view: DataView, at: number, by: number): void {
  writeCount(view, at, readCount(view, at) + by);
}

/** What rounding took from `rounded` = x + y: Knuth's TwoSum. */
function lost(x: number, y: number, rounded: number): number {
  const part = rounded - x;
  return x - (rounded - part) + (y - part);
}

/** All of them or none, if two f64 do not hold the sum or it is no finite number. */
function addAll(view: DataView, at: number, values: readonly number[]): boolean {
  let high = view.getFloat64(at, true);
  let low = view.getFloat64(at + 8, true);
  for (const value of values) {
    const rounded = high + value;
    const error = lost(high, value, rounded);
    const rest = low + error;
    if (lost(low, error, rest) !== 0) return false;
    high = rounded + rest;
    low = lost(rounded, rest, high);
  }
  view.setFloat64(at, high, true);
  view.setFloat64(at + 8, low, true);
  return true;
}

/** Takes the u64 if it is the first, or before (-1) or after (1) what is there. */
function takeExtreme(view: DataView, at: number, key: bigint, sign: -1 | 1): void {
  const isFirst = view.getUint32(at + 8, true) === 0;
  const there = view.getBigUint64(at, true);
  const wins = sign < 0 ? key < there : key > there;
  if (!isFirst && !wins) return;
  view.setBigUint64(at, key, true);
  view.setBigUint64(at + 8, 1n, true);
}

const float = new DataView(new ArrayBuffer(8));

/** False, and nothing merged: the value is none of the kind. */
function merge({ view, bytes }: KernelMemory, kind: number, at: number, value: number): boolean {
  if (kind === VALUES.count) {
    const count = readNatural(bytes, value);
    if (count !== undefined) addCount(view, at, count);
    return count !== undefined;
  }
  if (kind === VALUES.sum) {
    const sum = readSum(view, bytes, value);
    return sum !== undefined && addAll(view, at, sum.value);
  }
  if (kind === VALUES.mean) {
    const first = readArray(bytes, value, 2);
    const sum = first === undefined ? undefined : readSum(view, bytes, first);
    const count = sum && readNatural(bytes, sum.end);
    if (sum === undefined || count === undefined || !addAll(view, at, sum.value)) return false;
    addCount(view, at + 16, count);
    return true;
  }
  const number = readNumber(view, bytes, value);
  if (number === undefined) return false;
  writeNumberKey(float, 0, number.value);
  takeExtreme(view, at, float.getBigUint64(0, true), kind === VALUES.least ? -1 : 1);
  return true;
}
