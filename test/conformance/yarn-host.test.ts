import { describe, expect, test } from "vitest";
import { parseJournal, replay } from "../../src/core/journal/index.ts";
import { createScheduler } from "../../src/core/scheduler.ts";
import type { PolicyLine } from "../../src/hosts/yarn/policy/policy-line.ts";
import { readAmLine } from "../../src/hosts/yarn/policy/read-am-line.ts";
import { replaySession } from "../../src/hosts/yarn/policy/replay.ts";
import { PolicySession } from "../../src/hosts/yarn/policy/session.ts";
import { restoreDiscipline } from "../../src/policy/discipline.ts";
import { Invariants } from "../../src/testing/invariants.ts";
import { ModelAm, type ModelJob } from "../support/model-am.ts";

const BASE: ModelJob = {
  seed: 1,
  settings: { discipline: "late" },
  placement: true,
  nodes: 4,
  slotsPerNode: 3,
  maps: 14,
  reduces: 3,
  lossChance: 0,
  failureChance: 0,
};

const LATE = "speculation.runtimeMsMin=3000,speculation.speculativeCap=0.2";
const ESPLASH = "speculation.epochMs=4000,speculation.clusterEveryMs=8000";
const MANTRI = "speculation.periodMs=2000";

const DISCIPLINES: readonly (readonly [string, string])[] = [
  ["late", LATE],
  ["late-early", LATE],
  ["hadoop", "speculation.lagMs=3000"],
  ["mantri-restart", MANTRI],
  // On YARN Mantri kills only if gamma is set.
  ["mantri", `${MANTRI},speculation.gamma=3`],
  ["mapreduce", ""],
  ["dryad", ""],
  ["yarn", ""],
  ["yarn-corrected", ""],
  ["esplash", ESPLASH],
  ["spark-4", ""],
  ["flink", ""],
];

function run(job: Partial<ModelJob>) {
  const journal: string[] = [];
  const said: PolicyLine[] = [];
  const am: ModelAm = new ModelAm({ ...BASE, ...job }, (line) => {
    // As if sent over a pipe.
    const json = JSON.parse(JSON.stringify(line));
    session.take(line.type === "facts" ? json : (readAmLine(json, "model") ?? line));
  });
  const session = new PolicySession({
    say(line) {
      said.push(line);
      am.hear(line);
    },
    journal: (line) => journal.push(line),
  });
  am.run(2_000);
  session.end();
  note(am.seen);
  return { am, journal, said };
}

/** The core's own rules, checked step by step from outside. */
function checkSteps(journal: readonly string[]): void {
  const { setup, entries } = parseJournal(journal);
  const { explain, ...rest } = setup;
  const whole = { ...rest, discipline: restoreDiscipline(setup.discipline) };
  const scheduler = createScheduler(whole, { explain });
  const invariants = new Invariants(whole, scheduler.view, { explains: explain });
  for (const entry of entries) {
    if (entry.kind === "step") invariants.check(entry.event, scheduler.step(entry.event).actions);
  }
  invariants.end();
}

/** The events of all worlds together. */
const happened = { copies: 0, kills: 0, withdrawals: 0, timeOuts: 0, lost: 0, won: 0 };

function note(seen: typeof happened): void {
  happened.copies += seen.copies;
  happened.kills += seen.kills;
  happened.withdrawals += seen.withdrawals;
  happened.timeOuts += seen.timeOuts;
  happened.lost += seen.lost;
  happened.won += seen.won;
}

const SEEDS = [1, 2, 3, 4, 5, 6];

describe.each(DISCIPLINES)("%s", (discipline, set) => {
  const settings = { discipline, set };

  test.each([true, false])("copies or restarts what runs on a slow node, placement %s", (yes) => {
    const { am, journal, said } = run({ settings, placement: yes });
    if (discipline === "esplash" && !yes) {
      expect(said).toContainEqual({ type: "idle", reason: expect.stringMatching(/placement/) });
      expect(am.seen.copies + am.seen.kills).toBe(0);
    } else {
      expect(am.seen.copies + am.seen.kills).toBeGreaterThan(0);
    }
    expect(am.state).toBe("succeeded");
    expect(replaySession(journal).kind).toBe("same");
  });

  test.each(SEEDS)("keeps to the protocol and the core's rules, seed %i", (seed) => {
    const [placement, slotsPerNode] = [seed % 2 === 0, 2 + (seed % 3)];
    const chances = { lossChance: seed > 2 ? 0.005 : 0, failureChance: seed > 1 ? 0.002 : 0 };
    const reduces = seed === 4 ? 0 : 5;
    const world = { placement, slotsPerNode, reduces, maps: 20, ...chances };
    const { am, journal } = run({ seed, settings, ...world });
    expect(am.state).not.toBe("runs");
    checkSteps(journal);
    expect(replay(journal, restoreDiscipline)).toMatchObject({ kind: "same" });
    expect(replaySession(journal)).toMatchObject({ kind: "same" });
    expect(journal.at(-1)).toContain('"job-ended"');
    expect(journal.join("\n")).toContain('"kind":"end-job"');
  });
});

test("all worlds together have every possible event", () => {
  for (const count of Object.values(happened)) expect(count, JSON.stringify(happened)).not.toBe(0);
});
