import { setTimeout as sleep } from "node:timers/promises";

const PATIENCE_S = 150;

/** Polls every 200 ms until `what` appears; fails, naming `what`, after 150 s. */
export async function seen<T>(
  what: string,
  look: () => Promise<T | undefined> | T | undefined,
): Promise<T> {
  const end = performance.now() + PATIENCE_S * 1000;
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    if (performance.now() > end) throw new Error(`${what}: not seen in ${PATIENCE_S} s`);
    await sleep(200);
  }
}
