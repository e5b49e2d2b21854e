/** Control characters, except line end and TAB, and characters that turn the direction of text. */
const UNPRINTABLE = /(?![\n\t])[\p{Cc}\u2028-\u202e\u2066-\u2069]/gu;

/**
 * Text that does nothing to a terminal but show letters: a control character is written as JSON
 * writes it, `\u001b`. JSON stays the same value.
 */
export const printable = (text: string): string => text.replace(UNPRINTABLE, escaped);

/** Printable text of one line, such as a name: line ends and TABs are escaped, too. */
export const oneLine = (text: string): string => printable(text).replace(/[\n\t]/g, escaped);

const escaped = (char: string): string => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;

/** Plain data whose texts are printable. */
export const withPrintableText = <T>(data: T): T => withTexts(data, printable);

/** Plain data with other texts. */
export const withTexts = <T>(data: T, change: (text: string) => string): T =>
  changed(data, change) as T;

function changed(value: unknown, change: (text: string) => string): unknown {
  const shown = (inner: unknown): unknown => changed(inner, change);
  if (typeof value === "string") return change(value);
  if (Array.isArray(value)) return value.map(shown);
  if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shown(inner)]));
}
