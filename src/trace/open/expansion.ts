import { InputError } from "../../base/input-error.ts";

/** Event logs shrink to a fortieth, seldom to less; a bomb to a thousandth and far less. */
const TIMES_MAX = 400;
/** Anything up to this size is read in seconds. */
const SMALL = 2 * 2 ** 30;

/** Watches how much a compressed file becomes, so that a small file cannot keep us for hours. */
export class Expansion {
  readonly #place: string;
  #stored = 0;
  #content = 0;

  constructor(place: string) {
    this.#place = place;
  }

  /** Bytes that were read from the file. */
  addStored(bytes: number): void {
    this.#stored += bytes;
  }

  /** InputError if the content is out of all proportion. */
  addContent(bytes: number): void {
    this.#content += bytes;
    if (this.#content <= SMALL || this.#content <= TIMES_MAX * this.#stored) return;
    const found = `found more than ${TIMES_MAX} times the bytes that are stored`;
    const help = "if that is right, decompress it first";
    throw new InputError("bad-input", this.#place, `expected a log, ${found}: ${help}`);
  }
}
