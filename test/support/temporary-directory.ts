import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";

/**
 * The empty temporary directory that the system names while the tests of the file run. Files that
 * other processes left in the usual one are not seen.
 */
export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), "broomwagon-temporary-"));
  const usual = process.env.TMPDIR;
  beforeAll(() => {
    process.env.TMPDIR = directory;
  });
  afterAll(() => {
    if (usual === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = usual;
    rmSync(directory, { recursive: true });
  });
  return directory;
}
