import { bytes, words } from "../report/quantity.ts";
import { span } from "./format.ts";

/** The numbers of a why, by their names in words, with units. `raw`: as in the journal. */
export function numberRows(numbers: Readonly<Record<string, number | string>>) {
  return Object.entries(numbers).map(([name, value]) => ({
    ...shown(name, value),
    raw: `${name}=${value}`,
  }));
}

/** The unit stands at the end of a number's name. */
function shown(name: string, value: number | string): { name: string; text: string } {
  if (typeof value === "string") return { name: words(name), text: value };
  if (name.endsWith("PerMs")) {
    return { name: words(name.slice(0, -5)), text: `${digits(1_000 * value)} /s` };
  }
  if (name.endsWith("Ms")) return { name: words(name.slice(0, -2)), text: span(value) };
  if (name.endsWith("Bytes")) return { name: words(name.slice(0, -5)), text: bytes(value) };
  return { name: words(name), text: `${digits(value)}${OF_TASKS.has(name) ? " tasks" : ""}` };
}

/** Numbers of tasks whose names do not say so: the work of a node. */
const OF_TASKS: ReadonlySet<string> = new Set(["nodeProgress", "slowNode"]);

const digits = (value: number): string =>
  Number.isInteger(value) || !Number.isFinite(value)
    ? String(value).replace("Infinity", "∞")
    : String(Number(value.toPrecision(3)));
