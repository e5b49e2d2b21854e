import { readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { publint } from "publint";
import { describe, expect, test } from "vitest";
import { addressIn, publishedManifest } from "../../tools/pack/published-manifest.ts";
import { publishedPage } from "../../tools/pack/published-page.ts";
import { packed } from "../support/packed.ts";

const PACKED_MAX = 2_950_000;
const UNPACKED_MAX = 6_900_000;
const FILES_MAX = 700;
/** What Maven builds for a release, and for the tests with Hadoop. */
const JAR = "yarn-plugin/target/broomwagon-yarn.jar";
const JAR_BYTES_MAX = 230_000;
const ROOT = fileURLToPath(new URL("../..", import.meta.url));

describe("the package that npm pack makes", () => {
  const made = packed();

  test("is small, and has no source maps, build info and duplicate code", () => {
    const { size, unpackedSize, paths } = made();
    const room = paths.includes(JAR) ? 0 : JAR_BYTES_MAX;
    expect(size + room).toBeLessThanOrEqual(PACKED_MAX);
    expect(unpackedSize + room).toBeLessThanOrEqual(UNPACKED_MAX);
    expect(paths.length).toBeLessThanOrEqual(FILES_MAX);
    expect(paths.filter((path) => /\.(map|tsbuildinfo)$/.test(path))).toEqual([]);
    const code = paths.filter((path) => /^dist\/.*\.m?js$/.test(path));
    // The page runs in browsers.
    const others = code.filter((path) => !path.startsWith("dist/bundle/"));
    expect(others).toEqual(["dist/page/page.js"]);
  });

  test("brings the licences, and the files that README's commands name", () => {
    const readme = readFileSync(join(ROOT, "README.md"), "utf8");
    const commands = [...readme.matchAll(/^```sh\n(.*?)^```/gms)].map(([, text]) => text).join("");
    // The variable of the loop over pairs.
    const named =
      commands.replaceAll("$n", "1").match(/(?:fixtures|scenarios|examples)\/[\w./-]*\w/g) ?? [];
    expect(named.length).toBeGreaterThan(3);
    const needed = ["LICENSE", "THIRD-PARTY-NOTICES", ...named];
    expect(needed.filter((path) => !made().paths.includes(path))).toEqual([]);
  });

  test("names no script in its manifest, and no package that only we need", () => {
    const manifest = JSON.parse(readFileSync(join(made().root, "package.json"), "utf8"));
    expect(manifest).not.toHaveProperty("scripts");
    expect(manifest).not.toHaveProperty("devDependencies");
    expect(Object.keys(manifest.dependencies)).toEqual(["fzstd"]);
  });

  test("has pages whose links lead to files of the package, or to the web", () => {
    const { paths, root } = made();
    const there = new Set(paths.flatMap((path) => [path, posix.dirname(path)]));
    const pages = paths.filter((path) => path.endsWith(".md"));
    expect(pages.length).toBeGreaterThan(20);
    const dead = pages.flatMap((page) =>
      [...readFileSync(join(root, page), "utf8").matchAll(/\]\(([^()\s]+)\)/g)]
        .map(([, target = ""]) => target)
        .filter((target) => !/^(https?:|#)/.test(target))
        .filter((target) => {
          const [file = ""] = target.split("#");
          return !there.has(posix.join(posix.dirname(page), file).replace(/\/$/, ""));
        })
        .map((target) => `${page}: ${target}`),
    );
    expect(dead).toEqual([]);
  });

  test("is sound by publint", async () => {
    const { messages } = await publint({ pkgDir: made().root, pack: false });
    expect(messages).toEqual([]);
  });

  test("has types that TypeScript resolves as Node resolves the code, by attw", async () => {
    const data = createPackageFromTarballData(readFileSync(made().tarball));
    const result = await checkPackage(data);
    if (result.types === false) throw new Error("the package has no types");
    const problems = result.problems.filter(
      (problem) => !("resolutionKind" in problem && NOT_OURS.has(problem.resolutionKind)),
    );
    expect(problems).toEqual([]);
    expect(Object.keys(result.entrypoints).length).toBeGreaterThan(12);
  });
});

/**
 * Resolution without `exports` ended with Node 12. As to `require`, attw reports what Node could
 * not do before 20.19: load ES modules.
 */
const NOT_OURS: ReadonlySet<string> = new Set(["node10", "node16-cjs"]);

describe("a published page", () => {
  const shipped = ["docs", "docs/jobs.md", "docs/a.svg", "README.md"];
  const isShipped = (path: string): boolean => shipped.includes(path);
  const url = "git+https://github.com/owner/name.git";
  const address = addressIn({ version: "1.2.3", repository: { url } });
  const published = (path: string, text: string, isPublic: boolean): string =>
    publishedPage(path, text, { isShipped, address: isPublic ? address : undefined });

  test.each([
    ["of the package", "[jobs](docs/jobs.md#run)", "[jobs](docs/jobs.md#run)"],
    ["to a folder of the package", "[all](docs/)", "[all](docs/)"],
    ["to the web", "[w](https://a.b/c) and [mail](mailto:a@b.c)", undefined],
    ["within the page", "[below](#below)", undefined],
    ["out of the package", "see [`late.ts`](src/late.ts#L1), too", "see `late.ts`, too"],
    ["over two lines", "a [long\nlink](src/late.ts) ends", "a long\nlink ends"],
    ["of a picture out of the package", "![What it shows](docs/b.png)", "*What it shows*"],
    ["of a picture of the package", "![A](docs/a.svg)", undefined],
    ["in code", "```md\n[x](src/x.ts)\n```\n[y](src/y.ts)", "```md\n[x](src/x.ts)\n```\ny"],
  ])("without a repository: a link %s", (_, text, expected = text) => {
    expect(published("README.md", text, false)).toBe(expected);
  });

  test("leads to its version in the repository for what the package lacks", () => {
    const text = "[jobs](jobs.md) [late](../src/late.ts#L1) ![b](b.png)";
    const root = "https://github.com/owner/name";
    expect(published("docs/README.md", text, true)).toBe(
      [
        "[jobs](jobs.md)",
        `[late](${root}/blob/v1.2.3/src/late.ts#L1)`,
        `![b](${root}/raw/v1.2.3/docs/b.png)`,
      ].join(" "),
    );
  });

  test("works on the page of a registry, if it is README.md: all its links are addresses", () => {
    const root = "https://github.com/owner/name";
    expect(published("README.md", "[jobs](docs/jobs.md) ![a](docs/a.svg)", true)).toBe(
      `[jobs](${root}/blob/v1.2.3/docs/jobs.md) ![a](${root}/raw/v1.2.3/docs/a.svg)`,
    );
  });

  test("needs a repository of which addresses are known", () => {
    const other = { version: "1.2.3", repository: { url: "https://example.com/a" } };
    expect(() => addressIn(other)).toThrow(/repository.url: expected git\+https.*found https:/);
  });
});

test("a published manifest keeps all that users need, in its order", () => {
  const text = readFileSync(join(ROOT, "package.json"), "utf8");
  const before = Object.keys(JSON.parse(text));
  const after = Object.keys(JSON.parse(publishedManifest(text)));
  expect(after).toEqual(before.filter((name) => !/^(scripts|devDependencies)$/.test(name)));
});
