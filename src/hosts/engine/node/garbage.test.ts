import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { heldBytes } from "../../../data/task/heap.ts";
import { Garbage } from "./garbage.ts";

/** The most memory held above the start while buffers come and go. */
async function mostHeld(look: () => void): Promise<number> {
  const before = heldBytes();
  let most = 0;
  for (let made = 0; made < 400; made++) {
    // Outside the heap: V8 alone lets 32 MB of buffers pile up.
    new Uint8Array(100_000).fill(made);
    look();
    most = Math.max(most, heldBytes() - before);
    // Buffers are freed between events, by a thread that may have to wait for a processor.
    if (made % 10 === 0) await sleep(2);
  }
  return most;
}

test("garbage is collected before it exceeds its limit", async () => {
  const garbage = new Garbage(0);
  const looked = await mostHeld(() => garbage.look());
  // On a busy machine, what one collection found is freed by the next: twice the limit of 6 MB.
  expect(looked).toBeLessThan(13e6);
  expect(await mostHeld(() => {})).toBeGreaterThan(looked);
});
