/** For instance `12.3 s`; no rounding to minutes, so that sums can be checked. */
export const span = (ms: number): string => `${plain(ms)} s`;

/** Seconds without their unit. */
export function plain(ms: number): string {
  const seconds = ms / 1_000;
  const digits = Math.abs(seconds) >= 100 ? 0 : Math.abs(seconds) >= 1 ? 1 : 2;
  const text = seconds.toFixed(digits);
  return Number(text) === 0 ? "0" : text;
}

/** A change in seconds, without its unit: `+1.2`, `-1.2` or `0`. */
export function signed(ms: number): string {
  const text = plain(ms);
  return Number(text) > 0 ? `+${text}` : text;
}

export const percent = (share: number): string => `${Math.round(100 * share)} %`;

/** What mending one cause alone would save, as the end of a sentence. */
export const savedAlone = ({ aloneMs }: { readonly aloneMs: number }): string =>
  `that alone would save ${span(aloneMs)}`;
