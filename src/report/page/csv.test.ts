import { expect, test } from "vitest";
import { csv } from "./csv.ts";

test("fields with commas, quotes and line ends are quoted; unknown ones are empty", () => {
  const rows = [
    { node: 'a,"b"', ms: 1, bytes: null },
    { node: "two\nlines", ms: -2, bytes: 3 },
  ];
  expect(csv(rows)).toBe('node,ms,bytes\r\n"a,""b""",1,\r\n"two\nlines",-2,3\r\n');
});

test("a name that a spreadsheet would run as a formula stays text", () => {
  expect(csv([{ node: "=cmd()" }])).toBe("node\r\n'=cmd()\r\n");
});
