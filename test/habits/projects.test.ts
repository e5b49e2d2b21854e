import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { readRepository } from "../../tools/tidy.ts";
import config from "../../vitest.config.ts";

const tests = readRepository(fileURLToPath(new URL("../..", import.meta.url)))
  .map(({ path }) => path)
  .filter((path) => path.endsWith(".test.ts"));

/** Enough of globs for our own configuration. */
function pattern(glob: string): RegExp {
  const text = glob
    .replaceAll(".", "\\.")
    .replaceAll(/\{([^}]*)\}/g, (_, names: string) => `(${names.replaceAll(",", "|")})`)
    .replaceAll("**/", "(.+/)?")
    .replaceAll(/(?<!\.)\*/g, "[^/]*");
  return new RegExp(`^${text}$`);
}

test("every test file is run by exactly one project", () => {
  const projects = (config.test?.projects ?? []).flatMap((project) =>
    typeof project === "object" && "test" in project ? [project.test] : [],
  );
  expect(projects).toHaveLength(10);
  const lost = tests.filter((path) => {
    const runs = projects.filter((project) => {
      const matches = (globs: readonly string[] = []) =>
        globs.some((glob) => pattern(glob).test(path));
      return matches(project?.include) && !matches(project?.exclude);
    });
    return runs.length !== 1;
  });
  expect(tests.length).toBeGreaterThan(0);
  expect(lost).toEqual([]);
});
