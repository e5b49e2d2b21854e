import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { Why } from "../../src/model/why.ts";
import { reasonText, SENTENCES, whyText } from "../../src/report/why-text.ts";

const golden = new URL("./", import.meta.url);
const source = new URL("../../src/", import.meta.url);

/** Every why of the golden scripts, which show each rule of the core and of the policies. */
const SCRIPTED: readonly Why[] = readdirSync(golden)
  .filter((name) => name.endsWith(".txt"))
  .flatMap((name) => whysIn(readFileSync(new URL(name, golden), "utf8")));

function whysIn(text: string): readonly Why[] {
  return [...text.matchAll(/ {2}why ([a-z0-9-]+)((?: \S+=\S+)*)/g)].map(
    ([, rule = "", numbers = ""]) => ({
      rule,
      numbers: Object.fromEntries(
        [...numbers.matchAll(/(\S+?)=(\S+)/g)].map(([, name = "", value = ""]) => [
          name,
          Number.isNaN(Number(value)) ? value : Number(value),
        ]),
      ),
    }),
  );
}

/** The rules of the hosts, and of stories about them, by their source. */
const HOSTED: readonly Why[] = readdirSync(source, { recursive: true, encoding: "utf8" })
  .filter((name) => /^(hosts|report|run)\/.*\.ts$/.test(name) && !name.includes(".test."))
  .flatMap((name) => [
    ...readFileSync(new URL(name, source), "utf8").matchAll(/\brule(?:\(|: )"([a-z-]+)"/g),
  ])
  .map(([, rule = ""]) => ({ rule, numbers: {} }));

/** The policy of the golden scripts that obeys the script. */
const SCRIPT_ALONE = "as-scripted";

const ALL = [...SCRIPTED, ...HOSTED].filter(({ rule }) => rule !== SCRIPT_ALONE);
const RULES = [...new Set(ALL.map(({ rule }) => rule))].sort();

/** Words of the language that are rules too. */
const WORDS = new Set(["urgent", "preferred", "efficient", "off-rack"]);

describe("every rule has a sentence", () => {
  test("of the core, the policies and the hosts, and every sentence has a rule", () => {
    expect(RULES.filter((rule) => !SENTENCES.has(rule))).toEqual([]);
    expect([...SENTENCES.keys()].filter((rule) => !RULES.includes(rule))).toEqual([]);
  });

  test.each(RULES)("%s", (rule) => {
    const whys = ALL.filter((why) => why.rule === rule);
    const bare = { rule, numbers: {} };
    const endless = whys.map(({ numbers }) => ({
      rule,
      numbers: Object.fromEntries(
        Object.keys(numbers).map((name, index) => [name, index % 2 ? Number.NaN : 1 / 0]),
      ),
    }));
    for (const why of [...whys, bare, ...endless]) {
      const text = whyText(why);
      expect(text).toMatch(/^[a-zA-Z]/);
      expect(text).not.toMatch(/undefined|Infinity|NaN|[:;] *(;|$)|\.$/);
      for (const known of RULES) if (!WORDS.has(known)) expect(text).not.toContain(known);
      for (const name of Object.keys(why.numbers)) {
        if (/[A-Z]/.test(name)) expect(text).not.toContain(name);
      }
    }
    expect(whyText(bare)).toBe(reasonText(rule));
  });
});

test("numbers carry their units, or a word before them names the count", () => {
  const bare = / \d[\d.]*(?=$|[,;])/;
  const named = /(at least|is|at most|or|level|value|threshold|[a-z]\/)(?= ?\d[\d.]*($|[,; ]))/;
  for (const why of ALL) {
    const text = whyText(why);
    if (bare.test(text)) expect(text).toMatch(named);
  }
});

test("a rule of the user's own policy is written in words, without endless numbers", () => {
  const numbers = { timeLeftMs: 2_100, ratePerMs: 0.0003, waitMs: 1 / 0, node: "n1" };
  expect(whyText({ rule: "oldest-first", numbers })).toBe(
    "oldest first: time left 2.1 s, rate 0.3/s, node n1",
  );
});
