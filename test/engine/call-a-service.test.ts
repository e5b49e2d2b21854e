import { type ChildProcess, execFile, execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";

/** The example, its service and its data, as a newcomer runs them. */
const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "broomwagon-service-"));
let service: ChildProcess;
let url: string;

beforeAll(async () => {
  execFileSync(process.execPath, [join(ROOT, "examples", "make-data.mjs"), join(folder, "data")]);
  service = spawn(process.execPath, [join(ROOT, "examples", "topic-service.mjs"), "0"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  if (service.stdout === null) throw new Error("the service prints its address");
  for await (const line of createInterface({ input: service.stdout })) {
    url = line;
    break;
  }
});
afterAll(() => {
  service.kill();
  rmSync(folder, { recursive: true });
});

test("call-a-service counts visits by the topics that the service knows", async () => {
  await promisify(execFile)(
    process.execPath,
    [
      join(ROOT, "bin", "broomwagon.js"),
      ...["run", join(ROOT, "examples", "call-a-service.ts"), "--quiet"],
      ...["--input", "data/visits.csv", "--output", "topics", "--param", `service=${url}`],
    ],
    { cwd: folder },
  );
  const visits = new Map<string, number>();
  for (const row of readFileSync(join(folder, "data", "visits.csv"), "utf8").split("\n")) {
    const [, page = "", , status] = row.split(",");
    if (status === "200") visits.set(page, (visits.get(page) ?? 0) + 1);
  }
  expect(visits.size).toBeGreaterThan(500);
  const byTopic = new Map<string, number>();
  for (const [page, times] of visits) {
    // The service has answered for each page by now, and is not busy again.
    const answer = await fetch(`${url}/topics/${encodeURIComponent(page)}`);
    expect(answer.status).toBe(200);
    const { topic } = JSON.parse(await answer.text());
    byTopic.set(topic, (byTopic.get(topic) ?? 0) + times);
  }
  const meant = Array.from(byTopic, ([topic, times]) => `${topic}\t${times}\n`).sort();
  expect(readFileSync(join(folder, "topics", "part-00000"), "utf8")).toBe(meant.join(""));
  expect(byTopic.size).toBe(5);
});
