/**
 * The same number. A whole number from an array of doubles is a double to the engine, which makes
 * an object of it in each record that stores the number; the returned number needs no object.
 */
export function compact(n: number): number {
  const whole = n | 0;
  return whole === n ? whole : n;
}
