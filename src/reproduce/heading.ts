import {
  type Field,
  isObject,
  list,
  oneOf,
  optional,
  type Place,
  required,
  text,
} from "../base/shape.ts";
import { PAPERS, type Paper } from "./published.ts";

/** What every experiment's data file begins with. */
export interface Heading {
  /** Who reads the rest of it. */
  readonly kind: string;
  readonly title: string;
  /** What it shows, how, and where its set-up comes from: one of the report's notes. */
  readonly about?: string;
  readonly paper: Paper;
  /** As `reproduction/figures.json` names them. */
  readonly figures: readonly string[];
}

/** Of an experiment file's shape: `object<MyFile>("...", { ...HEADING, mine: ... })`. */
export const HEADING: { readonly [K in keyof Heading]-?: Field<Required<Heading>[K]> } = {
  kind: required(text),
  title: required(text),
  about: optional(text),
  paper: required(oneOf(PAPERS)),
  figures: required(list(text, { min: 1 })),
};

/** The kind alone, before anybody can read the rest. */
export function kindOf(json: unknown, place: Place, kinds: readonly string[]): string {
  if (!isObject(json)) return place.refuse("an experiment", json);
  return oneOf(kinds).read(Reflect.get(json, "kind"), place.key("kind"));
}
