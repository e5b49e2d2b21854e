import { describe, expect, test } from "vitest";
import { begun } from "./attempt-story.ts";
import { readDecisions } from "./decisions.ts";
import type { AttemptRow } from "./yarn-rest.ts";

const row = (attempt: string, state: string, startedAt: number, endedAt = 0): AttemptRow => ({
  attempt,
  state,
  startedAt,
  endedAt,
  progress: 0,
  host: "n1",
  hostWeb: "n1:8042",
  container: "",
  diagnostics: "",
});

const LINES = [
  { at: 1, type: "ready", discipline: "late" },
  {
    at: 2,
    type: "copy",
    command: 1,
    task: "m_000003",
    why: { rule: "slowest", numbers: { x: 1 } },
  },
  { at: 3, type: "refused", command: 1, reason: "time-out" },
  { at: 4, type: "copy", command: 2, task: "m_000003", why: { rule: "again", numbers: {} } },
  { at: 5, type: "done", command: 2, attempt: "m_000003_1" },
  { at: 6, type: "kill", command: 3, attempt: "m_000004_0", why: { rule: "restart", numbers: {} } },
];
const text = LINES.map((line) => JSON.stringify(line));
const decisions = readDecisions(text);

test("decisions are read, and other lines are skipped", () => {
  const kinds = ["copy", "refused", "copy", "done", "kill"];
  expect(decisions.map(({ kind }) => kind)).toEqual(kinds);
  expect(readDecisions(["no JSON", '{"type":"tock"}', ...text])).toEqual(decisions);
  expect(decisions[0]).toMatchObject({ why: { rule: "slowest", numbers: { x: 1 } } });
});

describe("the kind of an attempt", () => {
  const as = (attempt: string, ...rows: readonly AttemptRow[]): string => {
    const own = rows.find((each) => each.attempt === attempt);
    return own === undefined ? "none" : begun(own, rows, decisions).as;
  };

  test("a copy that the policies requested is recognised by its command", () => {
    const rows = [row("m_000003_0", "RUNNING", 1), row("m_000003_1", "RUNNING", 6)];
    expect(as("m_000003_0", ...rows)).toBe("original");
    expect(as("m_000003_1", ...rows)).toBe("speculative");
    expect(begun(row("m_000003_1", "RUNNING", 6), rows, decisions).why.rule).toBe("again");
  });

  test("a retry follows a failure, a restart our kill, a rerun Hadoop's kill", () => {
    const following = (task: string, state: string): string =>
      as(`${task}_1`, row(`${task}_0`, state, 1, 5), row(`${task}_1`, "RUNNING", 6));
    expect(following("m_000001", "FAILED")).toBe("retry");
    expect(following("m_000004", "KILLED")).toBe("restart");
    expect(following("m_000005", "KILLED")).toBe("rerun");
    expect(following("m_000005", "SUCCEEDED")).toBe("recompute");
    const again = [row("m_000005_0", "KILLED", 1, 5), row("m_000005_1", "RUNNING", 6)] as const;
    expect(begun(again[1], again, decisions, new Set(["m_000005_0"])).as).toBe("recompute");
  });
});
