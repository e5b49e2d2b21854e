import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { answerOf } from "./answer.ts";

let place: string;
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), "answer-"));
});
afterEach(() => rmSync(place, { recursive: true }));

/** A file, or a directory of files. */
function written(name: string, content: string | Readonly<Record<string, string>>): string {
  const path = join(place, name);
  if (typeof content === "string") {
    writeFileSync(path, content);
    return path;
  }
  mkdirSync(path);
  for (const [part, text] of Object.entries(content)) writeFileSync(join(path, part), text);
  return path;
}

test("parts in the order of their names are as good as one file", () => {
  const one = written("one", "a\t1\nb\t2\nc\t3\n");
  const parts = { "part-1": "c\t3\n", "part-0": "a\t1\nb\t2\n", _SUCCESS: "", ".part-0.crc": "x" };
  expect(answerOf(written("parts", parts), "fixed")).toEqual(answerOf(one, "fixed"));
});

test("order counts only where it is a part of the answer", () => {
  const up = written("up", "a\nb\n");
  const down = written("down", "b\na\n");
  expect(answerOf(up, "any")).toEqual(answerOf(down, "any"));
  expect(answerOf(up, "fixed")).not.toEqual(answerOf(down, "fixed"));
});

test("an extra line, a repeated line or a different byte is another answer", () => {
  const answers = ["a\nb\n", "a\nb\nb\n", "a\n\nb\n", "a\nc\n", "a\nb\0\n"].map(
    (text, i) => answerOf(written(`answer-${i}`, text), "any").checksum,
  );
  expect(new Set(answers).size).toBe(answers.length);
});
