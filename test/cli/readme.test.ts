import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runProgram } from "../../src/cli/program.ts";
import { paperShell } from "./support/screen.ts";

const PICTURE = "docs/pictures/one-straggler.svg";
const SCENARIO = "scenarios/one-straggler.json";

test("the README's picture equals its command's drawing, with the stated times", async () => {
  const folder = mkdtempSync(join(tmpdir(), "broomwagon-readme-"));
  const drawn = join(folder, "one.svg");
  const shell = paperShell();
  const code = await runProgram(["simulate", SCENARIO, "--svg", drawn, "-o", "json"], shell);
  const svg = readFileSync(drawn, "utf8");
  rmSync(folder, { recursive: true });
  expect(code).toBe(0);
  expect(
    svg === readFileSync(PICTURE, "utf8"),
    `${PICTURE} is stale: npx broomwagon simulate ${SCENARIO} --svg ${PICTURE}`,
  ).toBe(true);
  const { rows } = JSON.parse(shell.out.text);
  const [off, late] = rows.map((row: { responseMs: { mean: number } }) =>
    Math.round(row.responseMs.mean / 1_000),
  );
  const readme = readFileSync("README.md", "utf8");
  expect(readme).toContain(`ends after ${off} s, because it waits for a slow node`);
  expect(readme).toContain(`under LATE after ${late} s`);
});

test("the README's benchmarks are rows of the table in docs/benchmarks.md", () => {
  const measured = new Set(
    rowsIn("docs/benchmarks.md").map(([work, peer, ours, peers, ratio]) =>
      [work, ours, `${peer} ${peers}`, ratio].join(" | "),
    ),
  );
  const shown = rowsIn("README.md").filter(([row = ""]) => row.startsWith("`"));
  expect(shown.length).toBeGreaterThan(3);
  for (const [row, , ours, peer, ratio] of shown) {
    expect(measured, row).toContain([row, ours, peer, ratio].join(" | "));
  }
});

test("the README's tally of the reproduction counts the tables of docs/papers", () => {
  const verdicts = ["late", "mantri", "esplash", "elephant"].flatMap((paper) =>
    rowsIn(`docs/papers/${paper}.md`)
      .filter((cells) => cells.length === 10)
      .map((cells) => `${cells[7]} ${cells[8]}`),
  );
  const count = (what: RegExp): number => verdicts.filter((each) => what.test(each)).length;
  const orderings = `orderings ${count(/^ordering holds/)} of ${count(/^ordering /)}`;
  const ratios = `ratios ${count(/^ratio within/)} of ${count(/^ratio /)} within`;
  const contradicted = count(/^(ordering|ratio) contradicted/);
  const others = `${contradicted} contradicted, ${count(/^(ordering|ratio) undecided/)} undecided`;
  const readme = readFileSync("README.md", "utf8").replaceAll(/\s+/g, " ");
  expect(readme).toContain(`\`${orderings}, ${ratios}, ${others}\``);
});

/** The cells of all tables of a page. */
const rowsIn = (page: string): readonly (readonly string[])[] =>
  readFileSync(page, "utf8")
    .split("\n")
    .filter((line) => line.startsWith("|"))
    .map((line) =>
      line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );

test("the README has about a hundred lines of at most a hundred columns", () => {
  const lines = readFileSync("README.md", "utf8").split("\n");
  expect(lines.length).toBeLessThanOrEqual(110);
  const wide = lines.filter((line) => line.length > 100 && !/^[|!]|\]\(|npx /.test(line));
  expect(wide).toEqual([]);
});
