import { describe, expect, test } from "vitest";
import { isObject } from "../../src/base/shape.ts";
import { figureKey } from "../../src/reproduce/parse-figures.ts";
import type { PublishedFigure } from "../../src/reproduce/published.ts";
import { isJudged } from "../../src/reproduce/verdict.ts";
import {
  ASKED_FOR,
  CALIBRATION,
  EXPERIMENTS,
  FIGURES,
  hasRows,
  json,
  OURS,
  read,
} from "./support/reproduction-data.ts";

const ALL = [...FIGURES, ...OURS];

interface Key extends Pick<PublishedFigure, "figure" | "setting" | "metric"> {
  readonly statistic?: string;
}

/** The keys that experiments measure, from their data. */
const MEASURED = EXPERIMENTS.flatMap(({ content, experiment: { paper } }) =>
  rowsOf(content).map((row) => figureKey({ paper, ...row })),
);

function rowsOf(content: unknown): readonly Key[] {
  if (!isObject(content) || !hasRows(content)) return [];
  const rows: unknown = Reflect.get(content, "rows");
  return Array.isArray(rows) ? rows.map((row: Key) => row) : [];
}

const nameOf = ({ paper, figure }: Pick<PublishedFigure, "paper" | "figure">): string =>
  `${paper} ${figure}`;

/** Figures whose measured lines are chosen by an experiment's code. */
const BY_CODE = new Set(
  EXPERIMENTS.filter(({ content }) => !hasRows(content)).flatMap(
    ({ experiment: { paper, figures } }) => figures.map((figure) => nameOf({ paper, figure })),
  ),
);

describe("the reproduction's data", () => {
  test.each(["figures", "ours", "calibration"])("%s.json has one line for each entry", (name) => {
    const content = json(`reproduction/${name}.json`);
    const entries = typeof content === "object" && content !== null ? Object.keys(content) : [];
    expect(entries.length).toBeGreaterThan(0);
    const lines = read(`reproduction/${name}.json`).trimEnd().split("\n");
    expect(lines).toHaveLength(entries.length + 2);
  });

  test("a study of our own is no figure of a paper", () => {
    const published = new Set(FIGURES.map(nameOf));
    expect(OURS.map(nameOf).filter((name) => published.has(name))).toEqual([]);
  });

  test("a printed number that is neither judged nor fitted has a reason", () => {
    const silent = FIGURES.filter(
      ({ tag, published, note }) =>
        (tag === "shape" || tag === "not printed") &&
        typeof published === "number" &&
        note === undefined,
    );
    expect(silent.map(figureKey)).toEqual([]);
  });

  test("an experiment is named after its paper", () => {
    for (const { experiment } of EXPERIMENTS) {
      expect(experiment.name).toMatch(new RegExp(`^${experiment.paper}-`));
    }
  });

  test("units have distinct keys and positive costs", () => {
    for (const { experiment } of EXPERIMENTS) {
      const units = experiment.units({ runs: 2, scale: "sample" });
      expect(new Set(units.map(({ key }) => key)).size, experiment.name).toBe(units.length);
      expect(units.length, experiment.name).toBeGreaterThan(0);
      for (const { cost } of units) expect(cost).toBeGreaterThan(0);
    }
  });

  test("every figure has an experiment, and every experiment a figure", () => {
    const measured = new Set(
      EXPERIMENTS.flatMap(({ experiment: { paper, figures } }) =>
        figures.map((figure) => nameOf({ paper, figure })),
      ),
    );
    expect([...measured].sort()).toEqual([...new Set(ALL.map(nameOf))].sort());
  });

  test("an experiment measures lines of the lists, and each of them once", () => {
    const known = new Set(ALL.map(figureKey));
    expect(MEASURED.filter((key) => !known.has(key))).toEqual([]);
    expect(new Set(MEASURED).size).toBe(MEASURED.length);
  });

  test("every line is measured, where its figure is not measured by code alone", () => {
    const measured = new Set(MEASURED);
    const missing = ALL.filter(
      (line) => !measured.has(figureKey(line)) && !BY_CODE.has(nameOf(line)),
    );
    expect(missing.map(figureKey)).toEqual([]);
  });

  test("a line without an interval is not judged", () => {
    const judged = new Set(FIGURES.filter(({ tag }) => isJudged(tag)).map(figureKey));
    const bare = EXPERIMENTS.flatMap(({ content, experiment: { paper } }) =>
      rowsOf(content)
        .filter(({ statistic }) => ["min", "max"].includes(statistic ?? ""))
        .map((row) => figureKey({ paper, ...row })),
    );
    expect(bare.filter((key) => judged.has(key))).toEqual([]);
  });

  test("every constant is used by an experiment, or is the source of one that is", () => {
    const sources = Object.values(CALIBRATION.constants).map(({ source }) => source);
    const unused = Object.keys(CALIBRATION.constants).filter(
      (name) => !ASKED_FOR.has(name) && !sources.some((source) => source.includes(name)),
    );
    expect(unused).toEqual([]);
  });
});
