import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { type Browser, chromium, type Page } from "playwright-core";
import { ROOT } from "../../../tools/cluster/repository.ts";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/** Chromium as `CHROMIUM` names it, or the first on the path; undefined if there is none. */
export const CHROMIUM: string | undefined = [
  process.env.CHROMIUM ?? "",
  ...NAMES.flatMap((name) =>
    (process.env.PATH ?? "").split(delimiter).map((folder) => join(folder, name)),
  ),
].find((path) => path !== "" && existsSync(path));

const INSTALL = "no Chromium: `apt-get install chromium`, or set CHROMIUM to its path";

/** Tests of pages are skipped without a browser, but never in CI and in `npm run test:rest`. */
export const lacksChromium: boolean = CHROMIUM === undefined;
if (lacksChromium) {
  if ((process.env.CI ?? process.env.NEEDS_CHROMIUM) !== undefined) throw new Error(INSTALL);
  console.warn(`Tests of the page are skipped: ${INSTALL}.`);
}

export function launch(): Promise<Browser> {
  if (CHROMIUM === undefined) throw new Error(INSTALL);
  // A container's root may not sandbox; pages under test are our own.
  const args = ["--no-sandbox", "--disable-gpu", "--force-color-profile=srgb"];
  return chromium.launch({ executablePath: CHROMIUM, args });
}

export interface Opened {
  readonly page: Page;
  /** What the page asked for beside itself, and what it wrote to the console. */
  readonly requests: string[];
  readonly said: string[];
}

export interface View {
  readonly width?: number;
  readonly theme?: "light" | "dark";
  /** Device pixels a CSS pixel; default: 1. */
  readonly scale?: number;
}

/** Opens an address with a window of its own, and waits until the page is drawn. */
export async function open(browser: Browser, url: string, view: View = {}): Promise<Opened> {
  const { width = 1_440, theme = "light", scale = 1 } = view;
  const height = width < 700 ? 844 : 900;
  const page = await browser.newPage({
    viewport: { width, height },
    colorScheme: theme,
    deviceScaleFactor: scale,
  });
  const requests: string[] = [];
  const said: string[] = [];
  page.on("request", (request) => requests.push(request.url()));
  page.on("console", (message) => said.push(message.text()));
  page.on("pageerror", (error) => said.push(String(error)));
  await page.goto(url);
  await page.waitForSelector("#page[data-ready], #page.problem");
  return { page, requests: requests.slice(1), said };
}

const BIN = join(ROOT, "bin/broomwagon.js");

/** Runs the command line as a user does; what it printed. */
export const broomwagon = (...args: readonly string[]): string =>
  execFileSync(process.execPath, [BIN, ...args], { encoding: "utf8" });
