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
