import { setTimeout as sleep } from "node:timers/promises";

/**
 * Looks again and again until there is something to see. What is waited for must come: whoever
 * calls says when it did not.
 */
export async function seen<T>(look: () => Promise<T | undefined> | T | undefined): Promise<T> {
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    await sleep(200);
  }
}
