import { describe, expect, test } from "vitest";
import { lacksChromium, look, open } from "./support/browser.ts";
import { inBrowser } from "./support/in-browser.ts";
import { LONG_NAMES } from "./support/long-names.ts";
import { DEMO, ENGINE, HADOOP, PLAIN, reported } from "./support/samples.ts";

const WIDTHS = Array.from({ length: 28 }, (_, n) => (n < 27 ? 390 + 40 * n : 1_440));

/** Everything folded is unfolded but the menus, which lie over the page. */
const UNFOLD = `for (const one of document.querySelectorAll("details:not([name], .save)"))
  one.open = true;`;

/** What the page shows, by the keys that lead there. */
const STATES: readonly (readonly [what: string, keys: readonly string[]])[] = [
  ["nothing selected", ["Escape"]],
  ["a late attempt", ["l"]],
  ["a decision", ["Escape", "."]],
  ["the help", ["Escape", "?"]],
];

/**
 * In each state, what is wider than its place: the page, or a card that does not scroll. A list
 * that scrolls in itself, such as a table of numbers on a phone, may be.
 */
const WIDER = `(async () => {
  const found = [];
  const root = document.documentElement;
  const wide = (one) => one.scrollWidth > one.clientWidth + 1;
  const isOut = (one) =>
    one.getBoundingClientRect().right > root.clientWidth + 1 &&
    !one.parentElement.closest(".scroll, .list");
  const isCut = (one) => one.matches("aside, .card:not(.scroll, .plane), dialog") && wide(one);
  for (const [what, keys] of ${JSON.stringify(STATES)}) {
    for (const key of keys) document.dispatchEvent(new KeyboardEvent("keydown", { key }));
    await new Promise((done) => setTimeout(done));
    const name = (one) => what + ": " + one.tagName + " " + one.className +
      ", " + one.textContent.slice(0, 40);
    const all = [...document.body.querySelectorAll("*")];
    if (wide(root)) {
      found.push("the page: " + root.scrollWidth);
      found.push(...all.filter((one) => isOut(one) && ![...one.children].some(isOut)).map(name));
    }
    found.push(...all.filter(isCut).map(name));
  }
  return found;
})()`;

describe.skipIf(lacksChromium)("no content is wider than its place, from 390 to 1,440 px", () => {
  const here = inBrowser("widths");
  const named = (name: string): string => {
    const history = LONG_NAMES[name]?.(here.path(`${name}.ndjson`)) ?? "";
    return reported(history, "--no-intervals");
  };

  test.each<readonly [string, () => string]>([
    ["long names in Spark's log", () => named("Spark")],
    ["long names in Hadoop's history", () => named("Hadoop")],
    ["many jobs with long names", () => named("many jobs")],
    ["a run beside another", () => reported(ENGINE, "--against", PLAIN)],
    ["a what-if", () => reported(HADOOP, "--whatif", "late,none", "--no-intervals")],
    ["a demo with refusals", () => reported(DEMO, "--refusals")],
  ])("%s", async (_, url) => {
    const { page } = await open(here.browser, url());
    await page.evaluate(UNFOLD);
    const found: string[] = [];
    for (const width of WIDTHS) {
      await look(page, { width, height: 900 });
      const wider: readonly string[] = await page.evaluate(WIDER);
      found.push(...wider.map((one) => `${width} px: ${one}`));
    }
    expect(found).toEqual([]);
  });
});
