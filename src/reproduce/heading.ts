import { isObject, list, oneOf, optional, type Place, required, text } from "../base/shape.ts";
import { PAPERS, type Paper } from "./published.ts";

/** The common fields of an experiment file's shape: `record("...", { ...HEADING, mine: ... })`. */
export const HEADING = {
  /** The experiment kind that reads the rest of the file. */
  kind: required(text),
  title: required(text),
  /** What the experiment shows, how, and the source of its set-up: one of the report's notes. */
  about: optional(text),
  paper: required<Paper>(oneOf(PAPERS)),
  /** As `reproduction/figures.json` names them. */
  figures: required(list(text, { min: 1 })),
};

/** The kind alone, which decides how the rest is read. */
export function kindOf(json: unknown, place: Place, kinds: readonly string[]): string {
  if (!isObject(json)) return place.refuse("an experiment", json);
  return oneOf(kinds).read(Reflect.get(json, "kind"), place.key("kind"));
}
