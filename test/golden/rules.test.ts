import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { REGISTRY } from "../../src/policy/registry.ts";

const source = new URL("../../src/", import.meta.url);

/** TypeScript under a folder of the source, tests, the journal and the invariants left out. */
function textOf(folder: string): string {
  return readdirSync(new URL(folder, source), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && !/\.test\.|^journal|^invariants/.test(name))
    .map((name) => readFileSync(new URL(`${folder}/${name}`, source), "utf8"))
    .join("\n");
}

const found = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map((match) => match[1] ?? "");

const KEBAB = /"([a-z0-9]+(?:-[a-z0-9]+)+)"/g;
const NAMED = /\b(?:rule\(|pass\(|refuse\(ctx, |rule: )"([a-z0-9-]+)"/g;

/** Words of the core that look like rules and are none. */
const OTHERS = ["took-near", "took-far", "too-far", "ask-again"];

/** Every string in core and policies that is no word of the model, no policy and no error. */
function rulesInSource(): readonly string[] {
  const text = `${textOf("core")}\n${textOf("policy")}`;
  const { disciplines, ...seats } = REGISTRY;
  const policies = Object.values(seats).flatMap((rows) => rows.map(({ policy }) => policy.name));
  const errors = readFileSync(new URL("base/input-error.ts", source), "utf8");
  const known = new Set([
    ...found(`${textOf("model")}\n${errors}`, KEBAB),
    ...policies,
    ...disciplines.map(({ name }) => name),
    ...OTHERS,
  ]);
  const others = found(text, KEBAB).filter((word) => !known.has(word));
  return [...new Set([...others, ...found(text, NAMED)])].sort();
}

test("every rule that can be a reason is shown at work in a golden script", () => {
  const folder = new URL("./", import.meta.url);
  const scripts = readdirSync(folder).filter((name) => name.endsWith(".txt"));
  const text = scripts.map((name) => readFileSync(new URL(name, folder), "utf8")).join("\n");
  const shown = new Set(found(text, / {2}why ([a-z0-9-]+)/g));
  const rules = rulesInSource();
  expect(rules).toContain("silent-too-long");
  expect(rules).toContain("not-slow");
  expect(rules.filter((rule) => !shown.has(rule))).toEqual([]);
});
