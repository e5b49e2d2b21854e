import { gzipSync } from "node:zlib";

const MEMBER_BYTES = 1024 * 1024;

/**
 * Writes bytes as a gzip file of members that hold a megabyte each, independent of how the bytes
 * arrive: the same bytes give the same file.
 */
export class GzipMembers {
  readonly #member = Buffer.allocUnsafeSlow(MEMBER_BYTES);
  readonly #write: (bytes: Buffer) => void;
  #length = 0;
  #hasWritten = false;

  constructor(write: (bytes: Buffer) => void) {
    this.#write = write;
  }

  add(bytes: Buffer): void {
    for (let at = 0; at < bytes.length; ) {
      const taken = bytes.copy(this.#member, this.#length, at);
      this.#length += taken;
      at += taken;
      if (this.#length === MEMBER_BYTES) this.#flush();
    }
  }

  /** A file without any member would not be gzip. */
  finish(): void {
    if (this.#length > 0 || !this.#hasWritten) this.#flush();
  }

  #flush(): void {
    this.#write(gzipSync(this.#member.subarray(0, this.#length)));
    this.#length = 0;
    this.#hasWritten = true;
  }
}
