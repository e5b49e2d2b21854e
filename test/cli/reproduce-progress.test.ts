import { expect, test } from "vitest";
import { progressDisplay } from "../../src/cli/display/progress-display.ts";
import { Paper, screenOf } from "./support/screen.ts";

/** 100 s of work in 50 units; an earlier session has done 20 s. */
const at = (costDone: number, unitsDone: number) => {
  return { costBefore: 20, costDone, costAll: 100, unitsDone, unitsAll: 50, latest: "late-fig4" };
};

test("on a terminal a bar is redrawn, with the time left at this session's pace", () => {
  const sink = new Paper(true);
  let now = 0;
  const display = progressDisplay(sink, { now: () => now, unit: "unit" });
  display.show(at(0, 10));
  now = 10_000;
  display.show(at(40, 30));
  const [bar, ...below] = screenOf(sink.text);
  const drawn = "█".repeat(18) + "░".repeat(12);
  const told = "60 %, 30 of 50 units, 10.0 s gone, about 10.0 s left, late-fig4";
  expect(bar).toBe(`${drawn} ${told}`);
  expect(below.join("")).toBe("");
  display.end();
  expect(screenOf(sink.text).join("")).toBe("");
});

test("elsewhere there is a line for each tenth of the work", () => {
  const sink = new Paper();
  let now = 0;
  const display = progressDisplay(sink, { now: () => now, unit: "unit" });
  for (let done = 0; done <= 80; done += 2) {
    now += 500;
    display.show(at(done, 10 + done / 2));
  }
  display.end();
  const percents = sink.text
    .trim()
    .split("\n")
    .map((line) => line.split(" ")[0]);
  expect(percents).toEqual(["20", "30", "40", "50", "60", "70", "80", "90", "100"]);
});

test("with nothing to do it is done at once", () => {
  const sink = new Paper();
  const nothing = { costBefore: 0, costDone: 0, costAll: 0, unitsDone: 0, unitsAll: 0 };
  progressDisplay(sink, { now: () => 0, unit: "unit" }).show(nothing);
  expect(sink.text).toBe("100 %, 0 of 0 units, 0.0 s gone\n");
});

test("elsewhere, short work shows nothing", () => {
  const sink = new Paper();
  let now = 0;
  const display = progressDisplay(sink, { now: () => now, unit: "run", quietMs: 10_000 });
  display.show({ costBefore: 0, costDone: 0.5, costAll: 2, unitsDone: 0, unitsAll: 2 });
  expect(sink.text).toBe("");
  now = 10_000;
  display.show({ costBefore: 0, costDone: 1, costAll: 2, unitsDone: 1, unitsAll: 2 });
  expect(sink.text).toBe("50 %, 1 of 2 runs, 10.0 s gone, about 10.0 s left\n");
});
