import { spawn } from "node:child_process";
import { appendFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { type RunEvent, type RunResult, resume } from "broomwagon/engine";
import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import { cases } from "../support/cases.ts";
import { wordCount } from "./support/jobs.ts";
import { outputsIn, replayOf } from "./support/journal.ts";
import { childrenOf, engineProcesses } from "./support/processes.ts";
import { randomFrom } from "./support/text.ts";
import { only, Workshop } from "./support/workshop.ts";

const workshop = new Workshop({ files: 2, bytes: 200_000 });
afterEach(() => workshop.clear());
afterAll(() => workshop.remove());

/** The package's exports, for a program elsewhere. */
const packaged = (name: string): string =>
  JSON.stringify(createRequire(import.meta.url).resolve(`broomwagon/${name}`));

const JOB = workshop.job("word-count", wordCount());
const SEED = 4242;
const MAPS = 6;

/** A separate program that runs the job; the code in `query` kills it. */
function programOf(query: { readonly before?: string; readonly onEvent?: string }): string {
  const program = join(workshop.path, "master.mjs");
  writeFileSync(
    program,
    `import { execFileSync } from "node:child_process";
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { run } from ${packaged("engine")};
import { parseDiscipline } from ${packaged("policies")};
const die = () => process.kill(process.pid, "SIGKILL");
/** The nodes' processes die first; this process does not see their ends. */
const dieWithAll = () => {
  const pids = execFileSync("ps", ["-o", "pid=", "--ppid", String(process.pid)]);
  for (const pid of String(pids).trim().split(/\\s+/)) {
    // The list includes the process of ps, which has ended.
    try { process.kill(Number(pid), "SIGKILL"); } catch {}
  }
  die();
};
let count = 0;
${query.before ?? ""}
await run(${JSON.stringify(JOB)}, {
  input: ${JSON.stringify(workshop.input)},
  output: ${JSON.stringify(workshop.output)}, runDirectory: ${JSON.stringify(workshop.runs)},
  splitBytes: 64 * 1024, nodes: 2, reduces: 3, heartbeatMs: 100, askAgainMs: 100, overwrite: true,
  discipline: parseDiscipline("late"),
  onEvent(event) { ${query.onEvent ?? ""} },
});
`,
  );
  return program;
}

/** Dies at the n-th event about attempts of the phase, or `afterMs` later. */
const atNews = (phase: string, n: number, afterMs = 0, die: Death = "die"): string => `
  const attempt = event.attempt ?? event.task ?? "";
  if (!attempt.includes("/${phase}/") || ++count !== ${n}) return;
  ${afterMs === 0 ? `${die}();` : `setTimeout(${die}, ${afterMs});`}`;

/** The death of the master alone, or with its nodes, before any of them notices. */
type Death = "die" | "dieWithAll";

/** Kills itself before or after a call of a function of node:fs. */
const patch = (name: string, when: string, how: "before" | "after"): string => `
const original = fs.${name};
fs.${name} = (...args) => {
  const [one, two] = args.map(String);
  ${how === "before" ? `if (${when}) die();` : ""}
  original(...args);
  ${how === "after" ? `if (${when}) die();` : ""}
};
syncBuiltinESMExports();`;

/** Runs the program until it has killed itself; returns the run's folder. */
async function killed(program: string): Promise<string> {
  const earlier = existsSync(workshop.runs) ? readdirSync(workshop.runs) : [];
  const child = spawn(process.execPath, [program], { stdio: ["ignore", "inherit", "inherit"] });
  const how = await new Promise((resolve) => child.on("exit", (_, signal) => resolve(signal)));
  expect(how).toBe("SIGKILL");
  const run = readdirSync(workshop.runs).find((name) => !earlier.includes(name));
  return join(workshop.runs, run ?? "none");
}

/**
 * Resumes the run, and checks that the output is right, no work was repeated, and no file is left.
 */
async function resumed(run: string): Promise<{ result: RunResult; events: RunEvent[] }> {
  const events: RunEvent[] = [];
  const running = resume(run);
  for await (const event of running.events) events.push(event);
  const result = await running;
  expect(childrenOf(process.pid)).toEqual([]);
  expect(workshop.litter()).toEqual([]);
  expect(readdirSync(workshop.path).filter((name) => name.includes("output"))).toEqual(["output"]);
  const lines = readFileSync(result.journal, "utf8").trimEnd().split("\n");
  expect(replayOf(lines, result)).toMatchObject({ kind: "same" });
  expect(JSON.parse(readFileSync(join(run, "summary.json"), "utf8"))).toEqual(result);
  await workshop.checkOutput(JOB);
  return { result, events };
}

/** How often each task was done. */
function timesDone({ attempts }: RunResult): readonly number[] {
  const times = new Map<string, number>();
  for (const { attempt, end } of attempts) {
    if (end.kind !== "succeeded") continue;
    const task = attempt.replace(/#\d+$/, "");
    times.set(task, (times.get(task) ?? 0) + 1);
  }
  return [...times.values()];
}

interface Moments {
  readonly phase: string;
  /** The number of events about the phase's attempts. */
  readonly news: number;
  /** For moments between events: after one of the first `news` events, by at most `msMax`. */
  readonly later: { readonly news: number; readonly msMax: number };
  readonly count: number;
  readonly die: Death;
}

/**
 * Random moments in each phase, `count` of each kind: the master dies alone, or with its nodes. Of
 * two, one is at an event and one between two events.
 */
const [SINGLE, DOUBLE] = cases({ all: [10, 4], sample: [2, 1] });

const ONCE_EACH = Array.from({ length: MAPS + 3 }, () => 1);

describe(`killed at a random moment, seed ${SEED}`, () => {
  const random = randomFrom(SEED);
  const moments = (query: Moments) =>
    Array.from({ length: query.count }, (_, i) => {
      const { news, later, ...others } = query;
      const isLater = i % 2 === 1;
      const n = 1 + Math.floor(((i + random()) * (isLater ? later.news : news)) / query.count);
      return { ...others, n, afterMs: isLater ? 1 + Math.floor(random() * later.msMax) : 0 };
    });

  // Each attempt has a launch, a start and an end, and a reduce's file an event of its own. Every
  // other moment is a little later, while other attempts work, but before the job can be over.
  const [map, reduce] = [
    { phase: "map", news: MAPS * 3, later: { news: (MAPS * 3) / 2, msMax: 10 } },
    { phase: "reduce", news: 3 * 4, later: { news: 4, msMax: 4 } },
  ];
  test.each([
    ...moments({ ...map, count: SINGLE, die: "die" }),
    ...moments({ ...reduce, count: SINGLE, die: "die" }),
    ...moments({ ...map, count: DOUBLE, die: "dieWithAll" }),
    ...moments({ ...reduce, count: DOUBLE, die: "dieWithAll" }),
  ])(
    "in the $phase phase ($die, $n, $afterMs ms later), what was done is not done again",
    async ({ phase, n, afterMs, die }) => {
      const run = await killed(programOf({ onEvent: atNews(phase, n, afterMs, die) }));
      const { result } = await resumed(run);
      expect(timesDone(result)).toEqual(ONCE_EACH);
    },
  );
});

describe("when the master is killed", () => {
  test("before the job was planned, the whole job is run", async () => {
    const run = await killed(
      programOf({ before: patch("writeFileSync", 'one.includes("/job/")', "before") }),
    );
    await resumed(run);
  });

  test("again and again, each resume continues where the last one stopped", async () => {
    const run = await killed(programOf({ onEvent: atNews("map", 8) }));
    const again = join(workshop.path, "again.mjs");
    writeFileSync(
      again,
      `import { resume } from ${packaged("engine")};
let count = 0;
await resume(${JSON.stringify(run)}, { onEvent(event) {
  if (event.kind !== "attempt-ended" || event.how.kind !== "succeeded") return;
  if (++count === 2) process.kill(process.pid, "SIGKILL");
} });`,
    );
    await killed(again);
    const { result, events } = await resumed(run);
    expect(timesDone(result)).toEqual(ONCE_EACH);
    expect(only(events, "run-resumed")[0]?.done).toBeGreaterThanOrEqual(2);
  });

  test("in the middle of a line, the line is dropped", async () => {
    const run = await killed(programOf({ onEvent: atNews("map", 12) }));
    appendFileSync(join(run, "journal.ndjson"), '{"at":99999,"event":"attempt-succ');
    await resumed(run);
  });

  test("while a node is stopped and cannot notice, the node is ended first", async () => {
    const stop = `import("node:child_process").then(({ execSync }) => {
      const pids = execSync("pgrep -P " + process.pid + " node").toString().trim().split("\\n");
      process.kill(Number(pids[0]), "SIGSTOP");
      die();
    });`;
    const run = await killed(
      programOf({ onEvent: `if (event.kind === "attempt-ended" && ++count === 2) ${stop}` }),
    );
    const stopped = engineProcesses().filter(({ state }) => state === "T");
    expect(stopped).toHaveLength(1);
    await resumed(run);
    const pids = stopped.map(({ pid }) => pid);
    expect(engineProcesses().filter(({ pid }) => pids.includes(pid))).toEqual([]);
  });

  test("a map's output that was damaged meanwhile is recomputed, and no other", async () => {
    const run = await killed(programOf({ onEvent: atNews("reduce", 1) }));
    const [output] = outputsIn(workshop.runs);
    const path = output?.path ?? "";
    const bytes = readFileSync(path);
    bytes[100] = (bytes[100] ?? 0) ^ 1;
    writeFileSync(path, bytes);
    const { result } = await resumed(run);
    expect(result.outputsLost).toEqual([output?.task]);
    expect([...timesDone(result)].sort()).toEqual([...ONCE_EACH.slice(1), 2]);
  });

  test("a part that was damaged meanwhile is recomputed", async () => {
    const onEvent = `if (event.kind === "task-committed" && ++count === 2) die();`;
    const run = await killed(programOf({ onEvent }));
    const [area = ""] = readdirSync(workshop.path).filter((name) => name.startsWith("_temporary"));
    const accepted = join(workshop.path, area, "accepted");
    const [part = ""] = readdirSync(accepted);
    appendFileSync(join(accepted, part), "x\t1\n");
    await resumed(run);
  });
});

describe("when the master is killed in its commit", () => {
  /** An earlier output exists, to be replaced. */
  beforeEach(() => workshop.start(JOB, { nodes: 1 }));

  test.each([
    {
      moment: "when it begins",
      before: patch("writeFileSync", 'one.endsWith("_SUCCESS")', "before"),
    },
    {
      moment: "once it is marked",
      before: patch("writeFileSync", 'one.endsWith("_SUCCESS")', "after"),
    },
    {
      moment: "without the old output",
      before: patch("renameSync", 'two.includes("_replaced-")', "after"),
    },
    {
      moment: "with both outputs",
      before: patch("renameSync", 'one.endsWith("accepted")', "after"),
    },
    {
      moment: "before it clears up",
      before: patch("rmSync", 'one.includes("_temporary-") && !one.includes("attempt-")', "before"),
    },
    {
      moment: "without its summary",
      before: patch("writeFileSync", 'one.endsWith("summary.json")', "before"),
    },
  ])("$moment, the output is there in the end, and no task was run again", async ({ before }) => {
    const run = await killed(programOf({ before }));
    const { result } = await resumed(run);
    expect(timesDone(result)).toEqual(ONCE_EACH);
    expect(result.parts).toHaveLength(3);
  });
});

describe("a run that was not cut off", () => {
  test("is not resumed: one that has ended, one under way, none at all", async () => {
    const { result } = await workshop.run(JOB, {
      nodes: 1,
      onEvent(event) {
        if (event.kind !== "run-started") return;
        underWay = resume(event.runDirectory).catch(String);
      },
    });
    expect(await underWay).toMatch(/process \d+@.* is still at it/);
    await expect(resume(result.runDirectory)).rejects.toThrow("the run has ended");
    await expect(resume("none", { runDirectory: workshop.runs })).rejects.toThrow(
      "expected the folder of a run",
    );
  });

  let underWay: Promise<unknown> | undefined;
});

test("is not resumed if its input has changed meanwhile", async () => {
  const run = await killed(programOf({ onEvent: atNews("map", 2 * MAPS) }));
  const file = join(workshop.input, "text-1.txt");
  const before = readFileSync(file, "utf8");
  writeFileSync(file, before.toUpperCase());
  await expect(resume(run)).rejects.toThrow(
    `${file}: expected the file as it was when the job began, found it modified since`,
  );
  expect(childrenOf(process.pid)).toEqual([]);
  expect(existsSync(workshop.output)).toBe(false);
  writeFileSync(file, before);
});
