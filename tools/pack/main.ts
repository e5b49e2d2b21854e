/**
 * What `npm pack` calls: `publish PID` before it packs, where PID is npm's own process, and
 * `restore` after it has. If npm ends before that, `restore-after PID...`, which waits for the end
 * of those processes, restores.
 */
import { spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { publish, restore } from "./publish.ts";

const [act, ...pids] = process.argv.slice(2);
const root = process.cwd();

if (act === "publish") {
  const self = fileURLToPath(import.meta.url);
  const args = [self, "restore-after", ...processes(pids), process.pid].map(String);
  spawn(process.execPath, args, { detached: true, stdio: "ignore" }).unref();
  publish(root);
} else {
  while (processes(pids).some(isAlive)) await sleep(50);
  restore(root);
}

function processes(texts: readonly string[]): readonly number[] {
  const ids = texts.map(Number);
  if (ids.every((id) => Number.isInteger(id) && id > 0)) return ids;
  throw new Error(
    `expected numbers of processes, found ${texts.join(" ")}: npm needs a POSIX shell`,
  );
}

function isAlive(id: number): boolean {
  try {
    return process.kill(id, 0);
  } catch {
    return false;
  }
}
