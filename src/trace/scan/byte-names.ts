import { textOf } from "../byte-text.ts";

const BACKSLASH = 0x5c;
const SLOTS = 1_024;

/** Strings of bytes that recur, such as names of hosts: each is decoded once. */
export class ByteNames {
  readonly #names: (ByteName | undefined)[] = Array.from({ length: SLOTS }, () => undefined);

  /** The string in bytes[from, to); undefined if it holds a backslash. */
  of(bytes: Uint8Array, from: number, to: number): ByteName | undefined {
    let hash = to - from;
    for (let at = from; at < to; at++) {
      const byte = bytes[at]!;
      if (byte === BACKSLASH) return undefined;
      hash = (hash * 31 + byte) | 0;
    }
    const slot = hash & (SLOTS - 1);
    const known = this.#names[slot];
    if (known !== undefined && isSame(known.bytes, bytes, from, to)) return known;
    const name = { bytes: bytes.slice(from, to), text: textOf(bytes, from, to) };
    this.#names[slot] = name;
    return name;
  }
}

export interface ByteName {
  readonly bytes: Uint8Array;
  readonly text: string;
}

export const NO_NAME: ByteName = { bytes: new Uint8Array(0), text: "" };

/** 0, which is no byte of a text, beyond the end. */
export const byteAt = (bytes: Uint8Array, at: number): number =>
  at < bytes.length ? bytes[at]! : 0;

/** Whether bytes[from, to) are those of the name. */
export function isSame(name: Uint8Array, bytes: Uint8Array, from: number, to: number): boolean {
  if (name.length !== to - from) return false;
  for (let i = 0; i < name.length; i++) if (name[i] !== bytes[from + i]) return false;
  return true;
}
