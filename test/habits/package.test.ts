import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { init, parse } from "es-module-lexer";
import { describe, expect, test } from "vitest";

const root = new URL("../../", import.meta.url);
const read = (path: string): unknown => JSON.parse(readFileSync(new URL(path, root), "utf8"));

test("no dependency runs a script when it is installed", () => {
  const { packages } = read("package-lock.json") as { packages: Record<string, object> };
  const offenders = Object.entries(packages).filter(([, value]) => "hasInstallScript" in value);
  expect(offenders.map(([name]) => name)).toEqual([]);
  expect(Object.keys(packages).length).toBeGreaterThan(1);
});

describe("every export of the package exists", () => {
  const { bin, exports } = read("package.json") as {
    bin: Record<string, string>;
    exports: Record<string, string | Record<string, string>>;
  };
  const targets = Object.values(exports).flatMap((target) =>
    typeof target === "string" ? [target] : Object.values(target),
  );
  test.each([...Object.values(bin), ...targets])("%s", (path) => {
    expect(existsSync(new URL(path, root))).toBe(true);
  });
});

test("every export of the package can be imported", () => {
  const { exports } = read("package.json") as { exports: Record<string, unknown> };
  const names = Object.keys(exports)
    .filter((name) => !/\.(json|wasm)$/.test(name))
    .map((name) => name.replace(/^\./, "broomwagon"));
  const script = `
    const counts = {};
    for (const name of ${JSON.stringify(names)}) {
      counts[name] = Object.keys(await import(name)).length;
    }
    console.log(JSON.stringify(counts));`;
  const printed = execFileSync(process.execPath, ["--input-type=module", "--eval", script], {
    cwd: fileURLToPath(root),
    encoding: "utf8",
  });
  const counts = JSON.parse(printed) as Record<string, number>;
  expect(Object.keys(counts)).toEqual(names);
  expect(Math.min(...Object.values(counts))).toBeGreaterThan(0);
});

test("the package depends on what its bundles import, not on what they contain", async () => {
  await init;
  const { dependencies, peerDependencies } = read("package.json") as {
    dependencies: Record<string, string>;
    peerDependencies: Record<string, string>;
  };
  const bundle = new URL("dist/bundle/", root);
  const imported = readdirSync(bundle)
    .filter((name) => /\.m?js$/.test(name))
    .flatMap((name) => parse(readFileSync(new URL(name, bundle), "utf8"))[0])
    .flatMap(({ specifier }) => specifier ?? [])
    .filter((target) => !/^(node:|\.)/.test(target));
  const optional = new Set(Object.keys(peerDependencies));
  const needed = new Set(imported.filter((name) => !optional.has(name)));
  expect([...needed]).toEqual(["fzstd"]);
  expect(Object.keys(dependencies)).toEqual([...needed]);
});

test("versions are pinned exactly", () => {
  const { dependencies, devDependencies } = read("package.json") as {
    dependencies: Record<string, string>;
    devDependencies: Record<string, string>;
  };
  for (const version of Object.values({ ...dependencies, ...devDependencies })) {
    expect(version).toMatch(/^(npm:[\w-]+@)?\d+\.\d+\.\d+(-r\.\d+)?$/);
  }
});
