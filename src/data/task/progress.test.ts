import { expect, test } from "vitest";
import { Pacer } from "./progress.ts";

/** The rooms at which a report was due, while each step takes `stepBytes` of `bytes`. */
function reports(bytes: number, stepBytes: number): number[] {
  let room = bytes;
  const pacer = new Pacer(() => room);
  const at: number[] = [];
  while (room > 0) {
    room -= stepBytes;
    if (pacer.step()) at.push(room);
  }
  while (!pacer.step()) room -= stepBytes;
  return [...at, room];
}

test("a report is due each time that half of the heap's room is taken, to its end", () => {
  const at = reports(64e6, 100);
  for (const [index, room] of at.entries()) {
    const before = at[index - 1] ?? 64e6;
    expect(before - room).toBeLessThanOrEqual(Math.max(1e6, before / 2) + 100);
  }
  expect(at.at(-1)).toBeGreaterThan(-1e6 - 100);
});
