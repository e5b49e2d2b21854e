import { describe, expect, test } from "vitest";
import { lacksChromium, open } from "./support/browser.ts";
import { inBrowser } from "./support/in-browser.ts";
import { readJournal } from "./support/journal.ts";
import { DEMO, ENGINE, experiment, reported } from "./support/samples.ts";

/** Things that could mislead a reader, but do not. Other files test more of them. */
describe.skipIf(lacksChromium)("a page does not mislead", () => {
  const here = inBrowser("guards");

  test("the faulty node of LATE's experiment leads, though its reduces were killed", async () => {
    const { attempts } = readJournal(experiment());
    const reduces = [...attempts].filter(
      ([name, { node }]) => node === "faulty" && name.startsWith("reduce/"),
    );
    expect(reduces.map(([, { end }]) => end)).toEqual(["killed", "killed"]);
    const { page } = await open(here.browser, reported(experiment(), "--refusals"));
    const says = page.locator("#nodes canvas").first();
    expect(await says.getAttribute("aria-label")).toMatch(/slowest first: faulty,/);
  });

  test.each([
    ["killed", "killed", 12],
    ["S speculative copy", "speculative", 12],
  ] as const)("the legend counts what is %s, and a click goes to the next", async (...of) => {
    const [told, what, count] = of;
    const { attempts } = readJournal(experiment());
    const expected = [...attempts].flatMap(([name, { as, end }]) =>
      as === what || end === what ? [name] : [],
    );
    expect(expected.length).toBe(count);
    const { page } = await open(here.browser, reported(experiment(), "--refusals"));
    const entry = page.locator("#timeline .legend button", { hasText: told });
    expect((await entry.textContent())?.trim()).toBe(`${told} ${count}`);
    const seen = new Set<string>();
    for (let n = 0; n < count; n++) {
      await entry.click();
      const name = (await page.locator(".inspector h3").textContent()) ?? "";
      seen.add(name.split(" ")[0] ?? "");
    }
    expect([...seen].sort()).toEqual(expected.sort());
  });

  test("at a moment, a reduce that waits for the maps has no time left", async () => {
    const { page } = await open(here.browser, `${reported(ENGINE, "--refusals")}#at=7.34`);
    const rows = await page.locator(".inspector tbody tr").allTextContents();
    expect(rows.at(-1)).toMatch(/^reduce\/0#0.*copy 0\.14.*waits for map/);
    const progress = page.locator("#tasks h3", { hasText: "Progress" });
    expect(await progress.textContent()).toMatch(/dots: at 7\.34 s; line: slow below 0\.8\/s/);
  });

  test.each([
    ["on a node that is silent", () => reported(DEMO, "--refusals"), 28, "map/2#0"],
    ["that has just begun", () => reported(ENGINE, "--refusals"), 3.09, "map/10#0"],
  ])("at a moment, the time left of an attempt %s is unknown", async (_, url, at, name) => {
    const { page } = await open(here.browser, `${url()}#at=${at}`);
    const row = page.locator(".inspector tbody tr", { hasText: name });
    expect(await row.locator("td.n").nth(1).textContent()).toBe("cannot tell");
  });
});
