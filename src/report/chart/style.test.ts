import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { STYLE } from "./style.ts";

/** The custom properties of the first rule of a style sheet after the mark. */
function grounds(css: string, mark: string): ReadonlyMap<string, string> {
  const rule = /\{([^}]*)\}/.exec(css.slice(css.indexOf(mark) + mark.length - 1))?.[1] ?? "";
  const found = rule.matchAll(/--([a-z]+): ([^;]+);/g);
  return new Map(Array.from(found, ([, name = "", value = ""]) => [name, value]));
}

test.each([
  ["light", ":root {", ":root {"],
  ["dark", "  :root {", '[data-theme="dark"] {'],
])("%s: the grounds of reproduction pages are those of a job's page", (_, mark, ofPage) => {
  const page = grounds(readFileSync("src/page/style/ground.css", "utf8"), ofPage);
  const ours = grounds(STYLE, mark);
  for (const name of ["back", "card", "ink", "faint", "line", "good", "bad"]) {
    expect(ours.get(name), name).toBe(page.get(name));
    expect(ours.get(name), name).toMatch(/^#/);
  }
});
