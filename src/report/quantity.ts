/** For instance `12.3 s`; above two minutes `3 min 5 s`. */
export function seconds(ms: number): string {
  if (!Number.isFinite(ms)) return String(ms);
  if (Math.abs(ms) < 120_000) return `${(ms / 1000).toFixed(1)} s`;
  const whole = Math.round(ms / 1000);
  return `${Math.floor(whole / 60)} min ${whole % 60} s`;
}

const UNITS = ["B", "kB", "MB", "GB", "TB"];

/** For instance `83.1 MB`, in powers of 1000. */
export function bytes(count: number): string {
  let amount = count;
  let unit = 0;
  while (amount >= 1000 && unit < UNITS.length - 1) {
    amount /= 1000;
    unit += 1;
  }
  return `${unit === 0 ? amount : amount.toFixed(1)} ${UNITS[unit]}`;
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
