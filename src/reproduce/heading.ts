import {
  type Infer,
  isObject,
  list,
  oneOf,
  optional,
  type Place,
  record,
  required,
  text,
} from "../base/shape.ts";
import { PAPERS, type Paper } from "./published.ts";

/** Of an experiment file's shape: `record("...", { ...HEADING, mine: ... })`. */
export const HEADING = {
  /** Who reads the rest of the file. */
  kind: required(text),
  title: required(text),
  /** What the experiment shows, how, and where its set-up comes from: one of the report's notes. */
  about: optional(text),
  paper: required<Paper>(oneOf(PAPERS)),
  /** As `reproduction/figures.json` names them. */
  figures: required(list(text, { min: 1 })),
};

/** What every experiment's data file begins with. */
export type Heading = Infer<typeof heading>;
const heading = record("an experiment", HEADING);

/** The kind alone, before anybody can read the rest. */
export function kindOf(json: unknown, place: Place, kinds: readonly string[]): string {
  if (!isObject(json)) return place.refuse("an experiment", json);
  return oneOf(kinds).read(Reflect.get(json, "kind"), place.key("kind"));
}
