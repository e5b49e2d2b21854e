import { readdirSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { namesOf } from "../../src/base/rows.ts";
import { CURVE_POINTS, TRACE_ENDS } from "../../src/history/columns.ts";
import { restoreDiscipline } from "../../src/policy/discipline.ts";
import type { DisciplineDescription } from "../../src/policy/policy.ts";
import { PAGE_ATTEMPT, type PageDocument } from "../../src/report/page/document.ts";
import { documentBytes, documentFrom } from "../../src/report/page/document-bytes.ts";
import { journalPage } from "../../src/report/page/from-journal.ts";
import { pageOf } from "../../src/report/page/from-trace.ts";
import { LiveDocument } from "../../src/report/page/live/document.ts";
import type { LiveFold } from "../../src/report/page/live/fold.ts";
import { followJournal } from "../../src/report/page/live/follow.ts";
import { frameBytes, frameFrom } from "../../src/report/page/live/frame.ts";
import { LiveRows } from "../../src/report/page/live/rows.ts";
import { planWorld } from "../../src/testing/plan.ts";
import { runScript } from "../golden/script.ts";
import { World } from "./world.ts";

/**
 * Every split of a journal into frames gives the tables of the whole journal, which equal the
 * report's. WORLDS=1000 runs all scripts, and more random worlds than the default of 6.
 */
const WORLDS = Number(process.env.WORLDS ?? 6);
const FIRST = Number(process.env.FIRST ?? 0);
const SCRIPTS_SHARE = process.env.WORLDS === undefined ? 4 : 1;
const FOLDER = new URL("../golden/", import.meta.url);
const SCRIPTS = readdirSync(FOLDER).filter((name) => name.endsWith(".txt"));
const CUT_OFF = TRACE_ENDS.indexOf("cut-off");
type Restore = (description: DisciplineDescription) => ReturnType<typeof restoreDiscipline>;

/** Numbers from 0 to 1, the same for the same seed. */
function randomFrom(seed: number): () => number {
  let state = seed + 1;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

/** The report of the lines so far; undefined before the first job. */
function reported(lines: readonly string[], restore: Restore): PageDocument | undefined {
  const { trace, log, host } = journalPage(lines, restore, { place: "journal", by: "actions" });
  if (trace.jobs.length === 0) return undefined;
  return documentFrom(documentBytes(pageOf(trace, { log, host, source: "journal", isLive: true })));
}

type Values = Readonly<Record<string, unknown>>;

/** Frames hold whole ms, and thousandths of a score. */
const rounded = (name: Named, value: number): number =>
  name === "score" ? Math.round(1_000 * value) / 1_000 : Math.round(value);

type Named = keyof typeof PAGE_ATTEMPT;

/** What frames do not hold. */
const UNSENT: ReadonlySet<Named> = new Set(["row", "executor", "localities"]);

/** Each attempt by its name, with all of its fields that frames hold. */
function attemptsOf({ attempts }: PageDocument): ReadonlyMap<string, Values> {
  const names = namesOf(PAGE_ATTEMPT).filter((name) => !UNSENT.has(name));
  const all = Array.from({ length: attempts.length }, (_, i): [string, Values] => {
    const { score, ...others } = Object.fromEntries(
      names.map((name) => [name, rounded(name, attempts[name][i]!)]),
    );
    const curve = attempts.curves?.slice(CURVE_POINTS * i, CURVE_POINTS * (i + 1));
    const curves = curve?.some((ms) => !Number.isNaN(ms)) === true ? [...curve] : [];
    // A report has no score of an attempt that has not ended.
    const ended = others.ends === CUT_OFF ? {} : { score };
    return [nameOf({ attempts } as PageDocument, i), { ...others, ...ended, curves }];
  });
  return new Map(all.sort(([a], [b]) => (a < b ? -1 : 1)));
}

const nameOf = ({ attempts }: Pick<PageDocument, "attempts">, i: number): string =>
  i < 0 ? "none" : `${attempts.phase[i]}/${attempts.task[i]}#${attempts.ordinal[i]}`;

function headOf(page: PageDocument): Values {
  const { decisions, rows: _rows, notes: _notes, offeredMs, nodes, ...head } = page.head;
  return {
    ...head,
    nodes,
    offeredMs: offeredMs === undefined ? "unknown" : Math.round(offeredMs),
    decisions: decisions.map(({ attempt, ...one }) => ({ ...one, attempt: nameOf(page, attempt) })),
  };
}

/**
 * Both have the same number of rows for a node's slots. Attempts that have run for no time share a
 * row of the report, and refused launches have none; live, each took a slot for that moment.
 */
function checkRowCounts(
  found: PageDocument,
  expected: PageDocument,
  lines: readonly string[],
): void {
  const { length, startedAt, endedAt } = expected.attempts;
  const isLoose =
    Array.from({ length }).some((_, i) => startedAt[i] === endedAt[i]) ||
    lines.some((line) => line.includes('"launch-refused"'));
  const counts = countsOf(found);
  for (const [slots, count] of countsOf(expected)) {
    if (isLoose) expect(counts.get(slots)).toBeGreaterThanOrEqual(count);
    else expect(counts.get(slots)).toBe(count);
  }
  if (!isLoose) expect(counts.size).toBe(countsOf(expected).size);
}

function countsOf({ head }: PageDocument): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { node, kind } of head.rows) {
    const slots = `${node} ${kind}`;
    counts.set(slots, (counts.get(slots) ?? 0) + 1);
  }
  return counts;
}

/** Each attempt is on a row of its node, and shares no moment with another of that row. */
function checkRows({ head, attempts }: PageDocument): void {
  const taken = new Map<number, [from: number, to: number][]>();
  for (let i = 0; i < attempts.length; i++) {
    const row = attempts.row[i] ?? -1;
    expect(head.rows[row]?.node).toBe(attempts.node[i]);
    const own = taken.get(row) ?? [];
    taken.set(row, [...own, [attempts.startedAt[i] ?? 0, attempts.endedAt[i] ?? 0]]);
  }
  for (const spans of taken.values()) {
    let before = 0;
    for (const [from, to] of spans.sort(([a, c], [b, d]) => a - b || c - d)) {
      expect(from).toBeGreaterThanOrEqual(before);
      before = to;
    }
  }
}

function check(lines: readonly string[], restore: Restore, seed: number): void {
  const random = randomFrom(seed);
  const server = new LiveRows();
  const readers = [new LiveDocument(), new LiveDocument(), new LiveDocument()];
  let cursor = 0;
  const take = (fold: LiveFold | undefined): void => {
    for (const changes of fold?.take() ?? []) {
      cursor += 1;
      server.apply(frameFrom(frameBytes({ ...changes, cursor })));
    }
  };
  const read = (reader: LiveDocument): void => {
    const frame = server.frameAfter({ cursor: reader.cursor, head: 0 });
    if (frame !== undefined) reader.apply(frameFrom(frameBytes(frame)));
  };
  const compare = (count: number, reader: LiveDocument): void => {
    const expected = reported(lines.slice(0, count), restore);
    const found = reader.grown()?.document;
    if (expected === undefined || found === undefined) {
      expect(found).toBe(expected);
      return;
    }
    expect(attemptsOf(found)).toEqual(attemptsOf(expected));
    expect(headOf(found)).toEqual(headOf(expected));
    checkRowCounts(found, expected, lines.slice(0, count));
    checkRows(found);
  };
  const [often = new LiveDocument(), ...others] = readers;
  const sometimes = new Set([0.3, 0.7].map((share) => Math.floor(share * lines.length)));
  const pieces = function* (fold: () => LiveFold | undefined): Generator<string, void> {
    for (const [n, line] of lines.entries()) {
      yield line;
      if (sometimes.has(n) || random() < 0.2) take(fold());
      for (const reader of readers) if (random() < 0.1) read(reader);
      if (!sometimes.has(n)) continue;
      read(often);
      compare(n + 1, often);
    }
    take(fold());
  };
  followJournal(pieces, restore, { place: "journal", source: "journal", by: "actions" });
  for (const reader of [often, ...others]) {
    read(reader);
    compare(lines.length, reader);
  }
}

test("scripts", () => {
  for (const [n, name] of SCRIPTS.entries()) {
    if (n % SCRIPTS_SHARE !== 0) continue;
    const text = readFileSync(new URL(name, FOLDER), "utf8");
    const { journal, setup } = runScript(text, name, () => () => {}).script.host;
    try {
      check(journal, () => setup.discipline, n);
    } catch (error) {
      throw new Error(name, { cause: error });
    }
  }
});

test("an engine's run", () => {
  const text = gunzipSync(readFileSync("fixtures/pairs/engine/late.ndjson.gz")).toString("utf8");
  check(text.trimEnd().split("\n"), restoreDiscipline, 1);
});

test("random worlds", () => {
  for (let seed = FIRST; seed < FIRST + WORLDS; seed += 1) {
    const world = new World(planWorld(seed));
    world.run();
    try {
      check(world.journal, () => world.setup.discipline, seed);
    } catch (error) {
      throw new Error(`world ${seed}`, { cause: error });
    }
  }
});
