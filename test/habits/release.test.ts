import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { type Release, releaseFaults } from "../../tools/pack/release-faults.ts";

const ROOT = new URL("../../", import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, ROOT), "utf8");
const { engines, scripts, version } = JSON.parse(read("package.json"));

describe("the workflows", () => {
  const workflows = new Map(
    readdirSync(fileURLToPath(new URL(".github/workflows", ROOT))).map((name) => [
      name,
      read(`.github/workflows/${name}`),
    ]),
  );
  const commandsOf = (text: string): readonly string[] =>
    [...text.matchAll(/^\s*- run: (.+)$/gm)].map(([, command = ""]) => command);

  test("run npm alone, and no script that package.json lacks", () => {
    const commands = [...workflows.values()].flatMap(commandsOf);
    expect(commands.length).toBeGreaterThan(5);
    const lost = commands.filter((command) => {
      const [, own] = /^npm (?:run )?([\w:]+)/.exec(command) ?? [];
      return own === undefined || !(own in scripts || ["ci", "pack", "publish"].includes(own));
    });
    expect(lost).toEqual([]);
  });

  test("ci.yml tests on the oldest Node that we support, and runs all tests", () => {
    const text = workflows.get("ci.yml") ?? "";
    const [, oldest = ""] = /\^([\d.]+)\.0 /.exec(engines.node) ?? [];
    expect(text.match(/node: \["20\.19", "22", "24"\]/g)).toHaveLength(2);
    expect(oldest).toBe("20.19");
    expect(commandsOf(text)).toEqual(expect.arrayContaining(["npm test", "npm run test:rest"]));
  });

  test("release.yml checks, tests and packs before it publishes that tarball, signed", () => {
    const text = workflows.get("release.yml") ?? "";
    expect(text).toMatch(/on:\n +push:\n +tags: \["v\*"\]/);
    expect(text).toContain("id-token: write");
    expect(commandsOf(text)).toEqual([
      ...["npm ci", "npm run build:plugin", 'npm run release:check -- "$GITHUB_REF_NAME"'],
      ...["npm test", "npm pack", "npm publish ./broomwagon-*.tgz --provenance --access public"],
    ]);
  });
});

describe("a release", () => {
  const url = "git+https://github.com/owner/name.git";
  const ready: Release = {
    tag: "v1.2.3",
    manifest: { version: "1.2.3", author: "A", homepage: "h", bugs: "b", repository: { url } },
    changelog: "# Changelog\n\n## Unreleased\n\n## 1.2.3 (2030-01-31)\n\n- News.\n",
    citation: "title: T\nversion: 1.2.3\nlicense: L\n",
    hasJar: true,
    runsIn: "owner/name",
  };
  const { author: _, ...anonymous } = ready.manifest;

  test("is published when all is filled in", () => {
    expect(releaseFaults(ready)).toEqual([]);
  });

  test.each<[string, Partial<Release>, string]>([
    ["a tag of another version", { tag: "v1.2.4" }, "tag: expected v1.2.3, found v1.2.4"],
    ["no author", { manifest: anonymous }, "package.json, author: missing"],
    [
      "another repository",
      { runsIn: "owner/fork" },
      `package.json, repository.url: expected ${url.replace("name", "fork")}, found ${url}`,
    ],
    [
      "no dated section of the version",
      { changelog: "## Unreleased\n\n## 1.2.3\n" },
      'CHANGELOG.md: expected a heading "## 1.2.3 (YYYY-MM-DD)"',
    ],
    ["another version to cite", { citation: "" }, "CITATION.cff: expected version: 1.2.3"],
    ["no plug-in", { hasJar: false }, "the plug-in for Hadoop is not built: npm run build:plugin"],
  ])("is refused with %s", (_, changed, fault) => {
    expect(releaseFaults({ ...ready, ...changed })).toEqual([fault]);
  });

  test("of this version lacks only what a maintainer fills in", () => {
    const faults = releaseFaults({
      ...{ tag: `v${version}`, hasJar: true, runsIn: undefined },
      manifest: JSON.parse(read("package.json")),
      changelog: read("CHANGELOG.md"),
      citation: read("CITATION.cff"),
    });
    const ours = faults.filter((fault) => !/^package\.json, \w+: missing$/.test(fault));
    expect(ours).toEqual([]);
  });
});
