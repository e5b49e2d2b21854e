import { readFileSync } from "node:fs";
import { afterEach, expect, test, vi } from "vitest";

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

/** The page's tests, loaded where there is no browser. */
function withoutChromium(environment: Readonly<Record<string, string>>) {
  vi.resetModules();
  const nothing = { CHROMIUM: "", PATH: "", CI: undefined, NEEDS_CHROMIUM: undefined };
  for (const [name, value] of Object.entries({ ...nothing, ...environment })) {
    vi.stubEnv(name, value);
  }
  return import("./support/browser.ts");
}

test("without a browser, `npm run test:rest` fails with the line that installs one", async () => {
  const { scripts } = JSON.parse(readFileSync("package.json", "utf8"));
  const given = String(scripts["test:rest"]).matchAll(/\b([A-Z_]+)=(\w+)/g);
  const environment = Object.fromEntries(Array.from(given, ([, name, value]) => [name, value]));
  await expect(withoutChromium(environment)).rejects.toThrow("`apt-get install chromium`");
});

test("without a browser, other commands skip the page's tests and say so", async () => {
  const said = vi.spyOn(console, "warn").mockImplementation(() => {});
  expect(await withoutChromium({})).toMatchObject({ lacksChromium: true });
  expect(said).toHaveBeenCalledWith(expect.stringContaining("`apt-get install chromium`"));
});
