import { readdirSync, readFileSync } from "node:fs";

const EVERY_MS = 100;

/** Watches the memory of a process and its descendants: the sum of their proportional set sizes. */
export function watchMemory(root: number): { end(): number } {
  let peakBytes = 0;
  const timer = setInterval(() => {
    peakBytes = Math.max(
      peakBytes,
      familyOf(root).reduce((sum, pid) => sum + heldBytes(pid), 0),
    );
  }, EVERY_MS);
  return {
    end() {
      clearInterval(timer);
      return peakBytes;
    },
  };
}

/** The process and its descendants, while their parents live. */
function familyOf(root: number): readonly number[] {
  const children = new Map<number, number[]>();
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    // The name in parentheses may contain anything; the parent is the second field after it.
    const parent = /\) \S+ (\d+) [^)]*$/.exec(textOf(`/proc/${name}/stat`))?.[1];
    if (parent === undefined) continue;
    const siblings = children.get(Number(parent)) ?? [];
    siblings.push(Number(name));
    children.set(Number(parent), siblings);
  }
  const family = [root];
  for (const pid of family) family.push(...(children.get(pid) ?? []));
  return family;
}

function heldBytes(pid: number): number {
  const kilobytes = /^Pss: +(\d+) kB$/m.exec(textOf(`/proc/${pid}/smaps_rollup`))?.[1];
  return Number(kilobytes ?? 0) * 1024;
}

/** Empty if the process is gone. */
function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
