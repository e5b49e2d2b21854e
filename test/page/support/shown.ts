import { expect } from "vitest";

/** The value of a figure with its unit, in ms, and the precision of its digits. */
function readTime(text: string): { readonly ms: number; readonly openMs: number } {
  const [, digits = "", unit = ""] = /^(-?[\d.\u2009]+) (ms|s)$/.exec(text.trim()) ?? [];
  const per = unit === "ms" ? 1 : 1_000;
  const places = digits.split(".")[1]?.length ?? 0;
  return {
    ms: per * Number(digits.replaceAll("\u2009", "")),
    openMs: (per / 10 ** places) * 0.501,
  };
}

/** Checks that the text gives this time, as exactly as its digits can, with enough digits. */
export function expectTime(text: string, ms: number, of = ""): void {
  const { ms: said, openMs } = readTime(text);
  expect(Math.abs(said - ms), `${of}: ${text} says ${ms} ms`).toBeLessThanOrEqual(openMs);
  expect(openMs, `${of}: digits of ${text}`).toBeLessThanOrEqual(Math.max(6, 0.006 * Math.abs(ms)));
}

/** Checks that the text gives this number of a journal, in the unit at the end of its name. */
export function expectNumber(text: string, name: string, value: number | string): void {
  const of = `${name}=${value}`;
  if (typeof value === "string") expect(text, of).toBe(value);
  else if (name.endsWith("PerMs")) {
    const [, digits = ""] = /^(\S+) \/s$/.exec(text) ?? [];
    expectNear(Number(digits), 1_000 * value, of);
  } else if (name.endsWith("Ms")) expectTime(text, value, of);
  else {
    const [, digits = ""] = /^(\S+)( tasks)?$/.exec(text) ?? [];
    expectNear(Number(digits), value, of);
  }
}

/** To three digits. */
function expectNear(said: number, value: number, of: string): void {
  expect(Math.abs(said - value), `${of}: ${said}`).toBeLessThanOrEqual(0.005 * Math.abs(value));
}

/** A number's name in words, without its unit. */
export const inWords = (name: string): string =>
  name.replace(/(Per)?Ms$/, "").replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
