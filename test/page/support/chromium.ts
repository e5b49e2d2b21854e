import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/** The Chromium that `CHROMIUM` names, or the first on the path; undefined if there is none. */
export const CHROMIUM: string | undefined = [
  process.env.CHROMIUM ?? "",
  ...NAMES.flatMap((name) =>
    (process.env.PATH ?? "").split(delimiter).map((folder) => join(folder, name)),
  ),
].find((path) => path !== "" && existsSync(path));

/** A container's root may not sandbox; pages under test are our own. */
export const CHROMIUM_FLAGS: readonly string[] = [
  "--no-sandbox",
  "--disable-gpu",
  "--force-color-profile=srgb",
];
