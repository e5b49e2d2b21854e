import {
  either,
  list,
  mapped,
  number,
  object,
  oneOf,
  optional,
  Place,
  required,
  type Shape,
  text,
} from "../base/shape.ts";
import { CLAIMS, GAINS, PAPERS, type PublishedFigure, TAGS } from "./published.ts";

/** A smaller difference, printed without an interval, is not judged. */
const JUDGED_GAIN_MIN = 0.05;

const figure = object<PublishedFigure>("a published figure", {
  paper: required(oneOf(PAPERS)),
  figure: required(text),
  setting: required(text),
  metric: required(text),
  tag: required(oneOf(TAGS)),
  gain: optional(oneOf(GAINS)),
  published: required(either((json) => typeof json === "number", number(), text)),
  claims: optional(oneOf(CLAIMS)),
  source: required(text),
  note: optional(text),
});

const figures: Shape<readonly PublishedFigure[]> = list(figure);

const ownStudies: Shape<readonly PublishedFigure[]> = list(
  mapped(
    object<Omit<PublishedFigure, "tag" | "gain" | "claims">>("a line of a study of our own", {
      paper: required(oneOf(PAPERS)),
      figure: required(text),
      setting: required(text),
      metric: required(text),
      published: required(text),
      source: required(text),
      note: optional(text),
    }),
    (line) => ({ ...line, tag: "ours" }),
  ),
);

/** Reads `reproduction/figures.json`; throws an InputError with the place of any mistake. */
export function parseFigures(json: unknown, file: string): readonly PublishedFigure[] {
  const place = new Place("bad-experiment", file);
  const read = figures.read(json, place);
  for (const [i, each] of read.entries()) check(each, place.index(i));
  return unique(read, place);
}

/**
 * Reads `reproduction/ours.json`: our own measurements around the papers' experiments, and what the
 * paper says where it leaves the question open. Never judged.
 */
export function parseOwnStudies(json: unknown, file: string): readonly PublishedFigure[] {
  const place = new Place("bad-experiment", file);
  return unique(ownStudies.read(json, place), place);
}

function unique(read: readonly PublishedFigure[], place: Place): readonly PublishedFigure[] {
  const seen = new Set<string>();
  for (const [i, each] of read.entries()) {
    const key = figureKey(each);
    if (seen.has(key)) place.index(i).refuse("a figure, setting and metric that are new", key);
    seen.add(key);
  }
  return read;
}

/** The key that joins published and measured figures. */
export const figureKey = (of: {
  readonly paper: string;
  readonly figure: string;
  readonly setting: string;
  readonly metric: string;
}): string => `${of.paper} ${of.figure} | ${of.setting} | ${of.metric}`;

function check({ tag, gain, claims, published }: PublishedFigure, place: Place): void {
  if ((tag === "ratio") !== (gain !== undefined)) {
    place.key("gain").refuse("a gain where the tag is ratio, and only there", gain);
  }
  if ((tag === "ordering") !== (claims !== undefined)) {
    place.key("claims").refuse("a claim where the tag is ordering, and only there", claims);
  }
  if (tag !== "ratio" || gain === undefined) return;
  if (typeof published === "string") {
    place.key("published").refuse("a number where the tag is ratio", published);
  } else if (gain === "value") {
    if (published === 0) place.key("published").refuse("a value other than 0", published);
  } else if (Math.abs(published - (gain === "speedup" ? 1 : 0)) < JUDGED_GAIN_MIN) {
    const why = "a difference of 5 % or more: a smaller one is shown, with tag shape";
    place.key("published").refuse(why, published);
  }
}
