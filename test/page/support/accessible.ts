import axe from "axe-core";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { cases } from "../../support/cases.ts";
import { look, setTheme, type View } from "./browser.ts";

type Look = Required<Pick<View, "width" | "theme">>;

const LOOKS: readonly (readonly [Look, Look])[] = [
  [
    { width: 390, theme: "dark" },
    { width: 1_440, theme: "light" },
  ],
  [
    { width: 390, theme: "light" },
    { width: 1_440, theme: "dark" },
  ],
];

/**
 * Checks that axe finds nothing on the page, at a desk's width and a phone's, light and dark. The
 * sample has each width and each theme once, and `odd` pages the other combinations.
 */
export async function expectAccessible(page: Page, odd: "odd" | "even"): Promise<void> {
  const sample = LOOKS[odd === "odd" ? 1 : 0] ?? [];
  await page.evaluate(axe.source);
  for (const each of cases<readonly Look[]>({ all: LOOKS.flat(), sample })) {
    await look(page, each);
    await setTheme(page, each.theme);
    const found = await page.evaluate(
      `axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) =>
        violations.map(({ id, nodes: [{ html, failureSummary }] }) =>
          [id, html, failureSummary].join(": ")))`,
    );
    expect(found, `${each.width} px, ${each.theme}`).toEqual([]);
  }
}
