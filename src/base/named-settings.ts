import type { Place, Shape } from "./shape.ts";

/**
 * Reads settings by name from one line of text: `research:weight=2,minMaps=10;adhoc:mode=fifo`.
 * Numbers become numbers, true and false flags, all else text; an empty text has no names.
 */
export function readNamedSettings<T>(
  text: string,
  settings: Shape<T>,
  place: Place,
): ReadonlyMap<string, T> {
  const found = new Map<string, T>();
  for (const part of text.split(";")) {
    if (part.trim() === "") continue;
    const [name = "", ...rest] = part.split(":").map((word) => word.trim());
    if (name === "") place.fail(`expected NAME:KEY=VALUE,..., found ${part.trim()}`);
    if (found.has(name)) place.key(name).fail("said twice");
    found.set(name, settings.read(entriesOf(rest.join(":"), place.key(name)), place.key(name)));
  }
  return found;
}

function entriesOf(text: string, place: Place): Readonly<Record<string, unknown>> {
  const entries = new Map<string, unknown>();
  for (const part of text.split(",")) {
    if (part.trim() === "") continue;
    const [key = "", value = "", ...rest] = part.split("=").map((word) => word.trim());
    if (key === "" || value === "" || rest.length > 0) {
      place.fail(`expected KEY=VALUE, found ${part.trim()}`);
    }
    if (entries.has(key)) place.key(key).fail("said twice");
    entries.set(key, wordValue(value));
  }
  return Object.fromEntries(entries);
}

function wordValue(word: string): unknown {
  if (word === "true" || word === "false") return word === "true";
  const value = Number(word);
  return Number.isNaN(value) ? word : value;
}
