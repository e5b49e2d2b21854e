import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { importsOf } from "../../tools/tidy/imports.ts";
import { readRepository } from "../../tools/tidy.ts";

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

test("every dependency is imported by the package", () => {
  const { dependencies } = read("package.json") as { dependencies: Record<string, string> };
  const imported = new Set(
    readRepository(fileURLToPath(root))
      .filter(({ path }) => /^src\/(?!data\/kernel\/assembly\/).*(?<!\.test)\.ts$/.test(path))
      .flatMap(importsOf)
      // A module of a package, such as @scope/name/module.
      .map(({ target }) => /^(@[^/]+\/)?[^/]+/.exec(target)?.[0]),
  );
  const unused = Object.keys(dependencies).filter((name) => !imported.has(name));
  expect(unused).toEqual([]);
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
