import { join } from "node:path";
import type { Browser } from "playwright-core";
import { broomwagon, open, type View } from "./browser.ts";

/** What letters look like where pictures were taken, as `letters` tells it. */
export const LETTERS = "test/page/support/letters.json";

/** The pictures of the page in the documents, and what they show. */
export const PICTURES: readonly Picture[] = [
  { name: "page-late", of: "late", hash: "#at=110" },
  {
    name: "page-phone",
    of: "engine",
    hash: "#sel=map%2F46%231",
    view: { width: 390, theme: "dark" },
  },
];

interface Picture {
  readonly name: string;
  readonly of: "late" | "engine";
  readonly hash: string;
  readonly view?: View;
}

/** The reports that the pictures show, made in a folder. */
export function makeReports(folder: string): Readonly<Record<Picture["of"], string>> {
  const [journal, late, engine] = ["late.ndjson", "late.html", "engine.html"].map((name) =>
    join(folder, name),
  );
  if (journal === undefined || late === undefined || engine === undefined) throw new Error(folder);
  const discipline = ["--discipline", "late", "--set", "speculation.speculativeCap=0.1"];
  const scenario = "scenarios/late-5.4.json";
  broomwagon("simulate", scenario, ...discipline, "--seeds", "1", "--journal", journal);
  broomwagon("report", journal, "--refusals", "--out", late);
  broomwagon("report", "fixtures/pairs/engine/late.ndjson.gz", "--out", engine);
  return { late, engine };
}

export async function take(browser: Browser, picture: Picture, file: string): Promise<Buffer> {
  const { page } = await open(browser, `file://${file}${picture.hash}`, picture.view);
  if (picture.name === "page-late") await page.locator("#timeline").scrollIntoViewIfNeeded();
  await page.evaluate("document.getElementById('timeline').scrollIntoView({behavior: 'instant'})");
  await page.waitForTimeout(300);
  const image = await page.screenshot();
  await page.close();
  return image;
}

/** The share of pixels that differ; 1 if the sizes do. */
export async function difference(browser: Browser, a: Buffer, b: Buffer): Promise<number> {
  const page = await browser.newPage();
  try {
    const [left, right] = [a, b].map((one) => `data:image/png;base64,${one.toString("base64")}`);
    const images = JSON.stringify([left, right]);
    return await page.evaluate(`(async () => {
      const pixels = async (source) => {
        const image = new Image();
        image.src = source;
        await image.decode();
        const canvas = new OffscreenCanvas(image.width, image.height);
        const context = canvas.getContext("2d");
        context.drawImage(image, 0, 0);
        return context.getImageData(0, 0, image.width, image.height).data;
      };
      const [a, b] = await Promise.all(${images}.map(pixels));
      if (a.length !== b.length) return 1;
      let differ = 0;
      for (let at = 0; at < a.length; at += 4) {
        const far = [0, 1, 2].some((n) => Math.abs(a[at + n] - b[at + n]) > 24);
        if (far) differ += 1;
      }
      return differ / (a.length / 4);
    })()`);
  } finally {
    await page.close();
  }
}

/** What letters look like here: on a machine with other fonts no picture comes out the same. */
export async function letters(browser: Browser): Promise<string> {
  const page = await browser.newPage();
  try {
    const width: number = await page.evaluate(`(() => {
      const context = document.createElement("canvas").getContext("2d");
      context.font = '100px system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif';
      return context.measureText("Broomwagon sweeps 0123456789").width;
    })()`);
    return `Chromium ${browser.version().split(".")[0]}, ${width.toFixed(1)}`;
  } finally {
    await page.close();
  }
}
