import { styleText } from "node:util";

/** What a stream shows besides letters: nothing, only bold and dim text, or colours too. */
export type Ink = "none" | "weight" | "colour";

const WEIGHTS = ["bold", "dim"] as const;
type Weight = (typeof WEIGHTS)[number];
export type Style = Weight | "green" | "yellow" | "red";

/** The text in this style, as far as the stream shows styles. */
export function inked(ink: Ink, style: Style, text: string): string {
  const isWeight = WEIGHTS.some((weight) => weight === style);
  if (text === "" || ink === "none" || (ink === "weight" && !isWeight)) return text;
  // Node would check the process's own streams, and take away weight along with colour.
  return styleText(style, text, { validateStream: false });
}

/**
 * `NO_COLOR` takes away colours and nothing else, `FORCE_COLOR` has them everywhere, and
 * `TERM=dumb` shows letters alone.
 */
export function inkOf(isTerminal: boolean, env: NodeJS.ProcessEnv): Ink {
  const { FORCE_COLOR, NO_COLOR, TERM } = env;
  if (FORCE_COLOR !== undefined) {
    const isForced = FORCE_COLOR !== "0" && FORCE_COLOR !== "false";
    if (isForced) return "colour";
    return isTerminal && TERM !== "dumb" ? "weight" : "none";
  }
  if (!isTerminal || TERM === "dumb") return "none";
  return NO_COLOR === undefined || NO_COLOR === "" ? "colour" : "weight";
}
