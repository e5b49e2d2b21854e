import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { partName } from "../../src/data/index.ts";
import { defineJob, sum } from "../../src/job/index.ts";
import { programOf } from "../../src/job/program-of.ts";
import { compareOutput, runReference } from "./reference.ts";

const root = mkdtempSync(join(tmpdir(), "broomwagon-reference-"));
afterAll(() => rmSync(root, { recursive: true }));
const directory = join(root, "output");

const write = (part: number, text: string): void =>
  writeFileSync(join(directory, partName(part)), text);

describe("compareOutput", () => {
  const parts = ["a\t1\nb\t2\n", "", "c\t3\n"];

  beforeEach(() => {
    rmSync(directory, { recursive: true, force: true });
    mkdirSync(directory);
    for (const [i, part] of parts.entries()) write(i, part);
  });

  test("finds outputs equal that are equal to the byte, whatever other files exist", () => {
    writeFileSync(join(directory, "_SUCCESS"), "");
    expect(compareOutput({ directory, parts })).toEqual({ equal: true });
  });

  test("names the part and the line of the first difference, and its content", () => {
    write(0, "a\t1\nb\t3\n");
    const there = { equal: false, part: "part-00000", line: 2 };
    expect(compareOutput({ directory, parts })).toEqual({
      ...there,
      expected: "b\t2",
      found: "b\t3",
    });
    write(0, "a\t1\nb\t2");
    expect(compareOutput({ directory, parts })).toMatchObject({ equal: false, line: 3 });
    write(0, `${parts[0]}x\n`);
    expect(compareOutput({ directory, parts })).toMatchObject({
      line: 3,
      expected: "",
      found: "x",
    });
  });

  test("reports a missing part, even an empty one, and an extra part", () => {
    rmSync(join(directory, partName(2)));
    expect(compareOutput({ directory, parts })).toMatchObject({
      part: "part-00002",
      expected: "c\t3",
    });
    const more = ["a\t1\nb\t2\n", "", "", ""];
    expect(compareOutput({ directory, parts: more })).toMatchObject({ equal: false });
    write(2, parts[2] ?? "");
    write(3, "");
    expect(compareOutput({ directory, parts })).toMatchObject({ equal: false, part: "part-00003" });
  });

  test("for the whole, the cuts between parts do not matter", () => {
    const whole = { directory, by: "whole" } as const;
    expect(compareOutput({ ...whole, parts: [parts.join("")] })).toEqual({ equal: true });
    expect(compareOutput({ ...whole, parts: ["a\t1\n"] })).toMatchObject({ equal: false, line: 2 });
  });
});

test("runReference agrees with a hand count", async () => {
  const file = join(root, "a.txt");
  writeFileSync(file, "b a\nb\n\nb c");
  const job = defineJob({
    *map(line) {
      for (const word of line.split(" ")) if (word !== "") yield [word, 1];
    },
    reduce: sum(),
  });
  const reference = { program: programOf(job), params: {}, files: () => [file] };
  expect(await runReference({ ...reference, reduces: 1 })).toEqual([["a\t1\nb\t3\nc\t1\n"]]);
  const [three = []] = await runReference({ ...reference, reduces: 3 });
  expect(three.join("").split("\n").sort()).toEqual(["", "a\t1", "b\t3", "c\t1"]);
});
