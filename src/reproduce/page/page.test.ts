import { describe, expect, test } from "vitest";
import type { Bars } from "../../report/chart/drawing.ts";
import type { ReportRow } from "../published.ts";
import { type PageContent, pageOf } from "./page.ts";

const BARS: Bars = {
  kind: "bars",
  figure: "fig4",
  title: "Sort",
  y: { title: "response, native = 1" },
  groups: [{ label: "no speculation", bars: [{ series: "none", value: 2 }] }],
};

const count = (text: string, part: string): number => text.split(part).length - 1;

describe("the page", () => {
  const ROW: ReportRow = {
    paper: "late",
    figure: "fig4",
    setting: "LATE over native",
    metric: "speedup",
    tag: "ratio",
    published: 1.58,
    measured: 1.5,
    low: 1.4,
    high: 1.6,
    verdict: "within",
    source: "section 5.2.2",
    runs: 17,
    remarks: ["eight & two runs"],
  };
  const CONTENT: PageContent = {
    rows: [
      ROW,
      { ...ROW, setting: "<b>", verdict: "contradicted", measured: null, remarks: [] },
      { ...ROW, setting: "the baseline", tag: "input", verdict: "shown", remarks: [] },
      { ...ROW, figure: "parameters", tag: "ours", published: "left open", verdict: "shown" },
    ],
    drawings: [{ paper: "late", drawing: BARS }],
    notes: [{ paper: "late", figures: ["fig4"], text: "Eight & two." }],
    titles: [{ paper: "late", figures: ["fig4", "fig5"], text: "Sort & more" }],
    how: "3 runs",
  };
  const page = pageOf(CONTENT);

  test("begins with the totals of the rows", () => {
    const score = page.indexOf("ratios 1 of 2 within, 1 contradicted");
    expect(score).toBeGreaterThan(0);
    expect(score).toBeLessThan(page.indexOf("<section"));
  });

  test("has every row, with its verdict in words, and the drawing and notes of its figure", () => {
    expect(page).toContain('<span class="verdict within">within</span>');
    expect(page).toContain('<span class="verdict contradicted">contradicted</span>');
    expect(page).toContain("1.4 to 1.6");
    expect(page).toContain("<td>&lt;b&gt;</td>");
    expect(count(page, "<svg")).toBe(1);
    expect(page).toContain("Eight &amp; two.");
    expect(page).toContain("<h3>late fig4: Sort &amp; more</h3>");
  });

  test("prints a note on several figures only once, and other notes in their places", () => {
    const notes = [{ paper: "late", figures: ["fig4", "fig5"], text: "Eight & two." } as const];
    const both = pageOf({ ...CONTENT, rows: [ROW, { ...ROW, figure: "fig5" }], notes });
    expect(count(both, "Eight &amp; two.")).toBe(1);
    const [before = "", fig5 = ""] = both.split('<article id="late-fig5">');
    expect(before).toContain("Eight &amp; two.");
    expect(before).not.toContain("Notes: see");
    expect(fig5).toContain('Notes: see <a href="#late-fig4">fig4</a>.');
  });

  test("gives each row's source, number of runs, and remarks", () => {
    expect(page).toContain('<td class="number">17</td>');
    expect(page).toContain('<td class="source">section 5.2.2</td>');
    expect(page).toContain("<li>LATE over native, speedup: eight &amp; two runs</li>");
  });

  test("separates fitted figures from figures shown for other reasons", () => {
    expect(count(page, "fitted</span>")).toBe(1);
    expect(page).toContain('shown</span><span class="fitted">, fitted</span>');
  });

  test("keeps tables and pictures from making the page wider than the screen", () => {
    const wide = page.matchAll(/<(div|figure)( class="scroll")?><(table|svg)/g);
    const boxes = [...wide].map(([, , scrolls, what]) => [what, scrolls !== undefined]);
    expect(boxes.filter(([, scrolls]) => !scrolls)).toEqual([]);
    expect(boxes.map(([what]) => what).sort()).toEqual(["svg", "table", "table", "table", "table"]);
    expect(count(page, "<table") + count(page, "<svg")).toBe(boxes.length);
  });

  test("gives each paper's score and its failures at the top, with links", () => {
    const top = page.slice(0, page.indexOf('<section id="late"'));
    expect(top).toContain('<tr><td><a href="#late">late</a></td><td class="strip">');
    expect(top).toContain("<td>1 of 2</td><td>0</td><td>1</td><td>0</td>");
    expect(top).toContain("<summary>late: 1 contradicted, 0 same direction</summary>");
    expect(top).toContain('<td class="short"><a href="#late-fig4">fig4</a></td><td>&lt;b&gt;</td>');
    expect(page).toContain('<article id="late-fig4">');
  });

  test("names the page with our reasons, and links to it if it exists", () => {
    expect(page).toContain("What we think the reasons are: docs/papers/late.md");
    expect(pageOf({ ...CONTENT, docs: "../docs/papers" })).toContain(
      'What we think the reasons are: <a href="../docs/papers/late.md">docs/papers/late.md</a>',
    );
  });

  test("has our own studies in a section at its end, without verdicts", () => {
    const [before = "", own = ""] = page.split('<section id="ours"');
    expect(before).not.toContain("late-parameters");
    expect(own).toContain('<article id="late-parameters">');
    expect(own).not.toMatch(/verdict|<td>shown|left open<\/td>/);
  });

  test("with only our own studies does not mention the goal", () => {
    const own = pageOf({ ...CONTENT, rows: CONTENT.rows.filter(({ tag }) => tag === "ours") });
    expect(own).toContain('<article id="late-parameters">');
    expect(own).not.toMatch(/The goal|<section id="otherwise"/);
  });

  test("needs no other file", () => {
    expect(page).not.toMatch(/(src|href)="(?!#)|https?:|@import|url\(/);
    expect(page).toContain("prefers-color-scheme: dark");
  });
});
