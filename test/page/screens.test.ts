import { writeFileSync } from "node:fs";
import { describe, test } from "vitest";
import { bigScenario } from "./support/big-scenario.ts";
import { broomwagon, lacksChromium } from "./support/browser.ts";
import { inBrowser } from "./support/in-browser.ts";
import { expectScreens } from "./support/screens.ts";

/**
 * Whole screens beside those that were kept. Two journals are compared each time, all six with
 * `SCREENS=all npx vitest run --project page test/page/screens`.
 */
describe.skipIf(lacksChromium)("screens", () => {
  const here = inBrowser("screens");
  const { path } = here;

  const simulated = (scenario: string, ...flags: readonly string[]): string => {
    broomwagon("simulate", scenario, ...flags, "--journal", path("journal.ndjson"));
    return path("journal.ndjson");
  };
  const big = (attempts: number): string => {
    writeFileSync(path("big.json"), JSON.stringify(bigScenario(attempts)));
    return simulated(path("big.json"));
  };
  const late = ["--discipline", "late", "--seeds", "1"];

  type Look = readonly [name: string, journal: () => string];
  const always: readonly Look[] = [
    ["engine", () => "fixtures/pairs/engine/late.ndjson.gz"],
    ["spark", () => "fixtures/spark/two-workers.ndjson"],
  ];
  const others: readonly Look[] = [
    ["demo", () => "fixtures/page/demo.ndjson.gz"],
    ["late-5.4", () => simulated("scenarios/late-5.4.json", ...late)],
    ["sort-stragglers", () => simulated("scenarios/sort-stragglers.json", ...late)],
    ["10k", () => big(10_000)],
  ];
  const isAll = process.env.SCREENS === "all";

  test.each([...always, ...(isAll ? others : [])])(
    "%s looks as it did",
    async (name, journal) => {
      broomwagon("report", journal(), "--no-intervals", "--out", path("page.html"));
      await expectScreens(here.browser, path("page.html"), name);
    },
    120_000,
  );
});
