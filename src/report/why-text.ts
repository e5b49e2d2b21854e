import type { Why } from "../model/why.ts";
import { bytes, number, seconds } from "./quantity.ts";

/** For instance `slowest-first: time left 8.2 s, rate 0.01, cap 4`. */
export function whyText(why: Why): string {
  const numbers = Object.entries(why.numbers).map(([name, value]) => numberText(name, value));
  return numbers.length === 0 ? why.rule : `${why.rule}: ${numbers.join(", ")}`;
}

/** A number with its name in words and the unit at the end of that name. */
function numberText(name: string, value: number | string): string {
  if (typeof value === "string") return `${words(name)} ${value}`;
  if (name.endsWith("PerMs")) return `${words(name.slice(0, -5))} ${number(value * 1000)}/s`;
  if (name.endsWith("Ms")) return `${words(name.slice(0, -2))} ${seconds(value)}`;
  if (name.endsWith("Bytes")) return `${words(name.slice(0, -5))} ${bytes(value)}`;
  return `${words(name)} ${number(value)}`;
}

const words = (name: string): string => name.replace(/([a-z0-9])([A-Z])/g, "$1 $2").toLowerCase();
