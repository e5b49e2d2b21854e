import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runProgram } from "../../src/cli/program.ts";
import { createScheduler } from "../../src/core/index.ts";
import { isSeal, journalWriter, Seal } from "../../src/core/journal/index.ts";
import { steadily } from "../support/curves.ts";
import { World } from "../support/world.ts";
import { zstdFrame } from "./support/compressions.ts";
import { paperShell } from "./support/screen.ts";

const folder = mkdtempSync(join(tmpdir(), "broomwagon-replay-"));
const path = join(folder, "journal.ndjson");
let lines: readonly string[] = [];

/** A job under LATE with a slow map on n2: the map's copy wins, and n4 dies meanwhile. */
beforeAll(() => {
  const world = new World({
    discipline: "late,sharing=fifo-plain",
    sets: ["speculation.speculativeCap=0.5", "detection.expiryMs=5000"],
    explain: true,
    runs: ({ node }) => steadily(node === "n2" ? 600_000 : 20_000),
  });
  world.submit({ name: "count", maps: 12 });
  world.advance(30_000);
  world.silence("n4");
  world.finish();
  const { setup } = world.scheduler;
  const scheduler = createScheduler(setup, { explain: true });
  const writer = journalWriter(setup, { explain: true });
  const steps = world.events.map((event) => writer.step(event, scheduler.step(event).actions));
  lines = [writer.header(), writer.host({ began: "here" }), ...steps];
  writeFileSync(path, `${lines.join("\n")}\n`);
});
afterAll(() => rmSync(folder, { recursive: true }));

async function replay(...args: readonly string[]) {
  const shell = paperShell();
  const code = await runProgram(["replay", ...args], shell);
  return { code, out: shell.out.text, err: shell.err.text };
}

describe("replay", () => {
  test("reports that all lines are equal, and what was copied, killed and lost", async () => {
    const { code, out } = await replay(path);
    expect(out).toMatch(/: \d+ steps replayed, every line the same to the byte/);
    expect(out).toMatch(/speculative +count\/map\/1#1 +n\d +copied because it would end last/);
    expect(out).toMatch(/node lost +n4/);
    expect(out).toMatch(/kill +count\/map\/1#0/);
    expect(out).toContain("job succeeded");
    expect(code).toBe(0);
  });

  test("of a journal from Hadoop reproduces its commands, and reports what ran", async () => {
    const journal = new URL("../replay/yarn/late-copies.ndjson", import.meta.url);
    const { code, out } = await replay(fileURLToPath(journal));
    expect(out).toMatch(/: \d+ steps and 6 commands to Hadoop replayed, every line the same/);
    expect(out).toMatch(/speculative +job_\d+_\d+\/map\/8#1 +n3 +a policy requested the attempt/);
    expect(code).toBe(0);
  });

  test("of our own job on Hadoop names tasks as `run` does", async () => {
    const journal = new URL("../replay/yarn/late-copies.ndjson", import.meta.url);
    const text = readFileSync(journal, "utf8");
    const { out: before } = await replay(fileURLToPath(journal));
    const [, task = "", number = ""] = /speculative +\S+\/map\/(\d+)#(\d+)/.exec(before) ?? [];
    const maps = Array.from({ length: 50 }, (_, index) => `left/${100 - index}`);
    const names = JSON.stringify({ job: "join", maps });
    const named = join(folder, "named.ndjson");
    const [hello = ""] = /\{"type":"hello".*\}(?=\}\}\n)/.exec(text) ?? [];
    writeFileSync(named, text.replace(hello, `${hello.slice(0, -1)},"names":${names}}`));
    const { code, out } = await replay(named);
    expect(code, out).toBe(0);
    const attempt = `join/left/${100 - Number(task)}#${number}`;
    expect(out).toMatch(
      new RegExp(`speculative +${attempt} +n\\d +a policy requested the attempt`),
    );
    expect(out).toMatch(/job succeeded +join /);
    expect(out).not.toContain("/map/");
  });

  describe("of a compressed journal", () => {
    const text = (): string => readFileSync(path, "utf8");
    const COMPRESSIONS = [
      ["gzip", (plain: string) => gzipSync(plain)],
      ["zstd", (plain: string) => zstdFrame(Buffer.from(plain))],
    ] as const;

    test.each(COMPRESSIONS)("by %s reports the same", async (name, compress) => {
      const file = join(folder, `whole.${name}`);
      writeFileSync(file, compress(text()));
      const [plain, compressed] = [await replay(path), await replay(file)];
      expect(compressed).toEqual({ ...plain, out: plain.out.replaceAll(path, file) });
    });

    test("that ends within a block says where, and is not sound", async () => {
      const file = join(folder, "cut.gz");
      const whole = gzipSync(text());
      writeFileSync(file, whole.subarray(0, whole.length - 4));
      const { code, out } = await replay(file);
      expect(out).toMatch(/cut\.gz: byte \d+: .*: the log is cut off there\n$/);
      expect(code).toBe(1);
      const { out: json } = await replay(file, "-o", "json");
      expect(JSON.parse(json).cut).toContain("the log is cut off there");
    });

    test("that is damaged is refused", async () => {
      const file = join(folder, "damaged.gz");
      writeFileSync(file, gzipSync(text()).fill(7, 500, 510));
      const { code, out, err } = await replay(file);
      expect([code, out]).toEqual([3, ""]);
      expect(err).toMatch(/^error: \S+damaged\.gz: .*\n$/);
    });

    test("with a wrong line names that line", async () => {
      const file = join(folder, "wrong.gz");
      writeFileSync(file, gzipSync([...lines, '{"at":1,"event":"woken"}'].join("\n")));
      const { code, err } = await replay(file);
      expect(err).toContain(`wrong.gz:${lines.length + 1}: expected "at" to be `);
      expect(code).toBe(3);
    });
  });

  test("of a journal from Hadoop reports a command that is not reproduced", async () => {
    const journal = new URL("../replay/yarn/mantri-copies.ndjson", import.meta.url);
    const forged = join(folder, "forged.ndjson");
    const text = readFileSync(journal, "utf8");
    writeFileSync(forged, text.replace('"type":"copy","command":1', '"type":"copy","command":9'));
    const { code, out } = await replay(forged);
    expect(out).toMatch(/replayed differently/);
    expect(code).not.toBe(0);
  });

  test("-o json counts actions by kind and refusals by rule", async () => {
    const { out } = await replay(path, "-o", "json");
    const story = JSON.parse(out);
    expect(story.schema).toBe("broomwagon/replay@1");
    expect(story.replayed).toEqual({ kind: "same", steps: lines.length - 2 });
    expect(story.actions["launch original"]).toBe(12);
    expect(story.actions["launch speculative"]).toBeGreaterThanOrEqual(1);
    expect(Object.keys(story.passes).length).toBeGreaterThan(0);
  });

  test("shows the first line that differs, and fails", async () => {
    const changed = join(folder, "changed.ndjson");
    const index = lines.findIndex((line) => line.includes('"speculative"'));
    const text = lines.map((line, at) =>
      at === index ? line.replace('"speculative"', '"retry"') : line,
    );
    writeFileSync(changed, text.join("\n"));
    const { code, out } = await replay(changed);
    expect(out).toContain(`changed.ndjson:${index + 1}: replayed differently`);
    expect(code).toBe(1);
  });

  test("says so when the journal ends before its job", async () => {
    expect((await replay(path)).out).not.toContain("is live");
    const short = join(folder, "short.ndjson");
    writeFileSync(short, lines.slice(0, -5).join("\n"));
    const { code, out } = await replay(short);
    expect(out).toContain("every line the same");
    expect(out).toContain("the journal ends while 1 job is live");
    expect(code).toBe(0);
  });

  const MALFORMED: readonly [what: string, change: (all: string[]) => void, says: RegExp][] = [
    [
      "time runs backwards",
      (all) => all.push('{"at":1,"event":"woken"}'),
      /:\d+: expected "at" to be \d+ or later, .*found 1\n$/,
    ],
    [
      "the first line names no policy that there is",
      (all) => all.splice(0, 1, (all[0] ?? "").replace('"policy":"late"', '"policy":"later"')),
      /:1: discipline\.speculation: no speculation policy later; known: .*late/,
    ],
    [
      "the first line has a parameter out of bounds",
      (all) =>
        all.splice(0, 1, (all[0] ?? "").replace(/"speculativeCap":[\d.]+/, '"speculativeCap":7')),
      /:1: discipline\.speculation: speculativeCap of late is a number from 0 to 1/,
    ],
    ["the first line is a word", (all) => all.splice(0, 1, "hello"), /:1: expected JSON: /],
  ];

  test.each(MALFORMED)("a journal in which %s is malformed", async (_, change, says) => {
    const all = [...lines];
    change(all);
    const malformed = join(folder, "malformed.ndjson");
    writeFileSync(malformed, all.join("\n"));
    const { code, out, err } = await replay(malformed);
    expect(err.startsWith(`error: ${malformed}:`)).toBe(true);
    expect(err).toMatch(says);
    expect(out).toBe("");
    expect(code).toBe(3);
  });

  test("a path that cannot be read twice is refused in one line", async () => {
    const pipe = join(folder, "pipe");
    execFileSync("mkfifo", [pipe]);
    const { code, err } = await replay(pipe);
    expect(err).toMatch(
      /^error: .*pipe: expected a file; a pipe is read from standard input: .*\n$/,
    );
    expect(code).toBe(3);
    const tooLong = await replay(join(folder, "x".repeat(300)));
    expect(tooLong.err).toMatch(/^error: .*: expected a file to read: .*\n$/);
    expect(tooLong.code).toBe(3);
  });

  test("reports the whole lines of a torn journal, and where it is cut off", async () => {
    const torn = join(folder, "torn.ndjson");
    const cut = lines.slice(0, 40);
    writeFileSync(torn, `${cut.join("\n")}\n${lines[40]?.slice(0, 30)}`);
    const { code, out } = await replay(torn);
    expect(out).toMatch(/: 38 steps replayed, every line the same to the byte/);
    expect(out).toContain("the journal ends while 1 job is live");
    expect(out).toContain(`${torn}:41: the last line is cut off`);
    expect(code).toBe(1);
  });
});

describe("replay of a sealed journal", () => {
  const sealed = join(folder, "sealed.ndjson");
  const written = (): string[] => {
    const seal = new Seal();
    const [header = "", ...rest] = lines;
    const first = header.replace('"version":1', '"version":2');
    const all = [first, ...rest].flatMap((line) => seal.write(line));
    return [...all, ...(seal.isOpen ? [seal.close()] : [])];
  };

  test("reports that all lines are equal", async () => {
    writeFileSync(sealed, `${written().join("\n")}\n`);
    const { code, out } = await replay(sealed);
    expect(out).toMatch(/: \d+ steps replayed, every line the same to the byte/);
    expect(code).toBe(0);
  });

  test("reports where lines without actions were cut out", async () => {
    const all = written();
    const at = all.findIndex((line, i) => i > 40 && !line.includes("actions") && !isSeal(line));
    writeFileSync(sealed, `${all.toSpliced(at, 1).join("\n")}\n`);
    const { code, err } = await replay(sealed);
    expect(err).toMatch(
      /sealed\.ndjson:\d+: the journal is damaged: expected \d+ lines above, found \d+/,
    );
    expect(code).toBe(3);
  });

  test("reports where a line was altered", async () => {
    const all = written();
    const changed = all.with(1, '{"host":{"began":"elsewhere"}}');
    writeFileSync(sealed, `${changed.join("\n")}\n`);
    const { code, err } = await replay(sealed);
    expect(err).toContain(
      "sealed.ndjson:33: the journal is damaged: lines 1 to 32 are not what was written",
    );
    expect(code).toBe(3);
  });

  test("reports where a check was cut out", async () => {
    const all = written().filter((line) => !isSeal(line));
    writeFileSync(sealed, `${all.join("\n")}\n`);
    const { code, err } = await replay(sealed);
    expect(err).toContain("sealed.ndjson:33: the journal is damaged: expected a check");
    expect(code).toBe(3);
  });
});

test.each([
  ["fixtures/hadoop/json.jhist", "a job history of Hadoop 2 or 3"],
  ["fixtures/hadoop/binary.jhist", "a job history of Hadoop 2 or 3"],
  ["fixtures/spark/two-workers.ndjson", "an event log of Spark"],
])("%s is refused by its name: %s", async (path, what) => {
  const { code, err } = await replay(path);
  expect(code).toBe(3);
  expect(err).toBe(
    `error: ${path}: expected a journal.ndjson that Broomwagon wrote; this is ${what}: ` +
      `try \`broomwagon why ${path}\`\n`,
  );
});

test("-o json has each why as data: a rule and its numbers", async () => {
  const { out } = await replay(path, "-o", "json");
  const story: { readonly rows: readonly { readonly what: string; readonly why?: unknown }[] } =
    JSON.parse(out);
  const of = (what: string) => story.rows.find((row) => row.what === what)?.why;
  expect(of("speculative")).toMatchObject({ rule: "longest-time-left", numbers: { cap: 2 } });
  expect(of("lost")).toEqual({ rule: "lost-with-its-node", numbers: {} });
  for (const { why } of story.rows) if (why !== undefined) expect(why).toHaveProperty("numbers");
});
