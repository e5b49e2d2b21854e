import { cell } from "../../base/rows.ts";

const P1 = 0x9e3779b1;
const P2 = 0x85ebca77;
const P3 = 0xc2b2ae3d;
const P4 = 0x27d4eb2f;
const P5 = 0x165667b1;

/** XXH32 (xxhash.com), unsigned: the checksum of lz4-java's blocks. */
export function xxh32(bytes: Uint8Array, seed: number): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;
  let hash = (seed + P5) | 0;
  if (bytes.length >= 16) {
    let a = (seed + P1 + P2) | 0;
    let b = (seed + P2) | 0;
    let c = seed | 0;
    let d = (seed - P1) | 0;
    for (; at + 16 <= bytes.length; at += 16) {
      a = round(a, view.getInt32(at, true));
      b = round(b, view.getInt32(at + 4, true));
      c = round(c, view.getInt32(at + 8, true));
      d = round(d, view.getInt32(at + 12, true));
    }
    hash = (turned(a, 1) + turned(b, 7) + turned(c, 12) + turned(d, 18)) | 0;
  }
  hash = (hash + bytes.length) | 0;
  for (; at + 4 <= bytes.length; at += 4) {
    hash = Math.imul(turned((hash + Math.imul(view.getInt32(at, true), P3)) | 0, 17), P4);
  }
  for (; at < bytes.length; at++) {
    hash = Math.imul(turned((hash + Math.imul(cell(bytes[at]), P5)) | 0, 11), P1);
  }
  hash = Math.imul(hash ^ (hash >>> 15), P2);
  hash = Math.imul(hash ^ (hash >>> 13), P3);
  return (hash ^ (hash >>> 16)) >>> 0;
}

const round = (lane: number, input: number): number =>
  Math.imul(turned((lane + Math.imul(input, P2)) | 0, 13), P1);

const turned = (value: number, by: number): number => (value << by) | (value >>> (32 - by));
