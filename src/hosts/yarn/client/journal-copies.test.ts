import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { JournalCopies } from "./journal-copies.ts";

test("whole lines are added as they arrive, to one file per master", async () => {
  const folder = mkdtempSync(join(tmpdir(), "broomwagon-copies-"));
  const begun: string[] = [];
  const copies = new JournalCopies(folder, (path) => begun.push(path));
  const look = (container: string, log: string) =>
    copies.look(container, async (bytes) => {
      const contents = Buffer.from(log);
      return { fileBytes: contents.length, contents: contents.subarray(-bytes) };
    });
  await look("c1", "");
  await look("c1", "one\ntw");
  await look("c1", "one\ntwo\nthree\n");
  await look("c2", "other\n");
  const read = (name: string): string => readFileSync(join(folder, name), "utf8");
  expect(read("live-c1.ndjson")).toBe("one\ntwo\nthree\n");
  expect(read("live-c2.ndjson")).toBe("other\n");
  expect(begun).toEqual(["live-c1.ndjson", "live-c2.ndjson"].map((name) => join(folder, name)));
  rmSync(folder, { recursive: true });
});

test("after missed lines nothing is added, since the copy would not replay", async () => {
  const folder = mkdtempSync(join(tmpdir(), "broomwagon-copies-"));
  const copies = new JournalCopies(folder, () => {});
  const look = (fileBytes: number, contents: string) =>
    copies.look("c", async () => ({ fileBytes, contents: Buffer.from(contents) }));
  await look(4, "one\n");
  await look(1_000, "end\nlast\n");
  await look(1_005, "end\nlast\nmore\n");
  expect(readFileSync(join(folder, "live-c.ndjson"), "utf8")).toBe("one\n");
  rmSync(folder, { recursive: true });
});
