import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

export interface TemporaryFolder {
  readonly path: string;
  remove(): void;
}

/** A folder that lasts until it is removed; a signal that ends the process also removes it. */
export function temporaryFolder(): TemporaryFolder {
  const path = mkdtempSync(join(tmpdir(), "broomwagon-history-"));
  const remove = (): void => {
    for (const signal of SIGNALS) process.off(signal, end);
    rmSync(path, { recursive: true, force: true });
  };
  const end = (signal: NodeJS.Signals): void => {
    remove();
    process.kill(process.pid, signal);
  };
  for (const signal of SIGNALS) process.on(signal, end);
  return { path, remove };
}

/** A folder that exists while the work runs. */
export async function inTemporaryFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = temporaryFolder();
  try {
    return await work(folder.path);
  } finally {
    folder.remove();
  }
}
