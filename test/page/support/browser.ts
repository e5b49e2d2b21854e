import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { type Browser, chromium, type Page } from "playwright-core";
import { ROOT } from "../../../tools/cluster/repository.ts";
import { CHROMIUM, CHROMIUM_FLAGS } from "./chromium.ts";

const INSTALL = "no Chromium: `apt-get install chromium`, or set CHROMIUM to its path";

/** Tests of pages are skipped without a browser, but never in CI and in `npm run test:rest`. */
export const lacksChromium: boolean = CHROMIUM === undefined;
if (lacksChromium) {
  if ((process.env.CI ?? process.env.NEEDS_CHROMIUM) !== undefined) throw new Error(INSTALL);
  console.warn(`Tests of the page are skipped: ${INSTALL}.`);
}

export function launch(): Promise<Browser> {
  if (CHROMIUM === undefined) throw new Error(INSTALL);
  return chromium.launch({ executablePath: CHROMIUM, args: [...CHROMIUM_FLAGS] });
}

export interface Opened {
  readonly page: Page;
  /** The page's requests besides itself, and its console output. */
  readonly requests: readonly string[];
  readonly said: readonly string[];
}

export interface View {
  readonly width?: number;
  /** Default: a screen's. */
  readonly height?: number;
  readonly theme?: "light" | "dark";
  /** Device pixels per CSS pixel; default: 1. */
  readonly scale?: number;
  /** Opens a separate window, which the caller closes. */
  readonly alone?: boolean;
}

/** No measure of speed: beside busy programs, what takes a second may take half a minute. */
const WAIT_MS = 120_000;

/** The reused window of each browser. */
const kept = new WeakMap<Browser, Page>();

/**
 * Opens an address, and waits until the page is drawn. The window is the previous call's, unless
 * the page needs its own or has other pixels: opening one takes as long as many checks.
 */
export async function open(browser: Browser, url: string, view: View = {}): Promise<Opened> {
  const { scale = 1, alone = scale !== 1 } = view;
  const page = alone ? await browser.newPage({ deviceScaleFactor: scale }) : await window(browser);
  page.setDefaultTimeout(WAIT_MS);
  await look(page, view);
  const requests: string[] = [];
  const said: string[] = [];
  const own = url.replace(/#.*/, "");
  page.on("request", (request) => {
    // The page's worker is part of the page.
    if (request.url() !== own && !request.url().startsWith("blob:")) requests.push(request.url());
  });
  page.on("console", (message) => said.push(message.text()));
  page.on("pageerror", (error) => said.push(String(error)));
  await page.goto(url);
  if (url !== "about:blank") await page.waitForSelector("#page[data-ready], #page.problem");
  return { page, requests, said };
}

async function window(browser: Browser): Promise<Page> {
  const before = kept.get(browser);
  if (before !== undefined && !before.isClosed()) {
    before.removeAllListeners();
    // The same address with another `#` would not be loaded again.
    await before.goto("about:blank");
    return before;
  }
  const page = await browser.newPage();
  kept.set(browser, page);
  return page;
}

/** The width of a desk's screen or of a phone's, and the colours that the reader prefers. */
export async function look(page: Page, view: View): Promise<void> {
  const { width = 1_440, height = width < 700 ? 844 : 900, theme = "light" } = view;
  await page.setViewportSize({ width, height });
  await page.emulateMedia({ colorScheme: theme });
}

/**
 * Sets light or dark on an open page: the page reads the reader's preference when it opens, and
 * afterwards a key changes its colours.
 */
export const setTheme = (page: Page, theme: "light" | "dark"): Promise<void> =>
  page.evaluate(`if (document.documentElement.dataset.theme !== "${theme}")
    document.dispatchEvent(new KeyboardEvent("keydown", { key: "t" }))`);

const BIN = join(ROOT, "bin/broomwagon.js");

/** Runs the command line as a user does; returns its output. */
export const broomwagon = (...args: readonly string[]): string =>
  execFileSync(process.execPath, [BIN, ...args], { encoding: "utf8" });
