import { expect, test } from "vitest";
import { Expansion } from "./expansion.ts";

const GB = 2 ** 30;

function grown(storedBytes: number, contentBytes: number): () => void {
  const expansion = new Expansion("log.gz");
  return () => {
    for (let part = 0; part < 100; part++) {
      expansion.addStored(storedBytes / 100);
      expansion.addContent(contentBytes / 100);
    }
  };
}

test("a log of any size is read, a small file of any kind, and no bomb", () => {
  expect(grown(5 * GB, 200 * GB)).not.toThrow();
  expect(grown(1_000, 1.9 * GB)).not.toThrow();
  expect(grown(3e6, 3 * GB)).toThrow(
    "log.gz: expected a log, found more than 400 times the bytes that are stored: if that is " +
      "right, decompress it first",
  );
});
