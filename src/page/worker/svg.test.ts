import { describe, expect, test } from "vitest";
import { type Call, svgOf } from "./svg.ts";

const LOOK: Call["look"] = {
  fillStyle: "#102030",
  strokeStyle: "#405060",
  globalAlpha: 1,
  lineWidth: 2,
  dash: "",
  textAlign: "left",
  textBaseline: "alphabetic",
  e: 0,
  f: 0,
  isUnder: false,
};

const drawn = (...calls: readonly (readonly [Call["name"], Call["given"], object?])[]): string =>
  svgOf({
    width: 30,
    height: 20,
    paper: "#ffffff",
    calls: calls.map(([name, given, look]) => ({ name, given, look: { ...LOOK, ...look } })),
  }).replace(/^.*?<\/path>/, "");

describe("what a canvas draws, in vectors", () => {
  test("a box has the colour, the opacity and the place of its moment", () => {
    const look = { fillStyle: "rgba(1, 2, 3, 0.5)", globalAlpha: 0.5, e: 10 };
    expect(drawn(["fillRect", [1, 2, 3, 4], look])).toBe(
      '<path d="M1 2h3v4h-3z" fill="rgb(1, 2, 3)" opacity="0.25" transform="translate(10 0)">' +
        "</path></svg>",
    );
  });

  test("a path is what was drawn since it began, and is cut to what was cut out", () => {
    const text = drawn(
      ["beginPath", []],
      ["rect", [0, 0, 5, 5]],
      ["clip", []],
      ["beginPath", []],
      ["moveTo", [1, 1]],
      ["lineTo", [9, 9]],
      ["stroke", [], { dash: "3 3" }],
      ["restore", []],
      ["stroke", []],
    );
    expect(text).toMatch(/^<clipPath id="(c\d+)"><path d="M0 0h5v5h-5z"><\/path><\/clipPath>/);
    expect(text).toMatch(/<path d="M1 1L9 9" fill="none" .*stroke-dasharray="3 3" clip-path="url/);
    expect(text.match(/clip-path=/g)).toHaveLength(1);
  });

  test("words are text, whatever they are; what is drawn below comes first", () => {
    const look = { textAlign: "right", textBaseline: "middle" };
    const text = drawn(
      ["fillText", ["<n1> & co", 5, 6, 40], look],
      ["fillRect", [0, 0, 1, 1], { isUnder: true }],
      ["fillRect", [0, 0, 2, 2], { isUnder: true }],
    );
    expect(text).toMatch(/^<path d="M0 0h2.*<path d="M0 0h1.*<text x="5" y="10"/);
    expect(text).toContain('text-anchor="end" textLength="40"');
    expect(text).toContain(">&lt;n1&gt; &amp; co</text>");
  });
});
