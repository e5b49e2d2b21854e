/** Part of every JavaScript engine that matters, though not of the language's own library. */
declare const TextDecoder: new () => { decode(bytes: Uint8Array): string };

const decoder = new TextDecoder();

/** UTF-8 to a string; invalid bytes become U+FFFD. */
export const textOf = (bytes: Uint8Array, from = 0, to = bytes.length): string =>
  decoder.decode(from === 0 && to === bytes.length ? bytes : bytes.subarray(from, to));
