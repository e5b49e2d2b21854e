import { describe, expect, test } from "vitest";
import type { Bars, Curves, Points } from "../drawing.ts";
import type { ReportRow } from "../published.ts";
import { draw } from "./draw.ts";
import { pageOf } from "./page.ts";
import { linearScale, logScale } from "./scale.ts";

const PIXELS = { from: 0, to: 100 };
const texts = (scale: { readonly ticks: readonly { readonly text: string }[] }) =>
  scale.ticks.map(({ text }) => text);

describe("a scale", () => {
  test("marks steps of 1, 2 or 5, its ends among them", () => {
    expect(texts(linearScale({ from: 0, to: 1 }, PIXELS))).toEqual([
      "0",
      "0.2",
      "0.4",
      "0.6",
      "0.8",
      "1",
    ]);
    expect(texts(linearScale({ from: -3, to: 11 }, PIXELS))).toEqual(["-5", "0", "5", "10", "15"]);
    expect(texts(linearScale({ from: 0, to: 745 }, PIXELS))).toEqual([
      "0",
      "200",
      "400",
      "600",
      "800",
    ]);
  });

  test("of logarithms puts equal factors equally far apart", () => {
    const scale = logScale({ from: 1, to: 100 }, PIXELS);
    expect(scale.at(10)).toBeCloseTo(50, 9);
    expect(texts(scale)).toEqual(["1", "2", "5", "10", "20", "50", "100"]);
    expect(texts(logScale({ from: 1, to: 1e6 }, PIXELS))).toEqual([
      "1",
      "10",
      "100",
      "1000",
      "10000",
      "100000",
      "1000000",
    ]);
  });

  test("of one value alone has room for it", () => {
    expect(linearScale({ from: 3, to: 3 }, PIXELS).at(3)).toBe(0);
  });
});

const BARS: Bars = {
  kind: "bars",
  figure: "fig4",
  title: "Sort <with> stragglers",
  y: { title: "response, native = 1" },
  groups: [
    {
      label: "no speculation",
      bars: [
        { series: "none", value: 2, low: 1.5, high: 2.5, published: 3.2 },
        { series: "late & co", value: -0.5 },
      ],
    },
  ],
};

const CURVES: Curves = {
  kind: "curves",
  figure: "fig10",
  title: "Response by cap",
  x: { title: "cap", log: true },
  y: { title: "s", from: 0 },
  steps: false,
  curves: [
    {
      label: "LATE",
      points: [
        { x: 0.1, y: 220, low: 210, high: 230 },
        { x: 1, y: 160 },
      ],
      published: [{ x: 0.2, y: 170 }],
    },
  ],
};

const POINTS: Points = {
  kind: "points",
  figure: "fig2",
  title: "Nodes",
  x: { title: "map, s" },
  y: { title: "reduce, s" },
  groups: [{ label: "level 1", points: [{ x: 1, y: 2 }] }],
};

const count = (text: string, part: string): number => text.split(part).length - 1;

describe("a drawing", () => {
  test("of bars has a bar for each value, its interval, and the published value beside it", () => {
    const markup = draw(BARS);
    expect(count(markup, "<rect")).toBe(2);
    expect(count(markup, 'class="whisker"')).toBe(1);
    expect(count(markup, 'class="published"')).toBe(1);
    expect(markup).toContain("none: 2 (1.5 to 2.5)");
    expect(markup).toContain("none, published: 3.2");
    expect(markup).toContain("late &amp; co: -0.5");
  });

  test("of bars keeps every bar, interval and mark within the picture", () => {
    const rects = draw(BARS).matchAll(/<rect [^>]*y="([\d.]+)"[^>]*height="([\d.]+)"/g);
    for (const [, y, height] of rects) {
      expect(Number(y)).toBeGreaterThanOrEqual(0);
      expect(Number(y) + Number(height)).toBeLessThanOrEqual(320);
    }
    expect(draw(BARS)).not.toMatch(/NaN|Infinity|undefined/);
  });

  test("of curves goes through its points, in steps if they are steps", () => {
    expect(draw(CURVES)).toMatch(/<path class="line s0" d="M64 [\d.]+L624 [\d.]+">/);
    expect(draw({ ...CURVES, steps: true })).toMatch(/d="M64 [\d.]+H624V[\d.]+"/);
    expect(count(draw(CURVES), 'class="published"')).toBe(1);
    expect(draw(CURVES)).not.toMatch(/NaN|Infinity|undefined/);
  });

  test("of points has one for each", () => {
    expect(count(draw(POINTS), "<circle")).toBe(1);
  });

  test("says what it shows to those who do not see it", () => {
    expect(draw(BARS)).toContain('aria-label="Sort &lt;with&gt; stragglers"');
  });
});

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
  const page = pageOf({
    rows: [
      ROW,
      { ...ROW, setting: "<b>", verdict: "contradicted", measured: null, remarks: [] },
      { ...ROW, setting: "the baseline", tag: "input", verdict: "shown", remarks: [] },
    ],
    drawings: [{ paper: "late", drawing: BARS }],
    notes: [{ paper: "late", figures: ["fig4"], text: "Eight & two." }],
    titles: [{ paper: "late", figures: ["fig4", "fig5"], text: "Sort & more" }],
    how: "3 runs",
  });

  test("begins with what the rows add up to", () => {
    const score = page.indexOf("orderings 0 of 0, ratios 1 of 2 within, 1 contradicted");
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

  test("says of each row where it is printed, of how many runs it is, and what is remarked", () => {
    expect(page).toContain('<td class="number">17</td>');
    expect(page).toContain('<td class="source">section 5.2.2</td>');
    expect(page).toContain("<li>LATE over native, speedup: eight &amp; two runs</li>");
  });

  test("tells what a model was fitted to apart from what is shown for other reasons", () => {
    expect(count(page, "fitted</span>")).toBe(1);
    expect(page).toContain('shown</span><span class="fitted">, fitted</span>');
  });

  test("lets no table and no picture make the whole page wider than its reader's screen", () => {
    const wide = page.matchAll(/<(div|figure)( class="scroll")?><(table|svg)/g);
    expect([...wide].map(([, , scrolls, what]) => [what, scrolls !== undefined])).toEqual([
      ["table", true],
      ["svg", true],
      ["table", true],
    ]);
    expect(count(page, "<table") + count(page, "<svg")).toBe(3);
  });

  test("needs nothing but itself", () => {
    expect(page).not.toMatch(/(src|href)="(?!#)|https?:|@import|url\(/);
    expect(page).toContain("prefers-color-scheme: dark");
  });
});
