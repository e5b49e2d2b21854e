import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The repository: what is measured, and the jobs as they are written, stand below it. */
export const ROOT = fileURLToPath(new URL(".", import.meta.resolve("broomwagon/package.json")));

/** Where data is kept from one benchmark to the next. */
export const DATA = join(ROOT, ".build/bench-data");

const RUNS = join(ROOT, ".build/bench-runs");

/** A directory for one run of one contestant, which is gone when it is over. */
export async function withPlace<T>(use: (place: string) => Promise<T>): Promise<T> {
  mkdirSync(RUNS, { recursive: true });
  const place = mkdtempSync(join(RUNS, "run-"));
  try {
    return await use(place);
  } finally {
    rmSync(place, { recursive: true });
  }
}
