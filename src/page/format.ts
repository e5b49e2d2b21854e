import type { Run } from "./run.ts";

/** A duration or a moment for people: digits by size, the unit always there; `–` if unknown. */
export function span(ms: number): string {
  if (!Number.isFinite(ms)) return "–";
  const size = Math.abs(ms);
  if (size !== 0 && size < 100) return `${Math.round(ms)} ms`;
  if (size < 10_000) return `${(ms / 1_000).toFixed(2)} s`;
  if (size < 1_000_000) return `${(ms / 1_000).toFixed(1)} s`;
  return `${grouped(Math.round(ms / 1_000))} s`;
}

/** The wall clock at a moment, with its zone, after `before`; empty for a simulated run. */
export const clockText = (before: string, originMs: number, at: number): string =>
  originMs === 0
    ? ""
    : `${before}${new Date(originMs + at).toISOString().replace("T", " ").slice(0, 19)} UTC`;

/** Thousands are set apart by thin spaces. */
export const grouped = (value: number): string =>
  String(value).replace(/\B(?=(\d{3})+(?!\d))/g, "\u2009");

export const percent = (share: number): string =>
  Number.isFinite(share) ? `${(100 * share).toFixed(share < 0.1 ? 1 : 0)} %` : "–";

export const times = (factor: number): string =>
  Number.isFinite(factor) ? `×${factor.toFixed(factor < 10 ? 2 : 1)}` : "–";

export { bytes as sizeText } from "../report/quantity.ts";

/** For instance `4.0 s to 9.5 s: took 5.5 s`, and when a lost attempt's node was last heard. */
export function ranText(run: Run, i: number): string {
  const { startedAt, endedAt } = run.attempts;
  const last = run.silentMs(i) > 0 ? `, last heard at ${span(run.heardTo(i))}` : "";
  return `${span(startedAt[i]!)} to ${span(endedAt[i]!)}: took ${span(run.tookMs(i))}${last}`;
}

/** What an attempt waited for its input, after its start. */
export const heldText = (ms = Number.NaN): string =>
  ms > 0 ? `, after ${span(ms)} of waiting for its input` : "";
