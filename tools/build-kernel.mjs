// Compiles the kernels to WebAssembly, unless they are older than what was compiled last.
import { spawnSync } from "node:child_process";
import { readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const SOURCES = "src/data/kernel/assembly";
const OUT = "dist/data/kernel.wasm";
const FLAGS = "-O3 --noAssert --runtime stub --enable simd --enable bulk-memory --importMemory";

const changedAt = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

// Flags stand in this file, the compiler's version in the lock file.
const sources = readdirSync(SOURCES, { recursive: true }).map((name) => join(SOURCES, name));
const newest = Math.max(...[...sources, import.meta.filename, "package-lock.json"].map(changedAt));
if (changedAt(OUT) < newest) {
  const args = [join(SOURCES, "index.ts"), "-o", OUT, ...FLAGS.split(" ")];
  const { status } = spawnSync("asc", args, { stdio: "inherit" });
  process.exitCode = status ?? 1;
}

// The package exports the file, so that its path can be resolved.
writeFileSync(`${OUT}.d.ts`, "export {};\n");
