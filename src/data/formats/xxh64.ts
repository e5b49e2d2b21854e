/**
 * XXH64 (xxhash.com, seed 0); a zstd frame ends with its low half. A number of 64 bits is two of 32
 * here: JavaScript's bigints are twenty times slower.
 */
export class XXH64 {
  /** Four lanes: high and low halves. */
  readonly #lanes = new Int32Array(8);
  readonly #rest = new Uint8Array(STRIPE);
  #restBytes = 0;
  #bytes = 0;

  constructor() {
    this.#lanes.set([...add(P1, P2), ...P2, 0, 0, ...negative(P1)]);
  }

  update(bytes: Uint8Array): void {
    this.#bytes += bytes.length;
    let at = 0;
    if (this.#restBytes > 0) {
      at = Math.min(STRIPE - this.#restBytes, bytes.length);
      this.#rest.set(bytes.subarray(0, at), this.#restBytes);
      this.#restBytes += at;
      if (this.#restBytes < STRIPE) return;
      this.#stripes(this.#rest, 0, STRIPE);
      this.#restBytes = 0;
    }
    const end = bytes.length - ((bytes.length - at) % STRIPE);
    this.#stripes(bytes, at, end);
    this.#rest.set(bytes.subarray(end));
    this.#restBytes = bytes.length - end;
  }

  /** The high and low half, unsigned. */
  digest(): readonly [high: number, low: number] {
    const rest = this.#rest.subarray(0, this.#restBytes);
    const view = new DataView(rest.buffer, 0, rest.length);
    let hash = add(this.#joined(), [(this.#bytes / 2 ** 32) | 0, this.#bytes | 0]);
    let at = 0;
    for (; at + 8 <= rest.length; at += 8) {
      const lane: Long = [view.getInt32(at + 4, true), view.getInt32(at, true)];
      hash = xor(hash, round([0, 0], lane));
      hash = add(multiply(rotate(hash, 27), P1), P4);
    }
    if (at + 4 <= rest.length) {
      hash = xor(hash, multiply([0, view.getInt32(at, true)], P1));
      hash = add(multiply(rotate(hash, 23), P2), P3);
      at += 4;
    }
    for (; at < rest.length; at++) {
      hash = xor(hash, multiply([0, view.getUint8(at)], P5));
      hash = multiply(rotate(hash, 11), P1);
    }
    hash = multiply(xor(hash, shifted(hash, 33)), P2);
    hash = multiply(xor(hash, shifted(hash, 29)), P3);
    const [high, low] = xor(hash, shifted(hash, 32));
    return [high >>> 0, low >>> 0];
  }

  #joined(): Long {
    if (this.#bytes < STRIPE) return P5;
    const lane = (i: number): Long => [this.#lanes[2 * i] ?? 0, this.#lanes[2 * i + 1] ?? 0];
    let hash = add(
      add(rotate(lane(0), 1), rotate(lane(1), 7)),
      add(rotate(lane(2), 12), rotate(lane(3), 18)),
    );
    for (let i = 0; i < 4; i++) {
      hash = add(multiply(xor(hash, round([0, 0], lane(i))), P1), P4);
    }
    return hash;
  }

  /** The hot loop: `round` for each lane, without arrays. */
  #stripes(bytes: Uint8Array, start: number, end: number): void {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const lanes = this.#lanes;
    for (let lane = 0; lane < 4; lane++) {
      let high = lanes[2 * lane] ?? 0;
      let low = lanes[2 * lane + 1] ?? 0;
      for (let at = start + 8 * lane; at < end; at += STRIPE) {
        const inLow = view.getInt32(at, true);
        const inHigh = view.getInt32(at + 4, true);
        const sumLow = (low >>> 0) + (timesLow(inLow, P2[1]) >>> 0);
        const productHigh =
          timesHigh(inLow, P2[1]) + Math.imul(inHigh, P2[1]) + Math.imul(inLow, P2[0]);
        const sumHigh = (high + productHigh + (sumLow >= 2 ** 32 ? 1 : 0)) | 0;
        const turnedHigh = (sumHigh << 31) | ((sumLow | 0) >>> 1);
        const turnedLow = ((sumLow | 0) << 31) | (sumHigh >>> 1);
        low = timesLow(turnedLow, P1[1]);
        high =
          (timesHigh(turnedLow, P1[1]) +
            Math.imul(turnedHigh, P1[1]) +
            Math.imul(turnedLow, P1[0])) |
          0;
      }
      lanes[2 * lane] = high;
      lanes[2 * lane + 1] = low;
    }
  }
}

const STRIPE = 32;

type Long = readonly [high: number, low: number];

const P1: Long = [0x9e3779b1 | 0, 0x85ebca87 | 0];
const P2: Long = [0xc2b2ae3d | 0, 0x27d4eb4f | 0];
const P3: Long = [0x165667b1 | 0, 0x9e3779f9 | 0];
const P4: Long = [0x85ebca77 | 0, 0xc2b2ae63 | 0];
const P5: Long = [0x27d4eb2f | 0, 0x165667c5 | 0];

const round = (lane: Long, input: Long): Long =>
  multiply(rotate(add(lane, multiply(input, P2)), 31), P1);

function add([xHigh, xLow]: Long, [yHigh, yLow]: Long): Long {
  const low = (xLow >>> 0) + (yLow >>> 0);
  return [(xHigh + yHigh + (low >= 2 ** 32 ? 1 : 0)) | 0, low | 0];
}

const negative = ([high, low]: Long): Long => add([~high, ~low], [0, 1]);

const xor = ([xHigh, xLow]: Long, [yHigh, yLow]: Long): Long => [xHigh ^ yHigh, xLow ^ yLow];

function multiply([xHigh, xLow]: Long, [yHigh, yLow]: Long): Long {
  const high = timesHigh(xLow, yLow) + Math.imul(xHigh, yLow) + Math.imul(xLow, yHigh);
  return [high | 0, timesLow(xLow, yLow)];
}

const timesLow = Math.imul;

/** The high half of the product of two unsigned 32-bit numbers. */
function timesHigh(x: number, y: number): number {
  const xLow = x & 0xffff;
  const xHigh = x >>> 16;
  const yLow = y & 0xffff;
  const yHigh = y >>> 16;
  const middle = Math.imul(xHigh, yLow) >>> 0;
  const carried = (Math.imul(xLow, yLow) >>> 16) + (middle & 0xffff);
  const other = (Math.imul(xLow, yHigh) >>> 0) + carried;
  return (Math.imul(xHigh, yHigh) + (middle >>> 16) + Math.floor(other / 65536)) | 0;
}

/** Rotates left, by 1 to 31. */
const rotate = ([high, low]: Long, by: number): Long => [
  (high << by) | (low >>> (32 - by)),
  (low << by) | (high >>> (32 - by)),
];

/** Shifts right, by 1 to 63, with zeros coming in. */
const shifted = ([high, low]: Long, by: number): Long =>
  by >= 32 ? [0, high >>> (by - 32)] : [high >>> by, (low >>> by) | (high << (32 - by))];
