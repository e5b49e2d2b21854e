import { lookup } from "node:dns";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { SmallWebHdfs } from "../../../../test/support/small-web-hdfs.ts";
import { WebClient } from "./web-client.ts";
import { WebHdfs } from "./web-hdfs.ts";

let small: SmallWebHdfs;
let hdfs: WebHdfs;
let directory: string;

beforeEach(async () => {
  small = new SmallWebHdfs();
  const services = [await small.start()];
  hdfs = new WebHdfs({ client: new WebClient(lookup, "ann"), services });
  directory = mkdtempSync(join(tmpdir(), "broomwagon-hdfs-"));
});
afterEach(() => {
  small.close();
  rmSync(directory, { recursive: true });
});

test.each([0, 1, 20_000_000])(
  "a file of %i bytes comes in pieces, and is the same",
  async (bytes) => {
    const content = Buffer.alloc(bytes, "abcdefg");
    small.put("/a/journal", content);
    const to = join(directory, "journal");
    await hdfs.fetch("/a/journal", to);
    expect(readFileSync(to).equals(content)).toBe(true);
    const lengths: number[] = [];
    for await (const piece of hdfs.pieces("/a/journal", { start: 0, end: bytes })) {
      lengths.push(piece.length);
    }
    expect(Math.max(0, ...lengths)).toBeLessThanOrEqual(16 * 1024 * 1024);
    expect(lengths.length).toBe(Math.ceil(bytes / (16 * 1024 * 1024)));
  },
);

test("a file has no entries, though HDFS answers with the file", async () => {
  small.put("/a/journal", Buffer.of());
  expect((await hdfs.list("/a")).map(({ path }) => path)).toEqual(["/a/journal"]);
  expect(await hdfs.list("/a/journal")).toEqual([]);
});

test("a missing path is an error of the user's", async () => {
  await expect(hdfs.fetch("/a/journal", join(directory, "journal"))).rejects.toThrow(
    "hdfs /a/journal: this file is gone",
  );
});
