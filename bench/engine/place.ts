import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The repository's root, below which the measured program and the job files are. */
export const ROOT = fileURLToPath(new URL(".", import.meta.resolve("broomwagon/package.json")));

/** Keeps data from one benchmark to the next. */
export const DATA = join(ROOT, ".build/bench-data");

const RUNS = join(ROOT, ".build/bench-runs");

/** Gives `use` a directory for one run of one contestant, and removes it afterwards. */
export async function withPlace<T>(use: (place: string) => Promise<T>): Promise<T> {
  mkdirSync(RUNS, { recursive: true });
  const place = mkdtempSync(join(RUNS, "run-"));
  try {
    return await use(place);
  } finally {
    rmSync(place, { recursive: true });
  }
}
