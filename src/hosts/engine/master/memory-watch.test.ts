import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { MemoryWatch } from "./memory-watch.ts";

test("the base is the memory held when no job last had work", async () => {
  const watch = new MemoryWatch(64e6, () => [process.pid]);
  const look = async (what: "base" | "peak", bytes: number): Promise<number> => {
    const at = (): number => watch.facts?.[`${what}Bytes`] ?? 0;
    while (at() < bytes) {
      if (what === "base") watch.isIdle();
      else watch.mayLook();
      await sleep(20);
    }
    return at();
  };
  const first = await look("base", 1);
  const held = [Buffer.alloc(40e6, 1)];
  // Threads have begun meanwhile.
  const base = await look("base", first + 30e6);
  held.push(Buffer.alloc(40e6, 1));
  expect(await look("peak", base + 30e6)).toBeGreaterThan(base);
  expect(watch.facts).toMatchObject({ promisedBytes: 64e6, baseBytes: base });
  expect(held).toHaveLength(2);
});
