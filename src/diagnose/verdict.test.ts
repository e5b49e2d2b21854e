import { expect, test } from "vitest";
import type { NodeRow, Why } from "./document.ts";
import { verdictOf } from "./verdict.ts";

const node = (verdict: NodeRow["verdict"], more: Partial<NodeRow> = {}): NodeRow => ({
  ...{ node: "n1", attempts: 40, times: 1, factor: 1, lowFactor: 1, highFactor: 1 },
  ...{ verdict, ...more },
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
