import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parseJournal, Recorded, replay } from "../../src/core/journal/index.ts";
import { slotMsAt, TRACE_ENDS } from "../../src/history/columns.ts";
import { slotMs } from "../../src/model/fact.ts";
import type { Discipline } from "../../src/policy/policy.ts";
import type { PageDocument } from "../../src/report/page/document.ts";
import { documentBytes } from "../../src/report/page/document-bytes.ts";
import { journalPage } from "../../src/report/page/from-journal.ts";
import { pageOf } from "../../src/report/page/from-trace.ts";
import { planWorld } from "../../src/testing/plan.ts";
import { runScript } from "../golden/script.ts";
import { World } from "./world.ts";

/**
 * A journal's facts by its recorded actions equal a full replay's, step by step, and so does
 * everything that a page shows. WORLDS=1000 runs more random worlds than the default of 20.
 */
const WORLDS = Number(process.env.WORLDS ?? 20);
/** The number of worlds in one test; a failure names the world. */
const WORLDS_PER_TEST = 5;
const FOLDER = new URL("../golden/", import.meta.url);
const SCRIPTS = readdirSync(FOLDER).filter((name) => name.endsWith(".txt"));

/**
 * A step's facts, in any order: a policy that is asked within a step may act before or after the
 * step's other effects. When a job is admitted is recorded nowhere.
 */
const textOf = (facts: readonly { readonly kind: string }[]): string =>
  facts
    .filter(({ kind }) => kind !== "job-begun")
    .map((fact) => JSON.stringify(fact))
    .sort()
    .join("\n");

function checkFacts(lines: readonly string[], discipline: Discipline): void {
  const expected: string[] = [];
  replay(lines, () => discipline, { onStep: ({ facts }) => expected.push(textOf(facts)) });
  const { setup, entries } = parseJournal(lines);
  const core = new Recorded(setup);
  let step = 0;
  for (const entry of entries) {
    if (entry.kind === "host") continue;
    const facts = textOf(core.step(entry.event, entry.actions, `line ${entry.line}`));
    if (facts !== expected[step]) expect(facts, entry.text).toBe(expected[step]);
    step += 1;
  }
  expect(step).toBe(expected.length);
}

function documentBy(
  by: "actions" | "replay",
  lines: readonly string[],
  discipline: Discipline,
): PageDocument | undefined {
  const { trace, log, host } = journalPage(lines, () => discipline, { place: "journal", by });
  if (trace.jobs.length === 0) return undefined;
  return pageOf(trace, { log, host, source: "journal", isLive: true });
}

/** The page's slot times of lost attempts are the core's: up to the last word of their nodes. */
function checkLostTime(lines: readonly string[], discipline: Discipline): void {
  const expected: number[] = [];
  replay(lines, () => discipline, {
    onStep({ facts }) {
      for (const fact of facts) {
        if (fact.kind !== "attempt-ended" || fact.end.how !== "lost") continue;
        expected.push(slotMs(fact));
      }
    },
  });
  const page = documentBy("actions", lines, discipline);
  const got = Array.from({ length: page?.attempts.length ?? 0 }, (_, i) => i)
    .filter((i) => TRACE_ENDS[page?.attempts.ends[i] ?? 0] === "lost")
    .map((i) => page && slotMsAt(page.attempts, i));
  expect(got.map(rounded).sort()).toEqual(expected.map(rounded).sort());
  lost += expected.length;
}

/** Times in a page count from the first submission. */
const rounded = (ms = Number.NaN): string => ms.toFixed(3);

/** Attempts that were lost in all worlds so far. */
let lost = 0;

function checkTables(lines: readonly string[], discipline: Discipline): void {
  const [expected, got] = [
    documentBy("replay", lines, discipline),
    documentBy("actions", lines, discipline),
  ];
  const [a, b] = [expected, got].map((one) => one && documentBytes(one));
  // Bytes are compared first, since they are quicker.
  if (a === undefined || b === undefined || Buffer.compare(a, b) !== 0) {
    expect(got).toEqual(expected);
  }
}

test("scripts", () => {
  for (const name of SCRIPTS) {
    const text = readFileSync(new URL(name, FOLDER), "utf8");
    const { journal, setup } = runScript(text, name, () => () => {}).script.host;
    checkFacts(journal, setup.discipline);
    checkTables(journal, setup.discipline);
  }
});

for (let first = 0; first < WORLDS; first += WORLDS_PER_TEST) {
  test(`random worlds ${first} to ${first + WORLDS_PER_TEST - 1}`, () => {
    for (let seed = first; seed < first + WORLDS_PER_TEST; seed += 1) {
      const world = new World(planWorld(seed));
      world.run();
      try {
        checkFacts(world.journal, world.setup.discipline);
        checkTables(world.journal, world.setup.discipline);
        checkLostTime(world.journal, world.setup.discipline);
      } catch (error) {
        throw new Error(`world ${seed}`, { cause: error });
      }
    }
  });
}

test("some of the worlds lost attempts", () => expect(lost).toBeGreaterThan(10));
