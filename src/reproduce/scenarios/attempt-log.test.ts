import { describe, expect, test } from "vitest";
import { steadily } from "../../../test/support/curves.ts";
import { type Launch, World, type WorldOptions } from "../../../test/support/world.ts";
import { AttemptLog } from "./attempt-log.ts";
import { selected } from "./measure.ts";

const SECOND = 1_000;

/** Maps of 20 s on nodes of one slot. */
const world = (options: WorldOptions = {}): World =>
  new World({ nodes: 3, slots: [1, 1], runs: () => steadily(20 * SECOND), ...options });

function logOf({ facts }: World): AttemptLog {
  const log = new AttemptLog();
  for (const fact of facts) log.apply(fact);
  log.close();
  return log;
}

const ends = (of: World): readonly string[] =>
  logOf(of).attempts.map(({ node, ended, endedAt }) => `${node} ${ended} ${endedAt}`);

/** map/0 is slow on its first node; returns the last step of its life. */
function copied(): World {
  const slow = world({
    discipline: "late,sharing=fifo-plain",
    runs: ({ task, as }) => steadily((task.index === 0 && as === "original" ? 900 : 60) * SECOND),
  });
  slow.submit({ maps: 3 });
  return slow;
}

describe("the log of attempts", () => {
  test("the loser of two is killed when the winner ends", () => {
    const slow = copied();
    const end = slow.finish();
    const tried = logOf(slow).attempts.filter(({ task }) => task === 0);
    expect(tried.map(({ as, ended, endedAt }) => [as, ended, endedAt])).toEqual([
      ["speculative", "succeeded", end],
      ["original", "killed", end],
    ]);
  });

  test("a job that is killed kills its attempts, though one reports a success after that", () => {
    const killed = world({ nodes: 1 });
    const job = killed.submit({ maps: 1 }).id;
    const attempt = killed.advance(SECOND).attempt("map", 0);
    killed.scheduler.step({ at: killed.at, kind: "job-killed", job });
    const log = new AttemptLog();
    for (const fact of killed.facts) log.apply(fact);
    killed.advance(SECOND + 1);
    const output = { bytes: 0, records: 0 };
    const { facts } = killed.scheduler.step({
      at: killed.at,
      kind: "attempt-succeeded",
      attempt,
      output,
    });
    for (const fact of facts) log.apply(fact);
    expect(log.attempts.map(({ ended, endedAt }) => [ended, endedAt])).toEqual([
      ["killed", SECOND + 1],
    ]);
  });

  test("an attempt that is killed on a silent node ends at once, not when the node is lost", () => {
    const silent = world({ nodes: 1 });
    const { id } = silent.submit({ maps: 1 });
    silent.advance(2 * SECOND).silence("n1");
    silent.advance(3 * SECOND).step({ at: silent.at, kind: "job-killed", job: id });
    silent.advance(700 * SECOND);
    expect(ends(silent)).toEqual(["n1 killed 3000"]);
  });

  test("attempts on a node that is lost, leaves or comes back empty are lost with it", () => {
    const lost = world({ nodes: 1, sets: ["detection.expiryMs=10000"] });
    lost.submit({ maps: 1 });
    lost.advance(SECOND).silence("n1");
    lost.advance(20 * SECOND);
    expect(ends(lost)).toEqual(["n1 lost 11000"]);

    const left = world();
    left.submit({ maps: 1 });
    left.advance(5 * SECOND).step({ at: left.at, kind: "node-left", node: left.node("n1") });
    expect(ends(left)[0]).toBe("n1 lost 5000");

    const back = world();
    back.submit({ maps: 1 });
    const node = back.advance(6 * SECOND).view.node(back.node("n1"));
    back.step({ at: back.at, kind: "node-joined", node });
    expect(ends(back)[0]).toBe("n1 lost 6000");
  });

  test("a recomputed task succeeds twice", () => {
    const runs = ({ phase }: Launch) => steadily((phase === "map" ? 20 : 100) * SECOND);
    const again = world({ nodes: 2, runs });
    again.submit({ maps: 1, reduces: 2 });
    again.advance(25 * SECOND);
    const [task, node] = [again.task("map", 0), again.node("n1")];
    again.step({ at: again.at, kind: "output-lost", task, node });
    again.finish();
    const maps = logOf(again).attempts.filter(({ phase }) => phase === "map");
    expect(maps.map(({ as, ended, triedOn }) => [as, ended, triedOn])).toEqual([
      ["original", "succeeded", []],
      ["recompute", "succeeded", ["n1"]],
    ]);
  });
});

test("a selection takes attempts that meet all of its conditions", () => {
  const slow = copied();
  slow.finish();
  const { attempts } = logOf(slow);
  const count = (selection: Parameters<typeof selected>[1]) => selected(attempts, selection).length;
  expect(count({})).toBe(4);
  expect(count({ as: ["speculative"] })).toBe(1);
  expect(count({ as: ["speculative"], ended: "killed" })).toBe(0);
  expect(count({ job: "jo*", phase: "map" })).toBe(4);
  expect(count({ job: "jo" })).toBe(0);
  expect(count({ triedOn: ["*1"] })).toBe(1);
});
