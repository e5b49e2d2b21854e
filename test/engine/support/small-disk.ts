import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  rmdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A separate small file system in memory. Needs root, and `mount`. */
export class SmallDisk {
  readonly path: string;
  #fillers = 0;

  /** `files`: the most files and directories; no limit by default. */
  constructor(path: string, room: { readonly kilobytes: number; readonly files?: number }) {
    const { kilobytes, files = 0 } = room;
    this.path = path;
    mkdirSync(path, { recursive: true });
    const options = `size=${kilobytes}k,nr_inodes=${files}`;
    execFileSync("mount", ["-t", "tmpfs", "-o", options, "none", path], { stdio: "pipe" });
  }

  /** Until `empty`, leaves only `kilobytes` free, and no further file where files are limited. */
  fill(leaving: { readonly kilobytes: number } = { kilobytes: 0 }): void {
    for (let bytes = 1 << 20; bytes >= 1; bytes >>= 1) {
      while (this.#takes(() => appendFileSync(this.#filler(0), "x".repeat(bytes))));
    }
    const { size } = statSync(this.#filler(0));
    truncateSync(this.#filler(0), Math.max(0, size - 1024 * leaving.kilobytes));
    for (let file = 1; file < FILES_MAX; file++) {
      if (!this.#takes(() => writeFileSync(this.#filler(file), ""))) return;
    }
  }

  empty(): void {
    for (; this.#fillers > 0; this.#fillers--)
      rmSync(this.#filler(this.#fillers - 1), { force: true });
  }

  makeReadOnly(): void {
    execFileSync("mount", ["-o", "remount,ro", this.path], { stdio: "pipe" });
  }

  remove(): void {
    // A killed process may still have one of its files open.
    execFileSync("umount", ["--lazy", this.path], { stdio: "pipe" });
    rmdirSync(this.path);
  }

  #filler(file: number): string {
    this.#fillers = Math.max(this.#fillers, file + 1);
    return join(this.path, `${FILLER}${file}`);
  }

  #takes(work: () => void): boolean {
    try {
      work();
      return true;
    } catch (error) {
      if (error instanceof Error && "code" in error && error.code === "ENOSPC") return false;
      throw error;
    }
  }
}

/** The prefix of files that only take up room. */
export const FILLER = "filler-";
const FILES_MAX = 1_000;

/** Whether a small disk is possible here; prints a message if not. */
export function canMount(): boolean {
  const path = mkdtempSync(join(tmpdir(), "broomwagon-mount-"));
  try {
    new SmallDisk(path, { kilobytes: 64 }).remove();
    return true;
  } catch (error) {
    console.warn(`No file system can be mounted here: tests of full disks are skipped. ${error}`);
    rmdirSync(path);
    return false;
  }
}
