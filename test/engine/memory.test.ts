import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { familyBytes, PeakMemory } from "./support/memory.ts";
import { processes } from "./support/processes.ts";
import { randomFrom } from "./support/text.ts";

const BIN = fileURLToPath(new URL("../../bin/broomwagon.js", import.meta.url));
const place = mkdtempSync(join(tmpdir(), "broomwagon-memory-"));
const input = join(place, "lines.txt");
const CLUSTER = ["--nodes", "2", "--memory", "64MB"];
const PROMISED_BYTES = 64e6;
const INPUT_BYTES = 200e6;

let idleBytes = 0;

beforeAll(async () => {
  writeLines();
  idleBytes = await idle();
}, 60_000);
afterAll(() => rmSync(place, { recursive: true }));

/** Lines of 100 bytes in no order, many of which begin alike. */
function writeLines(): void {
  const random = randomFrom(1);
  const BLOCK_LINES = 50_000;
  writeFileSync(input, "");
  for (let lines = 0; lines < INPUT_BYTES / 100; lines += BLOCK_LINES) {
    const some = Array.from({ length: BLOCK_LINES }, (_, i) => {
      const key = Math.floor(random() ** 2 * 36 ** 6).toString(36);
      return `${key} ${lines + i} `.padEnd(99, "broom");
    });
    appendFileSync(input, `${some.join("\n")}\n`);
  }
}

/** What the same cluster holds when all its threads are there and it has nothing to do. */
async function idle(): Promise<number> {
  const own = ["--socket", join(place, "socket"), "--run-dir", join(place, "served")];
  const child = spawn(process.execPath, [BIN, "serve", ...own, ...CLUSTER], { stdio: "ignore" });
  let before = 0;
  let now = 0;
  for (let looks = 0; looks < 100; looks++) {
    await sleep(200);
    before = now;
    now = familyBytes(pidOf(child));
    const nodes = processes().filter(({ parent }) => parent === child.pid).length;
    // Threads of reduces begin a second after the others.
    if (looks > 10 && nodes === 2 && Math.abs(now - before) < 500_000) break;
  }
  child.kill("SIGTERM");
  await once(child, "exit");
  return now;
}

async function run(name: string, job: string, file = input) {
  const path = join(place, `${name}.ts`);
  writeFileSync(path, job);
  const own = ["--output", join(place, name), "--run-dir", join(place, "runs")];
  const flags = ["--input", file, ...own, ...CLUSTER, "--quiet", "-o", "json"];
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
  rmSync(join(place, name), { recursive: true, force: true });
  const [base, most] = [idleBytes, peakBytes].map((bytes) => (bytes / 1e6).toFixed(1));
  const promised = `${PROMISED_BYTES / 1e6} MB above it`;
  console.log(`${name}: base ${base} MB, peak ${most} MB, allowed ${promised}`);
  return { code, printed, problems, peakBytes };
}

function pidOf({ pid }: ChildProcess): number {
  if (pid === undefined) throw new Error("a process that has not begun");
  return pid;
}

describe("under --memory 64MB, all processes hold no more than that above an idle cluster", () => {
  test("in putting 200 MB of lines in order, without a line of the user's", async () => {
    const { code, peakBytes } = await run(
      "sort",
      `import { defineFlow, text } from "broomwagon/job";
      export default defineFlow("sort", (f) => {
        f.read("lines", text()).sortBy("sort").write(text());
      });`,
    );
    expect(code).toBe(0);
    expect(peakBytes - idleBytes).toBeLessThanOrEqual(PROMISED_BYTES);
  });

  test("in reducing texts that the user's code makes, with a huge group among them", async () => {
    const { code, printed, peakBytes } = await run(
      "groups",
      `import { defineJob } from "broomwagon/job";
      export default defineJob({
        *map(line) {
          yield [line.startsWith("1") ? "1" : line.slice(0, 3), line] as const;
        },
        *reduce(key, lines) {
          let [count, most] = [0, ""];
          for (const line of lines) {
            count++;
            if (line > most) most = line;
          }
          yield [key, count, most] as const;
        },
      });`,
    );
    expect(code).toBe(0);
    expect(peakBytes - idleBytes).toBeLessThanOrEqual(PROMISED_BYTES);
    // Far more than there was room for.
    const { phases, memory } = JSON.parse(printed);
    expect(phases[0].spills).toBeGreaterThan(10);
    expect(memory).toMatchObject({ promisedBytes: PROMISED_BYTES });
    expect(memory.peakBytes).toBeGreaterThan(memory.baseBytes);
  });

  test("and a record larger than that is an error that says so", async () => {
    const file = join(place, "one-line.txt");
    writeFileSync(file, Buffer.alloc(70e6, "x"));
    const { code, printed, problems, peakBytes } = await run(
      "large",
      `import { defineJob } from "broomwagon/job";
      export default defineJob({ *map(line) { yield [line.length, 1] as const; } });`,
      file,
    );
    expect(code).toBe(1);
    expect(`${printed}${problems}`).toMatch(
      /one-line\.txt: byte 0: expected a line end within \d+ bytes, which is what the task/,
    );
    expect(peakBytes - idleBytes).toBeLessThanOrEqual(PROMISED_BYTES);
  });
});
