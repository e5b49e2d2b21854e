import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { isRestated, isSetUp, SECTIONS } from "./support/published-sections.ts";
import { FIGURES, ROOT } from "./support/reproduction-data.ts";

/** The papers' figures as collected; the repository does not contain them. */
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

  test("every number has a line of its own in figures.json, or belongs to a set-up", () => {
    const free = new Set(FIGURES);
    const missing = leaves(collected).flatMap(({ path, value }) => {
      const name = path.join(".");
      if (typeof value !== "number" || isSetUp(name) || isRestated(name)) return [];
      const figures = SECTIONS.get(path.slice(0, 2).join(".")) ?? [];
      const line = [...free].find(
        ({ paper, figure, published }) =>
          paper === path[0] && figures.includes(figure) && published === value,
      );
      // Two numbers that are equal by chance need two lines.
      if (line !== undefined) free.delete(line);
      return line === undefined ? [`${name} ${value}`] : [];
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
