import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { replay } from "../core/journal/index.ts";
import { restoreDiscipline } from "../policy/discipline.ts";
import { LiveDocument } from "../report/page/live/document.ts";
import type { LiveFold } from "../report/page/live/fold.ts";
import { followJournal } from "../report/page/live/follow.ts";
import { frameBytes, frameFrom } from "../report/page/live/frame.ts";
import { LiveRows } from "../report/page/live/rows.ts";
import { momentAt } from "./moment.ts";
import { Run } from "./run.ts";
import { SlotBars } from "./slot-bars.ts";
import { peersByPhase, standingsOf, tasksAtWork } from "./standing.ts";

const LINES = gunzipSync(readFileSync("fixtures/pairs/engine/late.ndjson.gz"))
  .toString("utf8")
  .split("\n")
  .slice(0, -1);

/** By phase, what a run's terminal shows after these lines: what the core says. */
function onTerminal(lines: readonly string[]): ReadonlyMap<string, number> {
  let scores = new Map<string, number>();
  replay(lines, restoreDiscipline, {
    onStep: ({ view }) => {
      const phases = [...view.jobs()].flatMap(({ id }) => view.phases(id));
      scores = new Map(phases.map(({ id, name }) => [name, view.meanProgress(id)]));
    },
  });
  return scores;
}

/** By phase, what the page of a run shows after these lines. */
function onPage(lines: readonly string[]): ReadonlyMap<string, number> {
  const page = new LiveDocument();
  const pieces = function* (fold: () => LiveFold | undefined): Generator<string, void> {
    yield* lines;
    let cursor = 0;
    const [server, changes] = [new LiveRows(), fold()?.take() ?? []];
    for (const change of changes) {
      cursor += 1;
      server.apply(frameFrom(frameBytes({ ...change, cursor })));
    }
    const frame = server.frameAfter({ cursor: page.cursor, head: 0 });
    if (frame !== undefined) page.apply(frame);
  };
  const options = { place: "journal", source: "journal", by: "actions" } as const;
  followJournal(pieces, restoreDiscipline, options);
  const document = page.grown()?.document;
  if (document === undefined) return new Map();
  const run = new Run(document, { barsOf: (given) => new SlotBars(given) });
  const moment = momentAt(run, run.head.endsAt);
  const standings = standingsOf(run, moment, tasksAtWork(run, moment), peersByPhase(run));
  return new Map(standings.map(({ phase, score }) => [run.phaseName(phase), score]));
}

test("a run's page and its terminal show the same share of a phase as done", () => {
  let partly = 0;
  for (let lines = 100; lines < LINES.length; lines += 60) {
    const [terminal, page] = [onTerminal, onPage].map((of) => of(LINES.slice(0, lines)));
    for (const [phase, score] of page ?? []) {
      const known = terminal?.get(phase) ?? Number.NaN;
      // A frame has scores in thousandths.
      expect(Math.abs(score - known), `${phase} after ${lines} lines`).toBeLessThan(0.001);
      if (known > 0 && known < 1) partly += 1;
    }
  }
  expect(partly).toBeGreaterThan(5);
});
