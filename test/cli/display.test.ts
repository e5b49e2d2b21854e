import { stripVTControlCharacters } from "node:util";
import { afterEach, expect, test, vi } from "vitest";
import { displayOn } from "../../src/cli/display/display.ts";
import { LiveArea } from "../../src/cli/display/live-area.ts";
import { sentenceOf } from "../../src/cli/display/sentence.ts";
import { line } from "../../src/cli/shell.ts";
import type { RunEvent } from "../../src/hosts/engine/index.ts";
import { Paper, screenOf } from "./support/screen.ts";

const why = { rule: "longest-time-left", numbers: { timeLeftMs: 8000 } };

const progressed = (at: number, score: number): RunEvent => ({
  at,
  kind: "job-progressed",
  job: "count",
  phases: [{ name: "map", tasks: 4, done: 1, running: 2, waiting: 1, speculated: 1, score }],
  nodes: [
    {
      name: "n1",
      state: "live",
      slowedBy: 1,
      attempts: [{ attempt: "count/map/2#1", as: "speculative", score: 0.5 }],
    },
    { name: "n2", state: "live", slowedBy: 4, attempts: [] },
    { name: "n3", state: "silent", slowedBy: 1, attempts: [] },
  ],
});

const copied: RunEvent = {
  at: 1500,
  kind: "attempt-launched",
  attempt: "count/map/2#1",
  as: "speculative",
  node: "n1",
  why,
};

test("a live area is drawn over itself, and lines that do not fit are left out", () => {
  const paper = new Paper(true);
  const area = new LiveArea(paper);
  area.draw(["one", "two", "three"]);
  area.draw(["1", "x".repeat(200)]);
  area.end();
  expect(screenOf(paper.text)).toEqual(["1", `${"x".repeat(98)}…`]);
  area.draw(Array.from({ length: 50 }, (_, index) => `row ${index}`));
  expect(screenOf(paper.text).at(-1)).toBe("row 10");
});

test("lines that are written after the drawing was taken off stay above the next one", () => {
  const paper = new Paper(true);
  const area = new LiveArea(paper);
  area.draw(["drawing"]);
  area.clear();
  line(paper, "kept");
  area.draw(["drawing again"]);
  expect(screenOf(paper.text)).toEqual(["kept", "drawing again"]);
});

test("the live display shows phases, what each node runs, its marks, and what was decided", () => {
  const paper = new Paper(true);
  const display = displayOn(paper, "count under late");
  display.show(progressed(1400, 0.25));
  display.show({ at: 1450, kind: "fault", node: "n3", what: "killed", fault: "kill", is: "begin" });
  display.show(copied);
  display.show(progressed(2500, 0.5));
  display.end();
  const screen = screenOf(stripColours(paper.text));
  expect(screen).toEqual([
    "count under late  2.5 s",
    "  map     ████████████████░░░░░░░░░░░░░░░░ 1 of 4 done, 2 running, 1 with a copy",
    "",
    "  n1                    █████░░░░░ map/2#1 speculative",
    "  n2      slowed 4x     idle",
    "  n3      killed        idle",
    "",
    "   1.4 s  fault: n3 killed",
    "   1.5 s  speculative attempt map/2#1 on n1 (copied because it would end last: 8.0 s left)",
  ]);
});

const submitted: RunEvent = {
  at: 1000,
  kind: "job-submitted",
  job: "count",
  phases: [{ name: "map", tasks: 4 }],
  inputBytes: 2000,
};
const known: RunEvent = {
  at: 1400,
  kind: "application-submitted",
  application: "application_1_0001",
  page: "http://m1:8088/cluster/app/application_1_0001",
};

afterEach(() => {
  vi.useRealTimers();
});

test("phases are shown before anything runs, and the clock advances without events", () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] });
  const paper = new Paper(true);
  const display = displayOn(paper, "count under late");
  display.show(submitted);
  display.show(known);
  vi.advanceTimersByTime(3_000);
  expect(screenOf(stripColours(paper.text))).toEqual([
    "count under late  4.4 s",
    "  map     ░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░ 0 of 4 done, 0 running",
    "",
    "",
    "   1.0 s  job count: 4 map tasks over 2.0 kB",
    "   1.4 s  application_1_0001: http://m1:8088/cluster/app/application_1_0001",
  ]);
  display.end();
  const { text } = paper;
  vi.advanceTimersByTime(3_000);
  expect(paper.text).toBe(text);
});

test("during a question nothing is written, and afterwards the events in between", () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] });
  for (const isLive of [true, false]) {
    const paper = new Paper(isLive);
    const display = displayOn(paper, "count under late");
    display.show(submitted);
    display.hold();
    paper.write("really? ");
    const { text } = paper;
    vi.advanceTimersByTime(3_000);
    display.show({ ...copied, at: 3000 });
    expect(paper.text).toBe(text);
    paper.write("y\n");
    display.goOn();
    display.end();
    const screen = screenOf(stripColours(paper.text)).join("\n");
    expect(screen).toMatch(/really\? y\n[\s\S]*speculative attempt map\/2#1/);
    vi.clearAllTimers();
  }
});

test("without a terminal the same run is plain lines, now and then about progress", () => {
  const paper = new Paper(false);
  const display = displayOn(paper, "count under late");
  for (let at = 0; at <= 4000; at += 200) display.show(progressed(at, at / 4000));
  display.show({ ...copied, at: 4000 });
  display.end();
  expect(paper.text.split("\n")).toEqual([
    "count under late",
    "2.0 s  map 1 of 4 (50 %)",
    "4.0 s  map 1 of 4 (100 %)",
    "4.0 s  speculative attempt map/2#1 on n1 (copied because it would end last: 8.0 s left)",
    "",
  ]);
  expect(stripVTControlCharacters(paper.text)).toBe(paper.text);
});

test("without a terminal a line about no progress comes every half minute", () => {
  const paper = new Paper(false);
  const display = displayOn(paper, "count under late");
  for (let at = 0; at <= 40_000; at += 1_000) display.show(progressed(at, 0.25));
  display.end();
  expect(paper.text.split("\n").slice(1, -1)).toEqual([
    "2.0 s  map 1 of 4 (25 %)",
    "32.0 s  map 1 of 4 (25 %)",
  ]);
});

test("without a terminal each job of a flow has one line, and the last one's end", () => {
  const paper = new Paper(false);
  const display = displayOn(paper, "ranks under late");
  const succeeded = { outcome: "succeeded", why: { rule: "all-done", numbers: {} } } as const;
  for (const round of [1, 2]) {
    const job = `ranks.round-${round}`;
    const phases = [{ name: "spread", tasks: 2 }];
    display.show({ at: round * 1000, kind: "job-submitted", job, phases, inputBytes: 2000 });
    display.show({ at: round * 1000 + 500, kind: "job-ended", job, ...succeeded });
  }
  display.show({ at: 2600, kind: "log", node: "n1", stream: "stdout", line: "said" });
  display.end();
  expect(paper.text.split("\n")).toEqual([
    "ranks under late",
    "1.0 s  job ranks.round-1: 2 spread tasks over 2.0 kB",
    "2.0 s  job ranks.round-2: 2 spread tasks over 2.0 kB",
    "2.5 s  job succeeded",
    "2.6 s  n1 stdout: said",
    "",
  ]);
});

test("without a terminal a flood of printed lines is cut, and the number is given", () => {
  const paper = new Paper(false);
  const display = displayOn(paper, "count under late");
  for (let i = 0; i < 250; i++) {
    const line = `record ${i}`;
    display.show({ at: 1000 + i, kind: "log", node: "n1", stream: "stdout", line });
  }
  display.show({ at: 2100, kind: "log", node: "n2", stream: "stderr", line: "later" });
  display.end();
  const lines = paper.text.trimEnd().split("\n");
  expect(lines).toHaveLength(1 + 50 + 1 + 1);
  expect(lines.slice(-3)).toEqual([
    "1.0 s  n1 stdout: record 49",
    "2.0 s  200 more lines in nodes.log",
    "2.1 s  n2 stderr: later",
  ]);
});

test("a loop's job names its round, also above the bars", () => {
  const submitted: RunEvent = {
    ...{ at: 1000, kind: "job-submitted", job: "ranks.round-7", inputBytes: 2000 },
    phases: [{ name: "spread", tasks: 2 }],
    round: { round: 7, roundsMax: 30 },
  };
  const text = "job ranks.round-7: 2 spread tasks over 2.0 kB, round 7 of at most 30";
  expect(sentenceOf(submitted)?.text).toBe(text);
  const paper = new Paper(true);
  const display = displayOn(paper, "ranks under late");
  display.show(submitted);
  display.end();
  expect(screenOf(paper.text)[0]).toMatch(/^ranks under late, round 7 of at most 30 {2}1\.0 s/);
});

test("waits of a run are explained in plain text", () => {
  const waiting = { at: 20_000, kind: "waiting", job: "count", forMs: 15_000 } as const;
  const attempt = { attempt: "count/reduce/0#0", node: "n2" };
  const of = [
    { task: "count/map/1", state: "gone" },
    { task: "count/map/2", state: "runs" },
  ] as const;
  const texts = (
    [
      { kind: "outputs", ...attempt, of, more: 3 },
      { kind: "slot", phase: "map", tasks: 1, slot: "map", taken: 4, slots: 4 },
      { kind: "record", ...attempt, records: 1 },
      { kind: "node", node: "n3", silentMs: 4_000 },
    ] as const
  ).map((wait) => sentenceOf({ ...waiting, wait })?.text);
  expect(texts).toEqual([
    "no progress for 15.0 s: reduce/0#0 on n2 waits for map/1 (gone), map/2 (runs) " + "and 3 more",
    "no progress for 15.0 s: 1 map task waits for a map slot, 4 of 4 are taken",
    "no progress for 15.0 s: reduce/0#0 on n2 works, after 1 record",
    "no progress for 15.0 s: n3 is silent for 4.0 s",
  ]);
});

test("a run that was refused before it began shows nothing", () => {
  for (const isLive of [true, false]) {
    const paper = new Paper(isLive);
    displayOn(paper, "count under late").end();
    expect(paper.text).toBe("");
  }
});

test("an original launch and a success are the usual course and get no line", () => {
  expect(sentenceOf({ ...copied, as: "original" })).toBeUndefined();
  expect(
    sentenceOf({
      at: 1,
      kind: "attempt-ended",
      attempt: "count/map/2#1",
      as: "original",
      node: "n1",
      how: { kind: "succeeded", bytes: 1, records: 1 },
      ranMs: 1,
    }),
  ).toBeUndefined();
});

test("a failed attempt is reported with the user's file and line", () => {
  const sentence = sentenceOf({
    at: 1,
    kind: "attempt-ended",
    attempt: "count/map/2#1",
    as: "retry",
    node: "n1",
    how: { kind: "failed", cause: "error", message: "no such field", place: "job.ts:7" },
    ranMs: 1,
  });
  expect(sentence?.text).toBe("map/2#1 on n1 failed (error) at job.ts:7: no such field");
});

/** Colours only; the sequences that move the cursor stay. */
const stripColours = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern seeks them.
  text.replace(/\u001b\[\d+m/g, "");

test("a copy of an output is reported with its target", () => {
  const copy = { at: 1, kind: "output-copied", task: "count/map/2", node: "n3" } as const;
  expect(sentenceOf(copy)?.text).toBe("output of map/2 copied to n3");
});
