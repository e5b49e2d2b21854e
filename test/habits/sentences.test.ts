import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { CAUSES, wordsOf } from "../../src/diagnose/cause.ts";
import { HINTS } from "../../src/diagnose/hints/hints.ts";
import { readRepository } from "../../tools/tidy.ts";
import { quoted, refusalsIn, sentencesIn } from "./support/sentences.ts";

const files = readRepository(fileURLToPath(new URL("../..", import.meta.url)));
const texts = new Map(files.map(({ path, text }) => [path, text]));

/** What the tests, their scripts and their expected outputs say. */
const isTest = (path: string): boolean => /(^test\/.*\.(tsx?|txt)|\.test\.ts)$/.test(path);
const OWN = "test/habits/sentences.test.ts";
const said = quoted(files.filter(({ path }) => isTest(path) && path !== OWN));

/** The file that a registry imports for a name: `fetchWait` of `./causes/fetch-wait.ts`. */
const imported = (registry: string): readonly string[] => {
  const folder = registry.slice(0, registry.lastIndexOf("/"));
  const paths = (texts.get(registry) ?? "").matchAll(/from "\.\/(.*)\.ts";/g);
  return [...paths].map(([, path]) => `${folder}/${path}`);
};

const CAUSES_OF = "src/diagnose/causes/";

describe("each cause and each kind of hint", () => {
  const causes = CAUSES.map((name) => [`cause ${name}`, `${CAUSES_OF}${name}`] as const);
  const hints = imported("src/diagnose/hints/hints.ts")
    .filter((path) => /\): readonly Hint\[\]/.test(texts.get(`${path}.ts`) ?? ""))
    .map((path) => [`hint ${path}`, path] as const);

  test("has a file", () => {
    for (const [, path] of causes) expect(texts.has(`${path}.ts`), path).toBe(true);
    expect(hints).toHaveLength(HINTS.length);
  });

  test.each([...causes, ...hints])(
    "%s is diagnosed in a test of its own, and missed in another",
    (_, path) => {
      const own = texts.get(`${path}.test.ts`) ?? "";
      expect(own).toMatch(/smallJob/);
      expect(own).toMatch(/\.not\.to|toEqual\(\[\]\)|its attempts took as long as their peers/);
    },
  );

  test("has a row in docs/diagnosis.md", () => {
    const [, section = ""] = (texts.get("docs/diagnosis.md") ?? "").split(
      "\n## Causes, and what to do\n",
    );
    const rows = [...section.split("\n## ", 1)[0]!.matchAll(/^\| (.*?), `([a-z-]+)` \|/gm)];
    const told = rows.map(([, label, name]) => `${label}: ${name}`);
    expect(told.slice(0, CAUSES.length).toSorted()).toEqual(
      CAUSES.map((name) => `${wordsOf(name).label}: ${name}`).toSorted(),
    );
    const kinds = rows.slice(CAUSES.length).map(([, , name]) => name);
    expect(kinds).toEqual(HINTS.map(({ kind }) => kind));
  });
});

/** Files whose texts are sentences of an answer. */
const ANSWERS = [
  /^src\/diagnose\/(causes|hints)\//,
  /^src\/diagnose\/(verdict|nodes-text|notes)\.ts$/,
  /^src\/diagnose\/(evidence|audit)\/.*(text|not-recorded)\.ts$/,
  /^src\/diagnose\/(response|compare)\/.*text\.ts$/,
];

/** Files that refuse a history. */
const DOORS = [
  /^src\/(trace|history|cli\/history)\//,
  /^src\/library\/(explain|job-of-history|asked-part|history-paths)\.ts$/,
  /^src\/whatif\/fitted\.ts$/,
];

/** What no test reaches: a text is taken off when one does. */
const UNREACHED: ReadonlySet<string> = new Set([
  // No history is known whose recorded schedule is not reproduced.
  "a job whose attempts ran has a plan",
  "s off its recorded time",
  "the history contradicts itself:",
  // 16 GB of standard input take minutes.
  "GB; a file may be larger",
  // An answer of status 200 has a body.
  "the answer is empty",
]);

const isOurs = (path: string): boolean => path.startsWith("src/") && !path.endsWith(".test.ts");

describe("a test expects", () => {
  test("each sentence of an answer", () => {
    const answers = files.filter(
      ({ path }) => isOurs(path) && ANSWERS.some((one) => one.test(path)),
    );
    const all = answers.flatMap(sentencesIn);
    expect(all.length).toBeGreaterThan(100);
    expect(all.filter(({ text }) => !said.includes(text)).map(found)).toEqual([]);
  });

  test("each refusal of a history", () => {
    const all = files
      .filter(
        ({ path }) => isOurs(path) && DOORS.some((one) => one.test(path)) && path.endsWith(".ts"),
      )
      .flatMap(refusalsIn);
    expect(all.length).toBeGreaterThan(40);
    const untold = all.filter(({ text }) => !said.includes(text));
    expect(untold.filter(({ text }) => !UNREACHED.has(text)).map(found)).toEqual([]);
    expect(new Set(untold.map(({ text }) => text))).toEqual(UNREACHED);
  });
});

const found = ({ path, line, text }: { path: string; line: number; text: string }): string =>
  `${path}:${line} ${text}`;

describe("the check of sentences", () => {
  const file = (text: string) => ({ path: "src/trace/a.ts", text });

  test("takes the longest piece of a template, and no single words", () => {
    const text = `const a = \`\${n} attempts of \${phase} failed or were lost\`; const b = "gc";`;
    expect(sentencesIn(file(text))).toEqual([
      { path: "src/trace/a.ts", line: 1, text: "failed or were lost" },
    ]);
  });

  test("finds what is put together beside the error", () => {
    const text = `
      const other = "not a refusal";
      function f() {
        if (bad) {
          const expected = "expected a whole file";
          throw new InputError("bad-input", place, expected);
        }
        return "no refusal either";
      }`;
    expect(refusalsIn(file(text)).map((one) => one.text)).toEqual(["expected a whole file"]);
  });

  test("reads what a test joins over two lines, and patterns", () => {
    const joined = `expect(a).toBe("a log " +\n  "of stages");`;
    const text = `${joined} expect(b).toMatch(/3\\.0 times \\(as long\\)/)`;
    expect(quoted([file(text)])).toContain("a log of stages");
    expect(quoted([file(text)])).toContain("3.0 times (as long)");
  });
});
