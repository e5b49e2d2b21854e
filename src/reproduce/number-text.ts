import type { ReportRow } from "./published.ts";

/** Four significant digits at most, never in powers of ten where it can be helped. */
export function numberText(value: number): string {
  if (Number.isInteger(value) || !Number.isFinite(value)) return String(value);
  return Math.abs(value) >= 1000 ? String(Math.round(value)) : String(Number(value.toPrecision(4)));
}

/** What was published: the number as the paper prints it, or what it says. */
export const publishedText = (published: number | string): string =>
  typeof published === "number" ? String(published) : published;

/** "1.2 to 1.4"; empty where there is no interval, or none that can be seen. */
export function intervalText({ measured, low, high }: ReportRow): string {
  if (measured === null || low === null || high === null) return "";
  const [from, to] = [numberText(low), numberText(high)];
  return from === to ? "" : `${from} to ${to}`;
}

/** How many paired runs the number was measured in. */
export const runsText = ({ runs }: ReportRow): string => (runs === null ? "" : String(runs));
