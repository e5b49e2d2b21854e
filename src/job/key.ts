/**
 * What may be a key. Arrays are tuples: compared element by element, a prefix before its
 * extensions.
 */
export type Key = string | number | bigint | boolean | null | readonly Key[];
