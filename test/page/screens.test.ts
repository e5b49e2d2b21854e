import { describe, test } from "vitest";
import { lacksChromium } from "./support/browser.ts";
import { inBrowser } from "./support/in-browser.ts";
import {
  bigJournal,
  DEMO,
  ENGINE,
  experiment,
  reported,
  SPARK,
  simulated,
} from "./support/samples.ts";
import { expectScreens } from "./support/screens.ts";

/** Whole screens of six journals, compared with stored ones. */
describe.skipIf(lacksChromium)("screens", () => {
  const here = inBrowser("screens");
  const sorting = (): string =>
    simulated("scenarios/sort-stragglers.json", "--discipline", "late", "--seeds", "1");

  test.each<readonly [name: string, url: () => string]>([
    ["engine", () => reported(ENGINE, "--refusals")],
    ["spark", () => reported(SPARK)],
    ["demo", () => reported(DEMO, "--refusals")],
    ["late-5.4", () => reported(experiment(), "--refusals")],
    ["sort-stragglers", () => reported(sorting(), "--no-intervals")],
    ["5k", () => reported(bigJournal(5_200), "--no-intervals")],
  ])("%s looks as it did", (name, url) => expectScreens(here.browser, url(), name), 120_000);
});
