import type { JsonObject } from "./json.ts";

/** Characters that need no escape between quotes. */
const PLAIN = /^[ !#-[\]-~]*$/;

/** A string as JSON. */
export const quoted = (text: string): string =>
  PLAIN.test(text) ? `"${text}"` : JSON.stringify(text);

/** The texts of values as a list of JSON. */
export const listed = (texts: readonly string[]): string => `[${texts.join(",")}]`;

/** An object's fields as text of JSON, a comma before each. */
export function fieldsText(object: JsonObject): string {
  const text = JSON.stringify(object).slice(1, -1);
  return text === "" ? "" : `,${text}`;
}
