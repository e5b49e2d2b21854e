import { existsSync, readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parseDiscipline } from "../../src/policy/discipline.ts";
import { REGISTRY } from "../../src/policy/registry.ts";
import { SEATS } from "../../src/policy/seat.ts";

const source = new URL("../../src/", import.meta.url);
const golden = new URL("./", import.meta.url);

/** A file's text, with the text of the folder that has its name, without tests. */
function textOf(path: string): string {
  const file = new URL(`${path}.ts`, source);
  const folder = new URL(`${path}/`, source);
  const inFolder = existsSync(folder)
    ? readdirSync(folder, { recursive: true, encoding: "utf8" })
        .filter((name) => name.endsWith(".ts") && !name.includes(".test."))
        .filter((name) => !/^journal|^invariants/.test(name))
        .map((name) => readFileSync(new URL(name, folder), "utf8"))
    : [];
  return [...(existsSync(file) ? [readFileSync(file, "utf8")] : []), ...inFolder].join("\n");
}

const found = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map((match) => match[1] ?? "");

const KEBAB = /"([a-z0-9]+(?:-[a-z0-9]+)+)"/g;
const NAMED = /\b(?:rule\(|pass\(|refuse\(ctx, |rule: )"([a-z0-9-]+)"/g;

const NAME = /^ {2}name: "([^"]+)"/gm;

/** Words that look like rules but are not. */
const OTHERS = ["took-near", "took-far", "too-far", "ask-again", "read-output-made"];

const { disciplines, ...seats } = REGISTRY;

const KNOWN = new Set([
  ...found(`${textOf("model")}\n${textOf("base/input-error")}`, KEBAB),
  ...Object.values(seats).flatMap((rows) => rows.map(({ policy }) => policy.name)),
  ...disciplines.map(({ name }) => name),
  ...OTHERS,
]);

/** Every string that is not a word of the model, a policy or an error. */
function rulesIn(path: string): readonly string[] {
  const text = textOf(path);
  const others = found(text, KEBAB).filter((word) => !KNOWN.has(word));
  return [...new Set([...others, ...found(text, NAMED)])].sort();
}

/** The files of policies, without their ending; with the policies of the registry in each. */
const POLICIES: ReadonlyMap<string, readonly string[]> = policyFiles();

function policyFiles(): ReadonlyMap<string, readonly string[]> {
  const imports = found(textOf("policy/registry"), /from "\.\/([a-z-]+\/.+)\.ts"/g);
  return new Map(
    imports.map((path) => {
      const names = found(readFileSync(new URL(`policy/${path}.ts`, source), "utf8"), NAME);
      return [path, names.map((name) => `${seatOf(path)} ${name}`)];
    }),
  );
}

/** The folder of estimators is named after their work. */
function seatOf(path: string): string {
  const [folder = ""] = path.split("/");
  return folder === "estimate" ? "estimator" : folder;
}

interface Script {
  /** "speculation late", and so on. */
  readonly policies: ReadonlySet<string>;
  readonly rules: ReadonlySet<string>;
}

const SCRIPTS: readonly Script[] = readdirSync(golden)
  .filter((name) => name.endsWith(".txt"))
  .map((name) => scriptIn(readFileSync(new URL(name, golden), "utf8")));

function scriptIn(text: string): Script {
  const [written = "none,sharing=fifo-plain"] = found(text, /^discipline (\S+)/gm);
  const discipline = parseDiscipline(written);
  const policies = SEATS.flatMap((seat) =>
    [discipline[seat]].flat().map(({ policy }) => `${seat} ${policy.name}`),
  );
  const rules = new Set(found(text, / {2}why ([a-z0-9-]+)/g));
  return { policies: new Set(policies), rules };
}

const shownBy = (scripts: readonly Script[]): ReadonlySet<string> =>
  new Set(scripts.flatMap(({ rules }) => [...rules]));

/** The cure for each rule that no script shows. */
const cures = (rules: readonly string[], scripts: readonly Script[], of: string) =>
  rules
    .filter((rule) => !shownBy(scripts).has(rule))
    .map(
      (rule) =>
        `no golden script ${of} shows \`why ${rule}\`: write test/golden/NAME.txt, in which it ` +
        "decides (CONTRIBUTING.md, Golden scripts), and fill it in with GOLDEN_REWRITE=1",
    );

test("a rule without a golden script is named with its cure", () => {
  expect(cures(["not-slow", "oldest"], SCRIPTS, "of speculation oldest")).toEqual([
    "no golden script of speculation oldest shows `why oldest`: write test/golden/NAME.txt, in " +
      "which it decides (CONTRIBUTING.md, Golden scripts), and fill it in with GOLDEN_REWRITE=1",
  ]);
});

test("every rule of the core is shown at work in a golden script", () => {
  const rules = rulesIn("core");
  expect(rules).toContain("silent-too-long");
  expect(cures(rules, SCRIPTS, "of any policy")).toEqual([]);
});

test("every rule that policies share is shown at work in a golden script", () => {
  const rules = rulesIn("policy/shared/first-copy");
  expect(rules).toContain("has-run-here");
  expect(cures(rules, SCRIPTS, "of any policy")).toEqual([]);
});

describe("every rule of a policy is shown in a golden script of that policy", () => {
  test("the policies of the registry are those in its files", () => {
    const named = SEATS.flatMap((seat) =>
      REGISTRY[seat].map(({ policy }) => `${seat} ${policy.name}`),
    );
    expect([...POLICIES.values()].flat().sort()).toEqual(named.sort());
    expect(rulesIn("policy/speculation/late")).toContain("not-slow");
  });

  test.each([...POLICIES])("%s", (path, policies) => {
    const own = SCRIPTS.filter((script) => policies.some((one) => script.policies.has(one)));
    expect(cures(rulesIn(`policy/${path}`), own, `of ${policies.join(" or ")}`)).toEqual([]);
  });
});
