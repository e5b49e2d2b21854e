import { number } from "../report/quantity.ts";
import type { ReportRow } from "./published.ts";

/** What was published: the number as the paper prints it, or what it says. */
export const publishedText = (published: number | string): string =>
  typeof published === "number" ? String(published) : published;

/** "1.2 to 1.4"; empty where there is no interval, or none that can be seen. */
export function intervalText({ measured, low, high }: ReportRow): string {
  if (measured === null || low === null || high === null) return "";
  const [from, to] = [number(low), number(high)];
  return from === to ? "" : `${from} to ${to}`;
}

/** How many paired runs the number was measured in. */
export const runsText = ({ runs }: ReportRow): string => (runs === null ? "" : String(runs));
