import { closeSync, openSync, renameSync, writeSync } from "node:fs";

const CAPACITY = 4 << 20;
/** The most bytes of a single piece. */
const PIECE_MAX = 4096;

/** A data file that is being written: it gets its name only when it is complete. */
export class DataFile {
  readonly #path: string;
  readonly #file: number;
  readonly #bytes = new Uint8Array(CAPACITY);
  #length = 0;
  #written = 0;

  constructor(path: string) {
    this.#path = path;
    this.#file = openSync(`${path}.making`, "w");
  }

  /** The bytes written so far. */
  get size(): number {
    return this.#written + this.#length;
  }

  byte(value: number): void {
    this.#bytes[this.#length++] = value;
    if (this.#length > CAPACITY - PIECE_MAX) this.#flush();
  }

  slice(from: Uint8Array, start: number, end: number): void {
    const bytes = this.#bytes;
    let at = this.#length;
    for (let i = start; i < end; i++) bytes[at++] = from[i]!;
    this.#length = at;
    if (at > CAPACITY - PIECE_MAX) this.#flush();
  }

  /** A whole number, in decimal. */
  number(value: number): void {
    let divisor = 1;
    while (value / divisor >= 10) divisor *= 10;
    for (let rest = value; divisor >= 1; divisor /= 10) {
      this.byte(0x30 + Math.floor(rest / divisor));
      rest %= divisor;
    }
  }

  close(): void {
    this.#flush();
    closeSync(this.#file);
    renameSync(`${this.#path}.making`, this.#path);
  }

  #flush(): void {
    for (let at = 0; at < this.#length; ) {
      at += writeSync(this.#file, this.#bytes, at, this.#length - at);
    }
    this.#written += this.#length;
    this.#length = 0;
  }
}
