/** The longest reason that is kept. */
const REASON_MAX = 200;
/** More reasons than these are one: their texts differ by more than numbers. */
const REASONS_MAX = 1_000;

/**
 * The reasons of a log, by number. Messages that differ in numbers alone are one reason, with the
 * text of the first.
 */
export class Reasons {
  readonly #index = new Map<string, number>();
  readonly #texts: string[] = [];

  get texts(): readonly string[] {
    return this.#texts;
  }

  /** -1 if the message says nothing. */
  of(message: string): number {
    const text = shortReason(message);
    if (text === "") return -1;
    const key = text.replace(/\b[0-9a-f]{8,}\b|\d+/gi, "0");
    const known = this.#index.get(key);
    if (known !== undefined) return known;
    if (this.#texts.length >= REASONS_MAX) return REASONS_MAX - 1;
    this.#index.set(key, this.#texts.length);
    return this.#texts.push(text) - 1;
  }
}

/**
 * The first line that says something, at a length that fits into a sentence. A traceback of Python
 * names the exception in its last lines.
 */
export function shortReason(message: string): string {
  const [line = ""] = message.trim().split(/[\r\n]/, 1);
  const first = line.trim();
  const raised = raisedIn(message);
  if (raised === undefined) return cut(first);
  const whole = first.endsWith(TRACEBACK) ? first.slice(0, -TRACEBACK.length) + raised : raised;
  return whole.length > REASON_MAX ? cut(raised) : whole;
}

const cut = (text: string): string =>
  text.length > REASON_MAX ? `${text.slice(0, REASON_MAX - 1)}…` : text;

const TRACEBACK = "Traceback (most recent call last):";

/** The exception at the end of the last traceback: the first line after its indented ones. */
function raisedIn(message: string): string | undefined {
  const at = message.lastIndexOf(TRACEBACK);
  if (at < 0) return undefined;
  const [, ...lines] = message.slice(at).split(/\r?\n/);
  return lines.find((line) => /^\S/.test(line))?.trim();
}
