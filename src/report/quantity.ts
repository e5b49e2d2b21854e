export { bytes } from "../base/amount.ts";

/** For instance `12.3 s`; above two minutes `3 min 5 s`. */
export function seconds(ms: number): string {
  if (!Number.isFinite(ms)) return String(ms);
  if (Math.abs(ms) < 120_000) return `${(ms / 1000).toFixed(1)} s`;
  const whole = Math.round(ms / 1000);
  return `${Math.floor(whole / 60)} min ${whole % 60} s`;
}

/** At most four significant digits, and scientific notation only where unavoidable. */
export function number(value: number): string {
  if (Number.isInteger(value) || !Number.isFinite(value)) return String(value);
  return Math.abs(value) >= 1000 ? String(Math.round(value)) : String(Number(value.toPrecision(4)));
}

/** For instance `1 map`, `2 maps`. */
export const counted = (count: number, noun: string, plural = `${noun}s`): string =>
  `${count} ${count === 1 ? noun : plural}`;

/** The name of a number in words: `timeLeft` is `time left`. */
export const words = (name: string): string =>
  name.replace(/([a-z0-9])([A-Z])/g, "$1 $2").toLowerCase();

/** The share of work that is done, rounded down: 100 % is all of it. */
export const percentDone = (share: number): string => `${Math.floor(100 * share)} %`;
