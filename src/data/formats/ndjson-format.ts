import { textOf } from "./byte-text.ts";
import type { Format } from "./format.ts";
import { EACH_LINE } from "./framing.ts";
import { lineFormat } from "./line-format.ts";
import { Malformed } from "./malformed.ts";

export const ndjsonFormat = (): Format =>
  lineFormat({ textOf, framing: () => ({ ...EACH_LINE, record: parseLine }) });

function parseLine(text: string, start: number, next: number): unknown {
  const line = text.slice(start, next);
  if (line.trim() === "") return undefined;
  try {
    return JSON.parse(line);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    // V8's message shows a part of the line; this error shows it in full.
    const what = reason.replace(/(?: '.*')?, (\.\.\.)?".*" is not valid JSON$/s, "");
    throw new Malformed(`expected a line of JSON: ${what}`);
  }
}
