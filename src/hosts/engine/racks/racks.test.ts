import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { RackLinks, Way } from "./racks.ts";

/** So slow that no link is idle again for hours: what is reserved adds up. */
const BYTES_PER_MS = 1e-4;

let directory = "";
let links: RackLinks;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "broomwagon-racks-"));
  links = new RackLinks({
    directory: join(directory, "links"),
    racks: 3,
    bytesPerMs: BYTES_PER_MS,
  });
});
afterEach(() => {
  links.close();
  rmSync(directory, { recursive: true });
});

/**
 * How much later the second's bytes are through than the first's before them, in times of what they
 * take by themselves.
 */
function later(first: { from: number; to: number }, second = first): number {
  const ways = [first, second].map((ends) => new Way(links.directory, ends));
  const [before, after] = ways.map((way) => way.take(1_000));
  for (const way of ways) way.close();
  if (before === undefined || after === undefined) throw new Error("two ways");
  return ((after.through - before.through) / after.bytes) * BYTES_PER_MS;
}

const [THERE, BACK] = [
  { from: 0, to: 1 },
  { from: 1, to: 0 },
];

describe("a way from rack to rack waits for the slower of two links", () => {
  const OTHERS = { up: 0, down: 0 };

  test.each([
    { link: "the first rack's up", rack: 0, others: { ...OTHERS, up: 0.9 }, slow: THERE },
    { link: "the second rack's down", rack: 1, others: { ...OTHERS, down: 0.9 }, slow: THERE },
    { link: "the second rack's up", rack: 1, others: { ...OTHERS, up: 0.9 }, slow: BACK },
    { link: "the first rack's down", rack: 0, others: { ...OTHERS, down: 0.9 }, slow: BACK },
  ])("if others take most of $link, one way alone is slow", ({ rack, others, slow }) => {
    const who = {};
    links.take(rack, who, others);
    expect(later(slow)).toBeCloseTo(10, 1);
    expect(later(slow === THERE ? BACK : THERE)).toBeCloseTo(1, 1);
    links.release(rack, who);
    expect(links.left(rack)).toEqual({ upBytesPerMs: BYTES_PER_MS, downBytesPerMs: BYTES_PER_MS });
  });
});

describe("what goes over one link goes one after the other", () => {
  test.each([
    { what: "out of a rack, to two others", first: { from: 0, to: 1 }, second: { from: 0, to: 2 } },
    { what: "into a rack, from two others", first: { from: 0, to: 2 }, second: { from: 1, to: 2 } },
  ])("$what", ({ first, second }) => {
    expect(later(first, second)).toBeCloseTo(1, 1);
  });

  test("but not what shares neither rack's link", () => {
    expect(later(THERE, { from: 1, to: 2 })).toBeCloseTo(0, 1);
  });
});
