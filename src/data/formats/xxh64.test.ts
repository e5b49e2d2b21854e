import fc from "fast-check";
import { expect, test } from "vitest";
import { XXH64 } from "./xxh64.ts";

const hashOf = (...pieces: Uint8Array[]): string => {
  const hash = new XXH64();
  for (const piece of pieces) hash.update(piece);
  return hash
    .digest()
    .map((half) => half.toString(16).padStart(8, "0"))
    .join("");
};

test.each([
  ["", "ef46db3751d8e999"],
  ["a", "d24ec4f1a98c6e5b"],
  ["abc", "44bc2cf5ad770999"],
  ["Nobody inspects the spammish repetition", "fbcea83c8a378bf1"],
])("%j has the published hash", (text, hash) => {
  expect(hashOf(Buffer.from(text))).toBe(hash);
});

/** The algorithm as it is published, in bigints. */
function plain(bytes: Uint8Array): string {
  const mask = 0xffff_ffff_ffff_ffffn;
  const [p1, p2, p3, p4, p5] = [
    0x9e3779b185ebca87n,
    0xc2b2ae3d27d4eb4fn,
    0x165667b19e3779f9n,
    0x85ebca77c2b2ae63n,
    0x27d4eb2f165667c5n,
  ] as const;
  const rotate = (x: bigint, by: bigint): bigint => ((x << by) | (x >> (64n - by))) & mask;
  const round = (lane: bigint, input: bigint): bigint =>
    (rotate((lane + input * p2) & mask, 31n) * p1) & mask;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const lanes = [(p1 + p2) & mask, p2, 0n, -p1 & mask];
  let at = 0;
  for (; at + 32 <= bytes.length; at += 32) {
    for (let i = 0; i < 4; i++)
      lanes[i] = round(lanes[i] ?? 0n, view.getBigUint64(at + 8 * i, true));
  }
  const turns = [1n, 7n, 12n, 18n];
  let hash: bigint = p5;
  if (bytes.length >= 32) {
    hash = lanes.reduce((sum, lane, i) => (sum + rotate(lane, turns[i] ?? 0n)) & mask, 0n);
    for (const lane of lanes) hash = ((hash ^ round(0n, lane)) * p1 + p4) & mask;
  }
  hash = (hash + BigInt(bytes.length)) & mask;
  for (; at + 8 <= bytes.length; at += 8) {
    hash = (rotate(hash ^ round(0n, view.getBigUint64(at, true)), 27n) * p1 + p4) & mask;
  }
  if (at + 4 <= bytes.length) {
    hash ^= (BigInt(view.getUint32(at, true)) * p1) & mask;
    hash = (rotate(hash, 23n) * p2 + p3) & mask;
    at += 4;
  }
  for (; at < bytes.length; at++) {
    hash = (rotate(hash ^ ((BigInt(view.getUint8(at)) * p5) & mask), 11n) * p1) & mask;
  }
  hash = ((hash ^ (hash >> 33n)) * p2) & mask;
  hash = ((hash ^ (hash >> 29n)) * p3) & mask;
  return (hash ^ (hash >> 32n)).toString(16).padStart(16, "0");
}

test("agrees with the published algorithm, however the bytes arrive", () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 90 }), { maxLength: 5 }), (pieces) => {
      expect(hashOf(...pieces)).toBe(plain(Buffer.concat(pieces)));
    }),
    { numRuns: 500 },
  );
});
