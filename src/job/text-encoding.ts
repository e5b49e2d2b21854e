import { checkWord } from "./described.ts";

/**
 * The decoding of bytes to text. `utf8`: a byte that is not UTF-8 becomes a lone surrogate, U+DC80
 * to U+DCFF, and is written as that byte again. `latin1`: a character up to U+00FF for each byte,
 * so that texts sort as their bytes do. `bytes`: no decoding, records are `Uint8Array`s.
 */
export type TextEncoding = "utf8" | "latin1" | "bytes";

/** The type of a record in an encoding. */
export type Encoded<E extends TextEncoding> = E extends "bytes" ? Uint8Array : string;

/** Throws an InputError if the value is no encoding; `place`: the function that got it. */
export const checkEncoding = (encoding: TextEncoding, place: string): void =>
  checkWord(encoding, ["utf8", "latin1", "bytes"], `${place}: encoding`);
