import { describe, expect, test } from "vitest";
import { examplesText } from "../../src/cli/help.ts";
import { table, wrap } from "../../src/cli/table.ts";
import { bytes, counted, number, seconds } from "../../src/report/quantity.ts";
import { whyText } from "../../src/report/why-text.ts";

describe("table", () => {
  test("a long path breaks behind its folders before the other columns become narrow", () => {
    const path = "/home/somebody/projects/broomwagon/yarn-plugin/target/broomwagon-yarn.jar";
    const text = table([{ title: "for" }, { title: "found" }], [["run, serve, demo", path]], 60);
    expect(text.split("\n").slice(2)).toEqual([
      "run, serve, demo  /home/somebody/projects/broomwagon/",
      "                  yarn-plugin/target/broomwagon-yarn.jar",
    ]);
  });

  test("a long path inside a sentence stays whole, and the sentence goes below its row", () => {
    const where = "(/home/somebody/projects/jobs/thrower.ts:5)";
    const rows = [["thrower", `loop round: no such round ${where}`]];
    const text = table([{ title: "job" }, { title: "message" }], rows, 50);
    expect(text.split("\n")).toEqual([
      "job",
      "    message",
      "-------",
      "thrower",
      "    loop round: no such round",
      `    ${where}`,
    ]);
  });

  test("columns are as wide as their widest cell, numbers stand right", () => {
    const text = table(
      [{ title: "name" }, { title: "ms", align: "right" }],
      [
        ["late", "1200"],
        ["a-long-name", "7"],
      ],
    );
    expect(text.split("\n")).toEqual([
      "name           ms",
      "-----------  ----",
      "late         1200",
      "a-long-name     7",
    ]);
  });

  test("escape sequences take no room", () => {
    const text = table([{ title: "a" }, { title: "b" }], [["\u001b[31mx\u001b[39m", "y"]]);
    expect(text.split("\n").at(-1)).toBe("\u001b[31mx\u001b[39m  y");
  });
});

describe("a table that is wider than the screen", () => {
  const words = "words ".repeat(10).trim();
  const columns = [
    { title: "job name" },
    { title: "time s", align: "right" as const },
    { title: "why" },
  ];
  const row = ["word-count", "12.3 ± 4.5", words];

  test.each([100, 70, 60, 50, 40, 30, 20])("at %d columns breaks no word", (width) => {
    const text = table(columns, [row, row], width);
    for (const line of text.split("\n")) expect(line.length).toBeLessThanOrEqual(width);
    const rest = text.split(/\s+/).filter((word) => !/^-+$/.test(word));
    expect(rest.filter((word) => !`${row.join(" ")} job name time s why`.includes(word))).toEqual(
      [],
    );
    expect(rest.filter((word) => word === "words")).toHaveLength(20);
  });

  test("has prose below its row where there is little room", () => {
    expect(table(columns, [row], 40).split("\n")).toEqual([
      "job name        time s",
      "    why",
      "----------  ----------",
      "word-count  12.3 ± 4.5",
      "    words words words words words words",
      "    words words words words",
    ]);
  });

  test("has a line for each cell if even the short columns do not fit", () => {
    expect(table(columns, [["word-count", "12.3 ± 4.5", "one two"]], 20).split("\n")).toEqual([
      "job name  word-count",
      "time s    12.3 ± 4.5",
      "why       one two",
    ]);
  });

  test("leaves out the columns with a rank, the lowest first, before it has prose below", () => {
    const ranked = [
      { title: "name" },
      { title: "left", leaveOut: 2 },
      { title: "first", leaveOut: 1 },
      { title: "last" },
    ];
    const cells = ["a-name", "kept-long", "dropped-long", "answer"];
    expect(table(ranked, [cells], 30).split("\n")).toEqual([
      "name    left       last",
      "------  ---------  ------",
      "a-name  kept-long  answer",
      "Too narrow for the columns:",
      "first.",
    ]);
    expect(table(ranked, [cells], 20).split("\n")).toEqual([
      "name    last",
      "------  ------",
      "a-name  answer",
      "Too narrow for the",
      "columns: left,",
      "first.",
    ]);
  });

  test("is measured in cells of the terminal", () => {
    const text = table([{ title: "a" }, { title: "b" }], [["日本", "x"]]);
    expect(text.split("\n")).toEqual(["a     b", "----  -", "日本  x"]);
  });
});

test("a last column that is too wide continues below itself", () => {
  const words = "words ".repeat(10).trim();
  const text = table([{ title: "a" }, { title: "why" }], [["x", words]], 33);
  expect(text.split("\n")).toEqual([
    "a  why",
    `-  ${"-".repeat(30)}`,
    "x  words words words words words",
    "   words words words words words",
  ]);
});

test("a number stays with its unit, and a range in one piece", () => {
  expect(wrap("took 12.3 s [1.2, 3.4] of 1.5 to 2.5, up to 9 % or 3 MB", 13)).toEqual([
    "took 12.3 s",
    "[1.2, 3.4] of",
    "1.5 to 2.5,",
    "up to 9 % or",
    "3 MB",
  ]);
});

test("wrap cuts at spaces and never inside a word", () => {
  expect(wrap("one two three", 7)).toEqual(["one two", "three"]);
  expect(wrap("incomprehensible", 7)).toEqual(["incomprehensible"]);
});

test.each([
  [0, "0.0 s"],
  [1234, "1.2 s"],
  [119_900, "119.9 s"],
  [185_000, "3 min 5 s"],
  [Number.POSITIVE_INFINITY, "Infinity"],
])("%d ms read as %s", (ms, text) => expect(seconds(ms)).toBe(text));

test.each([
  [999, "999 B"],
  [83_100_000, "83.1 MB"],
])("%d bytes read as %s", (count, text) => expect(bytes(count)).toBe(text));

test.each([
  [12, "12"],
  [0.123456, "0.1235"],
  [12_345.6, "12346"],
])("the number %d reads as %s", (value, text) => expect(number(value)).toBe(text));

test("a counted noun is singular only for 1", () => {
  expect([counted(1, "map"), counted(0, "map"), counted(2, "copy", "copies")]).toEqual([
    "1 map",
    "0 maps",
    "2 copies",
  ]);
});

test("a why reads as a sentence, whose numbers have their units", () => {
  const numbers = { timeLeftMs: 2_100, ratePerMs: 0.0003102, slowTaskPerMs: 0.0005666, cap: 1 };
  expect(whyText({ rule: "longest-time-left", numbers })).toBe(
    "copied because it would end last: 2.1 s left at 0.31/s; a task is slow below 0.57/s",
  );
  expect(whyText({ rule: "node-local", numbers: {} })).toBe("the task's data is on this node");
});

test("an example of the help breaks before a flag, and each line can be typed as it is", () => {
  const example = "run job.ts --input logs --output hits --param pattern=error --slow n2=4";
  expect(examplesText([example], 60).split("\n")).toEqual([
    "",
    "Example:",
    "  $ broomwagon run job.ts --input logs --output hits \\",
    "      --param pattern=error --slow n2=4",
  ]);
});
