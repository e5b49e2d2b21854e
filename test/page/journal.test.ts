import { describe, expect, test } from "vitest";
import { lacksChromium, open } from "./support/browser.ts";
import { inBrowser } from "./support/in-browser.ts";
import { type Ran, type Read, readJournal } from "./support/journal.ts";
import { DEMO, ENGINE, reported } from "./support/samples.ts";
import { expectNumber, expectTime, inWords } from "./support/shown.ts";
import { AXIS, NAMES, tipsAt } from "./support/tips.ts";

/** Within this many pixels of a bar's end, the pointer may be on either side. */
const NEAR = 3;

describe.skipIf(lacksChromium)("the page agrees with the lines of the journal", () => {
  const here = inBrowser("journal");

  test.each([
    ["the engine's journal", ENGINE, 200],
    ["the demo's", DEMO, 50],
  ])("%s: the bar, its node, from, to and why, at random places", async (_, journal, count) => {
    const { page } = await open(here.browser, reported(journal, "--refusals"));
    const read = readJournal(journal);
    const size = await page.locator("canvas.rows").boundingBox();
    if (size === null) throw new Error("no timeline");
    const [width, height] = [size.width - NAMES, size.height - AXIS];
    const places = randomPlaces(count, width, height);
    const tips = await tipsAt(page, places);
    const perMs = width / (1.01 * read.endsAt);
    const nodes = [...new Set(read.offers.map(({ node }) => node))].sort();
    const rows = nodes.flatMap((node) => ["map", "reduce"].map((slot) => ({ node, slot })));
    let hits = 0;
    for (const [n, { x, y }] of places.entries()) {
      const tip = tips[n] ?? "";
      const row = rows[Math.floor((y / height) * rows.length)];
      const at = { from: (x - NEAR) / perMs, to: (x + NEAR) / perMs };
      const under = [...read.attempts].filter(
        ([, ran]) =>
          ran.node === row?.node &&
          ran.slot === row.slot &&
          ran.from < at.to &&
          barEnd(ran) > at.from,
      );
      const [[name, ran] = ["", undefined]] = under;
      const isWithin = ran !== undefined && ran.from <= at.from && barEnd(ran) >= at.to;
      const where = `${Math.round(x)}, ${Math.round(y)}`;
      if (under.length === 0) expect(tip, where).toBe("");
      else if (isWithin) expect(tip.split(" on ")[0], where).toBe(name);
      if (tip === "") continue;
      expect(under.map(([one]) => one)).toContain(expectTip(tip, read));
      hits += 1;
    }
    expect(hits).toBeGreaterThan(count * 0.3);
  });

  test.each([
    ["the engine's", ENGINE, 3],
    ["the demo's", DEMO, 5],
  ])("%s: each decision by its key, its rule and all its numbers", async (_, journal, count) => {
    const { page } = await open(here.browser, reported(journal, "--refusals"));
    const { decisions } = readJournal(journal);
    expect(decisions.length).toBe(count);
    for (const [n, { at, rule, numbers }] of decisions.entries()) {
      await page.keyboard.press(".");
      const shown = page.locator(`.inspector [data-decision="${n}"]`);
      expect(await shown.locator("code").textContent()).toBe(rule);
      const [, when = ""] =
        /^(\S+ m?s) /.exec((await shown.locator("b").textContent()) ?? "") ?? [];
      expectTime(when, at);
      const names = await shown.locator("dt").allTextContents();
      expect(names).toEqual(Object.keys(numbers).map(inWords));
      const texts = await shown.locator("dd").allTextContents();
      for (const [place, [name, value]] of Object.entries(numbers).entries()) {
        expectNumber(texts[place] ?? "", name, value);
      }
      const raw = shown.locator("dd").evaluateAll((all) => all.map((one) => one.dataset.number));
      expect(await raw).toEqual(Object.entries(numbers).map(([name, value]) => `${name}=${value}`));
    }
  });
});

/** A lost attempt's bar ends with the last word of its node. */
const barEnd = ({ heardTo, to }: Ran): number => heardTo ?? to;

/** Places on the plane of bars, the same in each run. */
function randomPlaces(length: number, width: number, height: number) {
  let state = 1;
  const random = (): number => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
  return Array.from({ length }, () => ({ x: random() * width, y: random() * height }));
}

/** Checks that the journal has everything in an attempt's tip; returns the attempt's name. */
function expectTip(tip: string, { attempts }: Read): string {
  const [first = "", times = "", at = "", why = ""] = tip.split("\n");
  const [, name = "", ...said] = /^(\S+) on (\S+), (\S+), (\S+)$/.exec(first) ?? [];
  const ran: Ran | undefined = attempts.get(name);
  expect(said, name).toEqual([ran?.node, ran?.as, ran?.end]);
  const [, from = "", to = "", took = ""] =
    /^(\S+ m?s) to (\S+ m?s): took (\S+ m?s)/.exec(times) ?? [];
  expectTime(from, ran?.from ?? Number.NaN, name);
  expectTime(to, ran?.to ?? Number.NaN, name);
  expectTime(took, (ran?.to ?? Number.NaN) - (ran?.from ?? 0), name);
  const [, heard] = /, last heard at (\S+ m?s)/.exec(times) ?? [];
  expect(heard === undefined, name).toBe(ran?.heardTo === undefined);
  if (heard !== undefined) expectTime(heard, ran?.heardTo ?? Number.NaN, name);
  expect(at, name).toMatch(/^at \S+ m?s$/);
  expect(why, name).toBe(ran?.rules.join(", "));
  return name;
}
