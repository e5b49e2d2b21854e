import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { type ReplayedStep, replay } from "../../src/core/journal/index.ts";
import { replaySession, sessionAgain } from "../../src/hosts/yarn/policy/replay.ts";
import { restoreDiscipline } from "../../src/policy/discipline.ts";
import { Books } from "../support/books.ts";

/**
 * Messages of ApplicationMasters of real Hadoop 3.5 clusters to our policies, and the decisions.
 * REPLAY_REWRITE=1 decides again; commit only a difference that you can explain.
 */
const folder = new URL("yarn/", import.meta.url);
const files = readdirSync(folder).filter((name) => name.endsWith(".ndjson"));
const linesOf = (name: string): readonly string[] =>
  readFileSync(new URL(name, folder), "utf8").split("\n");

if (process.env.REPLAY_REWRITE === "1") {
  for (const name of files) {
    const { journal } = sessionAgain(linesOf(name), name);
    writeFileSync(new URL(name, folder), `${journal.join("\n")}\n`);
  }
}

describe.each(files)("%s", (name) => {
  const lines = linesOf(name);

  test("replays to the byte, with commands that follow only from the master's messages", () => {
    expect(replay(lines, restoreDiscipline, { place: name })).toMatchObject({ kind: "same" });
    expect(replaySession(lines, name)).toMatchObject({ kind: "same" });
  });

  test("its facts agree with the view at every step", () => {
    const books = new Books();
    const onStep = ({ facts, view }: ReplayedStep) => books.step(facts, view);
    replay(lines, restoreDiscipline, { place: name, onStep });
    books.end();
  });

  test("reports a line that is not reproduced", () => {
    const line = lines.findLastIndex((text) => text.includes('"event":"attempt-succeeded"'));
    const changed = lines.with(line, `${lines[line]} `);
    expect(replaySession(changed, name)).toMatchObject({ kind: "different", line: line + 1 });
  });
});

describe("mantri-restarts.ndjson", () => {
  const lines = linesOf("mantri-restarts.ndjson");
  const holding = (text: string) => lines.filter((line) => line.includes(text));
  const kills = holding('"to-am","line":{"type":"kill"').map(
    (line) => /"attempt":"(\w+)"/.exec(line)?.[1],
  );

  // The master's lines are unchanged except for gamma, whose default here is now 0. When they came,
  // these five were killed as well, each within 1.1 s of its first report.
  test("no map is killed because its start-up time counts as reading time", () => {
    for (const healthy of ["m_000000_0", "m_000003_0", "m_000004_0", "m_000009_0", "m_000009_1"]) {
      expect(kills).not.toContain(healthy);
    }
    for (const kill of kills) {
      expect(holding(`"type":"started"`).find((line) => line.includes(`"${kill}"`))).toContain(
        '"host":"n1"',
      );
    }
  });

  test("the time of a new container is part of the time of a new copy", () => {
    const newCopyMs = holding('"to-am","line":{"type":"kill"').map((line) =>
      Number(/"newCopyMs":([\d.]+)/.exec(line)?.[1]),
    );
    // The median time from a kill to the next start of its task was 9.4 s.
    expect((newCopyMs.at(-1) ?? 0) - (newCopyMs[0] ?? 0)).toBeGreaterThan(8_000);
  });

  test("attempts that Mantri kills on the slow node run again, as restarts", () => {
    expect(kills).toHaveLength(5);
    expect(holding('"event":"attempt-killed"').filter(isByUs)).toHaveLength(5);
    expect(holding('"event":"attempt-started"').filter(isRestart)).toHaveLength(5);
  });
});

test("late-outputs-lost.ndjson: each output that died with its node is recomputed once", () => {
  const lines = linesOf("late-outputs-lost.ndjson");
  const told = lines.filter((line) => line.includes('"from-am","line":{"type":"output-lost"'));
  expect(told).toHaveLength(2);
  expect(lines.filter((line) => line.includes('"event":"output-lost"'))).toHaveLength(2);
  const again = lines.filter((line) => line.includes('"event":"attempt-started"'));
  expect(again.filter((line) => line.includes('"as":"recompute"'))).toHaveLength(2);
});

const isByUs = (line: string): boolean => line.includes('"by":"us"');
const isRestart = (line: string): boolean => line.includes('"as":"restart"');
