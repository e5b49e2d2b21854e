import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { describe, expect, test } from "vitest";
import bundles from "../../tools/bundle.config.ts";
import { notices } from "../../tools/notices/plugin.ts";
import { importsOf } from "../../tools/tidy/imports.ts";
import { readRepository } from "../../tools/tidy.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const NOTICES = readFileSync(join(ROOT, "THIRD-PARTY-NOTICES"), "utf8");
const temporary = temporaryDirectory();

describe("THIRD-PARTY-NOTICES", () => {
  test("every bundle of the build adds to it", () => {
    const without = [bundles]
      .flat()
      .filter(({ plugins }) => !JSON.stringify(plugins).includes('"notices"'));
    expect(without).toEqual([]);
  });

  test("it names every package that the sources import, except those of users", () => {
    const users = new Set(Object.keys(manifestOf("..").peerDependencies));
    const imported = new Set(
      readRepository(ROOT)
        .filter(({ path }) => /^src\/(?!data\/kernel\/assembly\/).*(?<!\.test)\.tsx?$/.test(path))
        .flatMap(importsOf)
        .map(({ target }) => /^(?!node:)(@[^/]+\/)?[^/.][^/]*/.exec(target)?.[0])
        .filter((name) => name !== undefined && !users.has(name)),
    );
    expect(imported.size).toBeGreaterThan(5);
    for (const name of imported) {
      const { version, license } = manifestOf(name ?? "");
      expect(NOTICES).toContain(`\n${name} ${version} (${license})\n`);
    }
  });

  test("it has the terms and the copyright lines of a package, word for word", () => {
    const license = readFileSync(join(ROOT, "node_modules/commander/LICENSE"), "utf8");
    const lines = license.split("\n").map((line) => line.trim());
    const missing = lines.filter((line) => !NOTICES.includes(line));
    expect(lines.length).toBeGreaterThan(10);
    expect(missing).toEqual([]);
  });
});

test("a page carries the notices of its scripts, as one comment", () => {
  const html = join(temporary, "page.html");
  const args = ["report", "fixtures/hadoop/json.jhist", "--out", html];
  execFileSync(process.execPath, ["bin/broomwagon.js", ...args], { cwd: ROOT });
  const page = readFileSync(html, "utf8");
  const comments = [...page.matchAll(/<!--(.*?)-->/gs)].map(([, text]) => text);
  expect(comments).toHaveLength(1);
  for (const name of ["preact", "@preact/signals", "@preact/signals-core"]) {
    expect(comments[0]).toContain(`\n${name} ${manifestOf(name).version} (MIT)\n  Copyright`);
  }
  expect(comments[0]).toContain("Permission is hereby granted");
});

describe("a bundle with packages", () => {
  const MIT = "MIT License\n\nCopyright (c) 2020 NAME\n\nPermission is\nhereby granted.\n";
  const files = {
    "main.js": 'import { used } from "used"; import "@scope/unused"; console.log(used);',
    ...packageFiles(
      "used",
      'import { inner } from "inner"; export const used = [inner];',
      MIT.replace("NAME", "A"),
    ),
    ...packageFiles("inner", "export const inner = process.pid;", MIT.replace("NAME", "B")),
    ...packageFiles("@scope/unused", "export const unused = 1;", "Terms of the unused"),
  };

  test("has a notice for each package with code in it, and shared terms stand once", async () => {
    const made = await bundled(files);
    expect(made).toBe(
      [
        ...["Ours.", "inner 1.0.0 (MIT)", "  Copyright (c) 2020 B"],
        ...["used 1.0.0 (MIT)", "  Copyright (c) 2020 A", "", "Permission is\nhereby granted.", ""],
      ].join("\n"),
    );
  });

  test("is not made while a package has no licence text", async () => {
    const others = Object.entries(files).filter(([path]) => path !== "node_modules/inner/LICENSE");
    await expect(bundled(Object.fromEntries(others))).rejects.toThrow(
      "inner is bundled and brings no licence text",
    );
  });
});

const packageFiles = (name: string, code: string, license: string): Record<string, string> => ({
  [`node_modules/${name}/package.json`]: JSON.stringify({
    ...{ name, version: "1.0.0", license: "MIT", type: "module", main: "index.js" },
    sideEffects: false,
  }),
  [`node_modules/${name}/index.js`]: code,
  [`node_modules/${name}/LICENSE`]: license,
});

/** Bundles `main.js`, and returns the notices that come about. */
async function bundled(files: Readonly<Record<string, string>>): Promise<string> {
  const at = mkdtempSync(join(temporary, "bundled-"));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(at, name)), { recursive: true });
    writeFileSync(join(at, name), text);
  }
  const into = join(at, "NOTICES");
  const build = await rolldown({
    ...{ input: join(at, "main.js"), cwd: at, logLevel: "silent" },
    plugins: [notices(into, { before: "Ours.\n" })],
  });
  await build.write({ dir: join(at, "out") });
  return readFileSync(into, "utf8");
}

interface Manifest {
  readonly version: string;
  readonly license: string;
  readonly peerDependencies: object;
}

/** The manifest of an installed package; of our own for "..". */
function manifestOf(name: string): Manifest {
  return JSON.parse(readFileSync(join(ROOT, "node_modules", name, "package.json"), "utf8"));
}
