import { describe, expect, test } from "vitest";
import type { CauseRow, Why } from "./document.ts";
import type { NodeRow } from "./findings.ts";
import { verdictOf } from "./verdict.ts";

const node = (verdict: NodeRow["verdict"], more: Partial<NodeRow> = {}): NodeRow => ({
  ...{ node: "n1", attempts: 40, times: 1, factor: 1, lowFactor: 1, highFactor: 1 },
  ...{ unexplainedMs: 0, verdict, ...more },
});

/** A job in which some attempt ran all the time, on all slots. */
const NOTHING_ELSE = { parts: [], idle: { ms: 0, noSlotMs: 0 }, slots: { most: 1 } };

/** The verdict's sentence about the nodes of a job that lost nothing. */
function ofNodes(nodes: readonly NodeRow[]): string | undefined {
  const why = {
    ...{ job: { id: "job", outcome: "succeeded", settings: { values: {} } } },
    ...{ responseMs: 100_000, delayMs: 0, causes: [], phases: [], nodes, ...NOTHING_ELSE },
  } as unknown as Omit<Why, "verdict">;
  return verdictOf(why).split("\n")[1];
}

test("only nodes with enough attempts are said not to be slow", () => {
  expect(ofNodes([node("usual"), node("usual")])).toBe("No node is slow.");
  const few = node("too-few", { attempts: 2 });
  expect(ofNodes([few, node("usual"), node("usual")])).toBe(
    "Of 3 nodes, 2 ran enough attempts to tell: none is slow.",
  );
  expect(ofNodes([few, few])).toBe("No node ran enough attempts to tell whether it is slow.");
});

test("a job whose attempts had no peers is not called usual", () => {
  expect(ofNodes([])).toBe("No node ran enough attempts to tell whether it is slow.");
});

test("a node with few attempts that took much longer is named", () => {
  const suspect = node("too-few", { node: "n2", attempts: 1, factor: 6.7, lowFactor: 3 });
  expect(ofNodes([node("usual"), suspect])).toBe(
    "Node n2 may be slow: its only attempt took 6.7 times as long as its peers, but one attempt " +
      "is too few to rule out bad luck.",
  );
});

test("a node that was slow for a part of the job is named with it", () => {
  const slow = node("slow", { factor: 3, slowFromMs: 34_000 });
  expect(ofNodes([slow])).toBe(
    "Node n1 ran everything 3.0 times slower than its peers in this job, from 34.0 s on " +
      "(40 attempts).",
  );
});

test("no evidence of a slow node is no evidence that there is none", () => {
  expect(ofNodes([node("usual", { highFactor: 2.4 }), node("usual", { node: "n2" })])).toBe(
    "No node is slow for sure; the log does not rule out that n1 is 2.4 times slower.",
  );
});

describe("the first line", () => {
  const headline = (cause: Partial<CauseRow>, nodes: readonly NodeRow[]): string | undefined => {
    const evidence = [{ what: "map/5#0", ms: 20_000 }];
    const row = { cause: "unexplained", ms: 24_000, aloneMs: 24_000, evidence, ...cause };
    const worst = { attempt: "map/5#0", node: "n1", startedAt: 1_000, endedAt: 61_000 };
    const why = {
      ...{ job: { id: "job", outcome: "succeeded", settings: { values: {} } } },
      ...{ responseMs: 100_000, delayMs: 24_000, causes: [row], phases: [], nodes },
      attempts: [{ ...worst, expectedMs: 20_000, delayMs: 20_000 }],
      ...NOTHING_ELSE,
    } as unknown as Omit<Why, "verdict">;
    return verdictOf(why).split("\n")[0];
  };

  test("names a suspect of two attempts that holds most of the unexplained", () => {
    const suspect = node("too-few", { attempts: 2, factor: 3, lowFactor: 1.5, highFactor: 4 });
    const unsure = { lowMs: -6_000, highMs: 31_000 };
    const said = headline(unsure, [{ ...suspect, unexplainedMs: 22_000 }]);
    expect(said).toBe(
      "job took 100 s; 24.0 s (24 %) of that was lost: 24.0 s on node n1, which may be slow: its " +
        "2 attempts took 3.0 [1.5, 4.0] times as long as peers.",
    );
    // Little of it is the suspect's: the costliest attempt is what can be seen.
    const other = headline(unsure, [{ ...suspect, unexplainedMs: 2_000 }]);
    expect(other).toContain("most of it since map/5#0 on n1 took 60.0 s where 20.0 s is usual");
    expect(other).not.toContain("-6");
  });

  test("names slow nodes with their factor, though the seconds may be few", () => {
    const slow = node("slow", { factor: 3, lowFactor: 2.4, highFactor: 3.9 });
    const said = headline({ cause: "node", lowMs: 0, highMs: 25_000 }, [slow]);
    expect(said).toContain("24.0 s on slow node n1 (3.0 times slower [2.4, 3.9])");
    expect(headline({ cause: "node" }, [])).toContain("24.0 s on slow nodes");
    const two = headline({ cause: "node" }, [slow, node("slow", { node: "n2" })]);
    expect(two).toContain("24.0 s on 2 slow nodes, n1 first (3.0 times slower [2.4, 3.9])");
  });
});

test("a small loss is told in the words that fit what else the first line says", () => {
  const said = (more: object): string | undefined => {
    const why = {
      ...{ job: { id: "job", outcome: "succeeded", settings: { values: {} } } },
      ...{ responseMs: 100_000, delayMs: 600, causes: [], phases: [], nodes: [node("usual")] },
      ...{ attempts: [], ...NOTHING_ELSE, ...more },
    } as unknown as Omit<Why, "verdict">;
    return verdictOf(why).split("\n")[0];
  };
  expect(said({})).toBe(
    "job took 100 s; its attempts took as long as their peers: 0.60 s lost (1 %).",
  );
  expect(said({ nodes: [] })).toBe(
    "job took 100 s; its attempts had no peers to compare them with.",
  );
  const parts = [{ part: "few-tasks", ms: 40_000, evidence: [] }];
  expect(said({ parts })).toBe(
    "job took 100 s; slots were idle beside too few tasks for 40.0 s; late attempts cost 0.60 s " +
      "(1 %).",
  );
  const spread = { cause: "unexplained", ms: 4_000, lowMs: -1_000, aloneMs: 0, evidence: [] };
  expect(said({ delayMs: 4_000, causes: [spread] })).toBe(
    "job took 100 s; 4.0 s (4 %) of that was lost, and no single cause stands out.",
  );
});

test("copies beside their originals are named", () => {
  const copy = (n: number) => ({ copy: `map/${n}#1`, node: "n1", originalNode: "n1" });
  const said = (count: number): string | undefined => {
    const each = Array.from({ length: count }, (_, n) => copy(n));
    const copies = { made: count, won: 0, wastedMs: 0, atLeastMs: 0, each };
    const why = {
      ...{ job: { id: "job", outcome: "succeeded", settings: { values: {} } } },
      ...{ responseMs: 100_000, delayMs: 0, causes: [], phases: [], nodes: [node("usual")] },
      ...{ ...NOTHING_ELSE, copies },
    } as unknown as Omit<Why, "verdict">;
    return verdictOf(why).split("\n")[3];
  };
  expect(said(1)).toBe("Copy map/0#1 ran on n1, where its original was.");
  expect(said(3)).toBe("3 copies ran where their originals were, map/0#1 on n1 first.");
});

test("copies have their saving of the response, and the slot time of the losers", () => {
  const ofCopies = (made: number, atLeastMs: number): string | undefined => {
    const why = {
      ...{ job: { id: "job", outcome: "succeeded", settings: { values: {} } } },
      ...{ responseMs: 100_000, delayMs: 0, causes: [], phases: [], nodes: [node("usual")] },
      ...NOTHING_ELSE,
      copies: { made, won: 1, wastedMs: 1_800, atLeastMs, each: [] },
    } as unknown as Omit<Why, "verdict">;
    return verdictOf(why).split("\n")[2];
  };
  expect(ofCopies(1, 2_500)).toBe(
    "1 copy was made, 1 won: it saved at least 2.5 s of response time, and the attempts that " +
      "lost the race wasted 1.8 slot-seconds.",
  );
  expect(ofCopies(2, 0)).toBe(
    "2 copies were made, 1 won: they may have saved no response time, and the attempts that " +
      "lost the race wasted 1.8 slot-seconds.",
  );
});
