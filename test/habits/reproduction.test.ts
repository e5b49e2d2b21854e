import { existsSync, readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { isObject } from "../../src/base/shape.ts";
import { parseCalibration } from "../../src/reproduce/calibration.ts";
import { makeExperiment } from "../../src/reproduce/kinds.ts";
import { figureKey, parseFigures } from "../../src/reproduce/parse-figures.ts";
import { PAPERS, type PublishedFigure, VERDICTS } from "../../src/reproduce/published.ts";
import { isSetUp, SECTIONS } from "./support/published-sections.ts";

const ROOT = new URL("../../", import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, ROOT), "utf8");
const json = (path: string): unknown => JSON.parse(read(path));

const FIGURES = parseFigures(json("reproduction/figures.json"), "figures.json");
const CALIBRATION = parseCalibration(json("reproduction/calibration.json"), "calibration.json");
const EXPERIMENTS = readdirSync(new URL("reproduction/experiments", ROOT))
  .filter((name) => name.endsWith(".json"))
  .map((name) => {
    const file = `reproduction/experiments/${name}`;
    const content = json(file);
    const made = { name: name.slice(0, -5), file, json: content, calibration: CALIBRATION };
    return { file, content, experiment: makeExperiment(made) };
  });

describe("the reproduction's data", () => {
  test.each(["figures", "calibration"])("%s.json has one line for each entry", (name) => {
    const lines = read(`reproduction/${name}.json`).trimEnd().split("\n");
    const content = json(`reproduction/${name}.json`);
    const entries = isObject(content) ? Object.keys(content).length : FIGURES.length;
    expect(lines).toHaveLength(entries + 2);
  });

  test("an experiment is named after its paper", () => {
    for (const { experiment } of EXPERIMENTS) {
      expect(experiment.name).toMatch(new RegExp(`^${experiment.paper}-`));
    }
  });

  test("units are told apart by their keys, and cost something", () => {
    for (const { experiment } of EXPERIMENTS) {
      const units = experiment.units({ runs: 2, scale: "sample" });
      expect(new Set(units.map(({ key }) => key)).size, experiment.name).toBe(units.length);
      expect(units.length, experiment.name).toBeGreaterThan(0);
      for (const { cost } of units) expect(cost).toBeGreaterThan(0);
    }
  });

  test("every published figure has an experiment, and every experiment a published figure", () => {
    const measured = new Set(
      EXPERIMENTS.flatMap(({ experiment: { paper, figures } }) =>
        figures.map((figure) => `${paper} ${figure}`),
      ),
    );
    const published = new Set(FIGURES.map(({ paper, figure }) => `${paper} ${figure}`));
    expect([...measured].sort()).toEqual([...published].sort());
  });

  test("an experiment of scenarios measures lines of the list, and each of them once", () => {
    const known = new Set(FIGURES.map(figureKey));
    const keys = EXPERIMENTS.flatMap(({ content, experiment }) =>
      rowsOf(content).map((row) => figureKey({ paper: experiment.paper, ...row })),
    );
    expect(keys.filter((key) => !known.has(key))).toEqual([]);
    expect(new Set(keys).size).toBe(keys.length);
  });

  test("every line is measured, where experiments of scenarios alone measure its figure", () => {
    const measured = new Set(
      EXPERIMENTS.flatMap(({ content, experiment }) =>
        rowsOf(content).map((row) => figureKey({ paper: experiment.paper, ...row })),
      ),
    );
    const byCode = new Set(
      EXPERIMENTS.filter(({ content }) => !isOfScenarios(content)).flatMap(
        ({ experiment: { paper, figures } }) => figures.map((figure) => `${paper} ${figure}`),
      ),
    );
    const missing = FIGURES.filter(
      (line) => !measured.has(figureKey(line)) && !byCode.has(`${line.paper} ${line.figure}`),
    );
    expect(missing.map(figureKey)).toEqual([]);
  });

  test("every constant is used, and all that are named are there", () => {
    const used = EXPERIMENTS.map(({ file }) => read(file)).join("\n");
    const known = read("reproduction/calibration.json");
    const sources = EXPERIMENTS.map(({ experiment }) => experiment.name).join("\n");
    const unused = Object.keys(CALIBRATION.constants).filter((name) => {
      const quoted = JSON.stringify(name);
      const inOthers = known.split(`{"constant": ${quoted}}`).length > 1;
      return !used.includes(quoted) && !inOthers && !sources.includes(name) && !isRead(name);
    });
    expect(unused).toEqual([]);
  });
});

/** Some constants are there to say how others came about, and some are looked up by code. */
function isRead(name: string): boolean {
  const others = Object.values(CALIBRATION.constants).map(({ source }) => source);
  if (others.some((source) => source.includes(name))) return true;
  const group = name.slice(0, name.lastIndexOf(".") + 1);
  return CODE.includes(name) || CODE.includes(group);
}

const CODE = readdirSync(new URL("src/reproduce", ROOT), { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".ts"))
  .map((name) => read(`src/reproduce/${name}`))
  .join("\n");

const isOfScenarios = (content: unknown): boolean =>
  isObject(content) && Reflect.get(content, "kind") === "scenarios";

function rowsOf(
  content: unknown,
): readonly Pick<PublishedFigure, "figure" | "setting" | "metric">[] {
  if (!isObject(content) || !isOfScenarios(content)) return [];
  const rows: unknown = Reflect.get(content, "rows");
  if (!Array.isArray(rows)) return [];
  return rows.map((row: { figure: string; setting: string; metric: string }) => row);
}

/** The papers' figures as they were collected; they are not part of the repository. */
const COLLECTED = new URL("../shared/papers/published.json", ROOT);

describe.skipIf(!existsSync(COLLECTED))("what the papers print", () => {
  const collected: unknown = existsSync(COLLECTED)
    ? JSON.parse(readFileSync(COLLECTED, "utf8"))
    : {};

  test("every section is known", () => {
    const paths = leaves(collected).map(({ path }) => path);
    const sections = new Set(paths.map((path) => path.slice(0, 2).join(".")));
    const known = new Set([...SECTIONS.keys(), "about"]);
    expect([...sections].filter((section) => !known.has(section))).toEqual([]);
  });

  test("every number is a line of figures.json, or belongs to a set-up", () => {
    const missing = leaves(collected).flatMap(({ path, value }) => {
      const name = path.join(".");
      if (typeof value !== "number" || isSetUp(name)) return [];
      const figures = SECTIONS.get(path.slice(0, 2).join(".")) ?? [];
      const found = FIGURES.some(
        ({ paper, figure, published }) =>
          paper === path[0] && figures.includes(figure) && published === value,
      );
      return found ? [] : [`${name} ${value}`];
    });
    expect(missing).toEqual([]);
  });
});

interface Leaf {
  readonly path: readonly string[];
  readonly value: unknown;
}

function leaves(content: unknown, path: readonly string[] = []): readonly Leaf[] {
  if (typeof content !== "object" || content === null) return [{ path, value: content }];
  return Object.entries(content).flatMap(([key, value]) => leaves(value, [...path, key]));
}

const PAGES = readdirSync(new URL("docs/papers", ROOT))
  .filter((name) => name.endsWith(".md"))
  .map((name) => read(`docs/papers/${name}`));

/** What stands between the paper's markers, in all pages. */
function blocksOf(paper: string): readonly string[] {
  const block = new RegExp(`<!-- reproduction:${paper} -->\n([^]*?)<!-- /reproduction -->`, "g");
  return PAGES.flatMap((text) => [...text.matchAll(block)].map(([, content = ""]) => content));
}

/** Each table has a line above it that tells of how many runs it is. */
const isFilled = (block: string): boolean => /^(1 run|Up to \d+ paired runs) /.test(block.trim());

describe("the tables in docs/papers", () => {
  test("each paper has one, and no other text is marked", () => {
    expect(PAPERS.map((paper) => [paper, blocksOf(paper).length])).toEqual(
      PAPERS.map((paper) => [paper, 1]),
    );
    const marks = PAGES.join("\n").match(/<!--\s*\/?\s*reproduc[^>]*-->/gi) ?? [];
    expect(marks).toHaveLength(2 * PAPERS.length);
  });

  test.for(PAPERS)("%s: the table is the list's, line for line", (paper, { skip }) => {
    // They are filled together: all of them, or in the middle of a change none.
    const filled = PAPERS.flatMap(blocksOf).some(isFilled);
    skip(!filled, "no table is filled: npx broomwagon reproduce all --docs docs/papers");
    const rows = blocksOf(paper).flatMap(tableIn);
    const lines = FIGURES.filter((line) => line.paper === paper);
    expect(rows.map(([figure, setting, metric]) => `${figure} | ${setting} | ${metric}`)).toEqual(
      lines.map(({ figure, setting, metric }) => `${figure} | ${setting} | ${metric}`),
    );
    for (const [index, row] of rows.entries()) {
      expect(row[3]).toBe(String(lines[index]?.published));
      expect(VERDICTS).toContain(row[7]);
      expect(row[4], `${paper} ${row[0]}, ${row[1]}: measured`).not.toBe("-");
    }
  });
});

/** The cells of each row of a generated table. */
function tableIn(block: string): readonly (readonly string[])[] {
  const lines = block.split("\n").filter((line) => line.startsWith("| "));
  return lines.slice(2).map((line) =>
    line
      .slice(2, -2)
      .split(/ \| (?!.*\\\|$)/)
      .map((cell) => cell.replaceAll("\\|", "|").trim()),
  );
}
