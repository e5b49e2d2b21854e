import type { Browser } from "playwright-core";
import { open, type View } from "./browser.ts";
import { ENGINE, experiment, reported, SLEEPS } from "./samples.ts";

/** The letters' rendering where pictures were taken, as `letters` returns it. */
export const LETTERS = "test/page/support/letters.json";

/** The pictures of the page in the documents, and what they show. */
export const PICTURES: readonly Picture[] = [
  {
    name: "page-spark",
    of: "spark",
    hash: "",
    view: { width: 1_280, height: 1_330 },
    from: "the top",
  },
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
  readonly of: "spark" | "late" | "engine";
  readonly hash: string;
  /** Absent: from the timeline. */
  readonly from?: "the top";
  readonly view?: View;
}

const ADDRESSES: Readonly<Record<Picture["of"], () => string>> = {
  spark: () => reported(SLEEPS),
  late: () => reported(experiment(), "--refusals"),
  engine: () => reported(ENGINE, "--refusals"),
};

const TO_TIMELINE = "document.getElementById('timeline').scrollIntoView({behavior: 'instant'})";

export async function take(browser: Browser, { of, hash, view, from }: Picture): Promise<Buffer> {
  const { page } = await open(browser, `${ADDRESSES[of]()}${hash}`, view);
  if (from === undefined) await page.evaluate(TO_TIMELINE);
  await page.waitForTimeout(300);
  return page.screenshot();
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

/** The letters' rendering here: on a machine with other fonts no picture is the same. */
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
