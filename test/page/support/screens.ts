import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { expect } from "vitest";
import { open, setTheme } from "./browser.ts";
import { LETTERS, letters } from "./pictures.ts";

const FOLDER = "test/page/screens";
const DIFFER_MAX = 0.005;

/**
 * The page looks as before: at two sizes, light and dark, pixel by pixel. `PICTURES=renew` takes
 * new pictures; look at the page before you commit them. A machine with other fonts or another
 * Chromium compares nothing, and says so: there every line of text differs.
 */
export async function expectScreens(browser: Browser, url: string, name: string): Promise<void> {
  const isRenewed = process.env.PICTURES === "renew";
  const here = await letters(browser);
  if (!isRenewed && here !== JSON.parse(readFileSync(LETTERS, "utf8"))) {
    console.warn(`${name}: kept screens have other letters than this machine: not compared`);
    return;
  }
  mkdirSync(FOLDER, { recursive: true });
  const { page: eye } = await open(browser, "about:blank", { alone: true });
  for (const width of [1_440, 390]) {
    const { page, said } = await open(browser, url, { width });
    // Waits for drawing that starts once the window rests.
    await page.waitForTimeout(300);
    for (const theme of ["light", "dark"] as const) {
      await setTheme(page, theme);
      const { image, compare } = await seen(eye, await page.screenshot());
      const path = join(FOLDER, `${name}-${width}-${theme}.webp`);
      if (isRenewed) writeFileSync(path, image);
      expect(existsSync(path), `${path} is missing: PICTURES=renew takes it`).toBe(true);
      expect(await compare(readFileSync(path)), path).toBeLessThanOrEqual(DIFFER_MAX);
    }
    expect(said).toEqual([]);
  }
  await eye.close();
}

const base64 = (bytes: Buffer): string => JSON.stringify(bytes.toString("base64"));

/**
 * A screenshot as stored: full size, lossless except that each colour has 16 shades. The pictures
 * of all journals take 1.4 MB, and 3 MB with all shades.
 */
async function seen(eye: Page, screenshot: Buffer) {
  const kept: string = await eye.evaluate(`(async () => {
    window.pixelsOf = async (base64) => {
      const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
      const image = await createImageBitmap(new Blob([bytes]));
      const canvas = new OffscreenCanvas(image.width, image.height);
      const context = canvas.getContext("2d", { willReadFrequently: true });
      context.drawImage(image, 0, 0);
      return { canvas, context, pixels: context.getImageData(0, 0, image.width, image.height) };
    };
    const { canvas, context, pixels } = await pixelsOf(${base64(screenshot)});
    pixels.data.forEach((value, at, all) => {
      all[at] = 17 * Math.round(value / 17);
    });
    context.putImageData(pixels, 0, 0);
    window.seen = pixels;
    if (${process.env.PICTURES !== "renew"}) return "";
    const image = await canvas.convertToBlob({ type: "image/webp", quality: 1 });
    return (await image.bytes()).toBase64();
  })()`);
  /** The share of pixels that differ; 1 if the sizes do. */
  const compare = (before: Buffer): Promise<number> =>
    eye.evaluate(`(async () => {
      const { data: a, width, height } = window.seen;
      const { pixels: { data: b } } = await pixelsOf(${base64(before)});
      if (a.length !== b.length) return 1;
      let differ = 0;
      for (let at = 0; at < a.length; at += 4) {
        // More than one shade.
        if ([0, 1, 2].some((n) => Math.abs(a[at + n] - b[at + n]) > 17)) differ += 1;
      }
      return differ / (width * height);
    })()`);
  return { image: Buffer.from(kept, "base64"), compare };
}
