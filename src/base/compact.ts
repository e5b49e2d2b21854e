/**
 * The same number. A whole number from an array of doubles is a double to the engine, which makes
 * an object of it in each record that the number is put into; the number that is returned needs no
 * object.
 */
export function compact(n: number): number {
  const whole = n | 0;
  return whole === n ? whole : n;
}
