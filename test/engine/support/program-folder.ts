import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

/** What a program did. */
export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** A user's package, in a folder with a blank in its name, that has installed this checkout. */
export class ProgramFolder {
  readonly path = mkdtempSync(join(tmpdir(), "broomwagon programs-"));

  constructor(type: "module" | "commonjs" = "module") {
    this.write("package.json", JSON.stringify({ private: true, type }));
    this.write("in/text.txt", "to be or not to be\n".repeat(50));
    mkdirSync(join(this.path, "node_modules"));
    symlinkSync(ROOT, join(this.path, "node_modules/broomwagon"));
  }

  /** Returns the file's path. */
  write(name: string, text: string): string {
    const path = join(this.path, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    return path;
  }

  /** Runs Node, or another engine, in the folder. */
  run(args: readonly string[], engine = process.execPath): Ended {
    const { status, stdout, stderr } = spawnSync(engine, args, {
      cwd: this.path,
      encoding: "utf8",
      timeout: 120_000,
    });
    return { code: status, out: stdout, err: stderr };
  }

  /** Writes a program and runs it. */
  program(name: string, text: string, ...args: readonly string[]): Ended {
    this.write(name, text);
    return this.run([name, ...args]);
  }

  /** The runs that have left something. */
  runs(): readonly string[] {
    try {
      return readdirSync(join(this.path, ".broomwagon/runs"));
    } catch {
      return [];
    }
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}
