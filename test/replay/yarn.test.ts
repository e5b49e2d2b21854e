import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { replay } from "../../src/core/journal/index.ts";
import { replaySession, sessionAgain } from "../../src/hosts/yarn/policy/replay.ts";
import { restoreDiscipline } from "../../src/policy/discipline.ts";

/**
 * What ApplicationMasters of real Hadoop 3.5 clusters told our policies, and what came of it.
 * REPLAY_REWRITE=1 decides anew; commit only a difference that you can explain.
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

  test("is decided again to the byte, its commands made of what the master said alone", () => {
    expect(replay(lines, restoreDiscipline, name)).toMatchObject({ kind: "same" });
    expect(replaySession(lines, name)).toMatchObject({ kind: "same" });
  });

  test("tells of a line that would not come again", () => {
    const line = lines.findLastIndex((text) => text.includes('"event":"attempt-succeeded"'));
    const changed = lines.with(line, `${lines[line]} `);
    expect(replaySession(changed, name)).toMatchObject({ kind: "different", line: line + 1 });
  });
});

test("mantri-restarts.ndjson: what Mantri has killed runs again, as its restart", () => {
  const lines = linesOf("mantri-restarts.ndjson");
  const holding = (text: string) => lines.filter((line) => line.includes(text));
  expect(holding('"to-am","line":{"type":"kill"')).toHaveLength(11);
  expect(holding('"event":"attempt-killed"').filter(isByUs)).toHaveLength(11);
  expect(holding('"event":"attempt-started"').filter(isRestart)).toHaveLength(11);
});

test("late-outputs-lost.ndjson: what died with its node is computed again, once each", () => {
  const lines = linesOf("late-outputs-lost.ndjson");
  const told = lines.filter((line) => line.includes('"from-am","line":{"type":"output-lost"'));
  expect(told).toHaveLength(2);
  expect(lines.filter((line) => line.includes('"event":"output-lost"'))).toHaveLength(2);
  const again = lines.filter((line) => line.includes('"event":"attempt-started"'));
  expect(again.filter((line) => line.includes('"as":"recompute"'))).toHaveLength(2);
});

const isByUs = (line: string): boolean => line.includes('"by":"us"');
const isRestart = (line: string): boolean => line.includes('"as":"restart"');
