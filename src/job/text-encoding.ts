import { checkWord } from "./described.ts";

/**
 * How bytes are text. `utf8`: a byte that is no UTF-8 becomes a surrogate by itself, U+DC80 to
 * U+DCFF, and is written as that byte again. `latin1`: a character up to U+00FF for each byte, so
 * that text sorts as its bytes do. `bytes`: none, records are `Uint8Array`s.
 */
export type TextEncoding = "utf8" | "latin1" | "bytes";

/** What a record is in an encoding. */
export type Encoded<E extends TextEncoding> = E extends "bytes" ? Uint8Array : string;

/** InputError if it is none; `place`: who was given it. */
export const checkEncoding = (encoding: TextEncoding, place: string): void =>
  checkWord(encoding, ["utf8", "latin1", "bytes"], `${place}: encoding`);
