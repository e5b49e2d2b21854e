import { type ChildProcess, spawn } from "node:child_process";
import { availableParallelism, loadavg } from "node:os";
import { createInterface } from "node:readline";

/** How a program ended. */
export type Ended = "itself" | "hung" | "stopped";

const running = new Set<ChildProcess>();

/**
 * Runs a program and hands over each line of its output. A program without a line for so many
 * milliseconds hangs, and is killed with all processes that it has started; so is a program that
 * `onLine` wants no more of. On a machine with more work than processors, the program gets the
 * longer time that the load of the last minute asks for.
 */
export function watched(
  args: readonly string[],
  of: {
    readonly cwd: string;
    readonly env?: NodeJS.ProcessEnv;
    readonly silentMs: number;
    readonly onLine: (line: string) => "more" | "enough";
  },
): Promise<{ readonly ended: Ended; readonly code: number | null }> {
  const child = spawn(process.execPath, ["--max-old-space-size=2048", ...args], {
    cwd: of.cwd,
    env: { ...process.env, ...of.env },
    stdio: ["ignore", "pipe", "ignore"],
    // A process group of its own.
    detached: true,
  });
  running.add(child);
  let ended: Ended = "itself";
  const end = (how: Ended): void => {
    ended = how;
    killGroup(child);
  };
  let spokeAt = performance.now();
  const timer = setTimeout(look, of.silentMs);
  function look(): void {
    if (performance.now() - spokeAt >= of.silentMs * workPerProcessor()) end("hung");
    else timer.refresh();
  }
  createInterface({ input: child.stdout }).on("line", (line) => {
    spokeAt = performance.now();
    timer.refresh();
    if (ended === "itself" && of.onLine(line) === "enough") end("stopped");
  });
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => {
      clearTimeout(timer);
      running.delete(child);
      resolve({ ended, code });
    });
  });
}

/** How many processes each processor has had to serve over the last minute; at least 1. */
function workPerProcessor(): number {
  return Math.max(1, (loadavg()[0] as number) / availableParallelism());
}

/** Ends every program that still runs. */
export function endAll(): void {
  for (const child of running) killGroup(child);
}

function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch (error) {
    // It has ended on its own in the meantime.
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}
