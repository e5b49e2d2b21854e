import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { areThreadsAsleep, familyBytes, PeakMemory } from "./memory.ts";
import { processes } from "./processes.ts";

const BIN = fileURLToPath(new URL("../../../bin/broomwagon.js", import.meta.url));
/** The number of lines per write. */
const BLOCK_LINES = 50_000;
/** Threads of reduces begin a second after the others: a cluster that was quiet longer has all. */
const QUIET_LOOKS = 15;

export interface MeasuredCluster {
  readonly nodes: number;
  /** The slots of each kind on each node. */
  readonly slots: number;
  /** In the form of the flag. */
  readonly memory: string;
}

export interface MeasuredRun {
  /** The exit code. */
  readonly code: number;
  readonly printed: string;
  readonly problems: string;
  /** The most memory of all processes, above an idle cluster's. */
  readonly aboveIdleBytes: number;
}

/** A directory with data and jobs; the memory of whole runs is measured from outside. */
export class MemoryBench {
  readonly path = mkdtempSync(join(tmpdir(), "broomwagon-memory-"));
  readonly #idle = new Map<string, Promise<number>>();

  constructor() {
    // A directory that others may enter cannot hold the socket.
    chmodSync(this.path, 0o700);
  }

  remove(): void {
    rmSync(this.path, { recursive: true });
  }

  /** Writes a file of `count` lines; returns its path. */
  lines(name: string, count: number, line: (index: number) => string): string {
    const path = join(this.path, name);
    writeFileSync(path, "");
    for (let from = 0; from < count; from += BLOCK_LINES) {
      const length = Math.min(BLOCK_LINES, count - from);
      const some = Array.from({ length }, (_, i) => line(from + i));
      appendFileSync(path, `${some.join("\n")}\n`);
    }
    return path;
  }

  /** Runs the job, given as text, as a user would, and prints its memory. */
  async run(
    name: string,
    job: string,
    { input, cluster }: { readonly input: readonly string[]; readonly cluster: MeasuredCluster },
  ): Promise<MeasuredRun> {
    const idleBytes = await this.#idleBytes(cluster);
    const path = join(this.path, `${name}.ts`);
    const output = join(this.path, name);
    writeFileSync(path, job);
    const own = ["--output", output, "--run-dir", join(this.path, "runs")];
    const flags = ["--input", ...input, ...own, ...flagsOf(cluster), "--quiet", "-o", "json"];
    const child = spawn(process.execPath, [BIN, "run", path, ...flags], {
      stdio: ["ignore", "pipe", "pipe"],
    });
    let [printed, problems] = ["", ""];
    child.stdout.on("data", (text) => {
      printed += text;
    });
    child.stderr.on("data", (text) => {
      problems += text;
    });
    const peak = new PeakMemory(pidOf(child));
    const [code] = await once(child, "close");
    const peakBytes = peak.end();
    rmSync(output, { recursive: true, force: true });
    const [base, most] = [idleBytes, peakBytes].map((bytes) => (bytes / 1e6).toFixed(1));
    const of = `${cluster.nodes} nodes of ${cluster.slots} slots`;
    console.log(
      `${name}, ${of}: base ${base} MB, peak ${most} MB, allowed ${cluster.memory} above`,
    );
    return { code, printed, problems, aboveIdleBytes: peakBytes - idleBytes };
  }

  #idleBytes(cluster: MeasuredCluster): Promise<number> {
    const key = flagsOf(cluster).join(" ");
    const known = this.#idle.get(key) ?? this.#measureIdle(cluster);
    this.#idle.set(key, known);
    return known;
  }

  /** The memory of the same cluster when all its threads exist and are idle. */
  async #measureIdle(cluster: MeasuredCluster): Promise<number> {
    const own = ["--socket", join(this.path, "socket"), "--run-dir", join(this.path, "served")];
    const child = spawn(process.execPath, [BIN, "serve", ...own, ...flagsOf(cluster)], {
      stdio: "ignore",
    });
    let bytes = 0;
    let quietLooks = 0;
    while (quietLooks < QUIET_LOOKS) {
      await sleep(200);
      const before = bytes;
      bytes = familyBytes(pidOf(child));
      const nodes = processes().filter(({ parent }) => parent === child.pid);
      const isQuiet = nodes.every(({ pid }) => areThreadsAsleep(pid));
      const isSame = Math.abs(bytes - before) < 500_000;
      quietLooks = nodes.length === cluster.nodes && isQuiet && isSame ? quietLooks + 1 : 0;
    }
    child.kill("SIGTERM");
    await once(child, "exit");
    return bytes;
  }
}

const flagsOf = ({ nodes, slots, memory }: MeasuredCluster): readonly string[] => [
  ...["--nodes", `${nodes}`, "--slots", `${slots}`, "--memory", memory],
];

function pidOf({ pid }: ChildProcess): number {
  if (pid === undefined) throw new Error("a process that has not begun");
  return pid;
}
