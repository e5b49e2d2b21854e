import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { expect } from "vitest";
import { open } from "./browser.ts";
import { difference, LETTERS, letters } from "./pictures.ts";

const FOLDER = "test/page/screens";
/**
 * Kept pictures are a third as wide and high, in 16 shades of each colour, so that they stay small:
 * names and figures are checked by other tests.
 */
const SHRUNK = 1 / 3;
const SHADE = 17;
const DIFFER_MAX = 0.005;

/**
 * The page looks as it did: at two sizes, light and dark. `PICTURES=renew` takes the pictures anew;
 * look at the page before you commit them.
 */
export async function expectScreens(browser: Browser, html: string, name: string): Promise<void> {
  const isRenewed = process.env.PICTURES === "renew";
  const here = await letters(browser);
  if (!isRenewed && here !== JSON.parse(readFileSync(LETTERS, "utf8"))) {
    console.warn(`${name}: kept screens have other letters than this machine: not compared`);
    return;
  }
  mkdirSync(FOLDER, { recursive: true });
  for (const width of [1_440, 390]) {
    for (const theme of ["light", "dark"] as const) {
      const { page, said } = await open(browser, `file://${html}`, { width, theme });
      // What is drawn once the window rests has been drawn.
      await page.waitForTimeout(300);
      const image = await shrunk(browser, await page.screenshot());
      await page.close();
      const path = join(FOLDER, `${name}-${width}-${theme}.png`);
      if (isRenewed) writeFileSync(path, image);
      expect(existsSync(path), `${path} is missing: PICTURES=renew takes it`).toBe(true);
      expect(await difference(browser, readFileSync(path), image), path).toBeLessThanOrEqual(
        DIFFER_MAX,
      );
      expect(said).toEqual([]);
    }
  }
}

async function shrunk(browser: Browser, image: Buffer): Promise<Buffer> {
  const page = await browser.newPage();
  try {
    const source = `data:image/png;base64,${image.toString("base64")}`;
    const base64: string = await page.evaluate(`(async () => {
      const image = new Image();
      image.src = ${JSON.stringify(source)};
      await image.decode();
      const [width, height] = [image.width, image.height].map((n) => Math.round(n * ${SHRUNK}));
      const canvas = document.createElement("canvas");
      Object.assign(canvas, { width, height });
      const context = canvas.getContext("2d");
      context.imageSmoothingQuality = "high";
      context.drawImage(image, 0, 0, width, height);
      const pixels = context.getImageData(0, 0, width, height);
      pixels.data.forEach((value, at, all) => {
        all[at] = ${SHADE} * Math.round(value / ${SHADE});
      });
      context.putImageData(pixels, 0, 0);
      return canvas.toDataURL("image/png").split(",")[1];
    })()`);
    return Buffer.from(base64, "base64");
  } finally {
    await page.close();
  }
}
