import { describe, expect, test } from "vitest";
import { draw } from "./draw.ts";
import type { Bars, Curves, Points } from "./drawing.ts";

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

  test("of points has a mark for each", () => {
    expect(count(draw(POINTS), "<circle")).toBe(1);
  });

  test("describes itself to readers who cannot see it", () => {
    expect(draw(BARS)).toContain('aria-label="Sort &lt;with&gt; stragglers"');
  });
});
