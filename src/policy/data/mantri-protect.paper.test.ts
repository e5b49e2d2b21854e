import { describe, expect, test } from "vitest";
import { Line } from "../../../test/golden/format.ts";
import { Script } from "../../../test/golden/script.ts";
import type { Action } from "../../model/action.ts";
import { instant, nodeId, taskId } from "../../model/ids.ts";
import { countLost, countWritten, type Losses, lossProbability } from "./mantri-protect/losses.ts";
import { longestLost } from "./mantri-protect/redo.ts";

/** The actions of a script's last commands. */
const told = new WeakMap<Script, Action[]>();

/** Runs commands; returns their actions. */
function run(script: Script, ...commands: readonly string[]): readonly Action[] {
  const actions = told.get(script) ?? [];
  actions.length = 0;
  for (const command of commands) script.run(new Line(command));
  return [...actions];
}

function begin(...commands: readonly string[]): Script {
  const actions: Action[] = [];
  const script = new Script(() => (_, these) => {
    actions.push(...these);
  });
  told.set(script, actions);
  run(script, ...commands);
  return script;
}

/** t_redo as it was compared, in ms. */
function redoMs(actions: readonly Action[]): number {
  for (const action of actions) {
    if (action.kind === "replicate" || action.kind === "pass") {
      const { redoMs: ms } = action.why.numbers;
      if (typeof ms === "number") return ms;
    }
  }
  throw new Error("nothing was compared");
}

/** A machine without a history has a probability of loss of 0.2, and of 2/11 after one output. */
const KNOWN = "discipline mantri-protection data.lossProbability=0.2 data.rackBytesPerMs=1";
const [UNSEEN, SEEN] = [0.2, 2 / 11];

describe("§5.3, Figure 12: t_redo = r (t + what its inputs would take)", () => {
  // The map takes 100 s on n1, the reduce 50 s on n2.
  const chain = (): Script =>
    begin(
      KNOWN,
      "nodes n1 map=1 reduce=0",
      "nodes n2 n3 map=0 reduce=1",
      "job j map*1 reduce*1<map final:reduce*1<reduce bytes=1000",
      "until 100s",
    );

  test("a map of raw blocks: r1 t1", () => {
    const came = run(chain(), "succeed j/map/0#0 bytes=10");
    expect(redoMs(came)).toBeCloseTo(UNSEEN * 100_000);
  });

  test("(a) a chain: r2 (t2 + r1 t1)", () => {
    const script = chain();
    run(script, "succeed j/map/0#0 bytes=10", "until 150s");
    const came = run(script, "succeed j/reduce/0#0 bytes=10");
    expect(redoMs(came)).toBeCloseTo(UNSEEN * (50_000 + SEEN * 100_000));
  });

  test("(a) recursively: r3 (t3 + r2 (t2 + r1 t1))", () => {
    const script = begin(
      KNOWN,
      "nodes n1 map=1 reduce=0",
      "nodes n2 map=0 reduce=1",
      "job j map*1 reduce*1<map again:reduce*1<reduce final:reduce*1<again bytes=1000",
      "until 100s",
      "succeed j/map/0#0 bytes=10",
      "until 150s",
      "succeed j/reduce/0#0 bytes=10",
      "until 180s",
    );
    const came = run(script, "succeed j/again/0#0 bytes=10");
    // The last two ran on the same machine, which has written one output by now.
    const reduce = SEEN * (50_000 + SEEN * 100_000);
    expect(redoMs(came)).toBeCloseTo(SEEN * (30_000 + reduce));
  });

  test("(b) replicated: the map's output is lost only with both, r1 r3", () => {
    const script = chain();
    run(script, "succeed j/map/0#0 bytes=10", "replicated j/map/0 on=n3", "until 150s");
    const came = run(script, "succeed j/reduce/0#0 bytes=10");
    expect(redoMs(came)).toBeCloseTo(UNSEEN * (50_000 + SEEN * SEEN * 100_000));
  });

  test("(c) many to one: the longest of the inputs that are lost stalls the task", () => {
    const script = begin(
      KNOWN,
      "nodes n1 n2 n3 map=1 reduce=0",
      "nodes n4 map=0 reduce=1",
      "job j map*3 reduce*1<map final:reduce*1<reduce bytes=1000",
      "until 30s",
      "succeed j/map/2#0 bytes=10",
      "until 60s",
      "succeed j/map/1#0 bytes=10",
      "until 100s",
      "succeed j/map/0#0 bytes=10",
      "until 150s",
    );
    const came = run(script, "succeed j/reduce/0#0 bytes=10");
    const kept = 1 - SEEN;
    const stall = SEEN * (100_000 + kept * (60_000 + kept * 30_000));
    expect(redoMs(came)).toBeCloseTo(UNSEEN * (50_000 + stall));
    // Higher than with any of them alone.
    expect(stall).toBeGreaterThan(SEEN * 100_000);
  });

  test("the expected longest of several possible losses equals the sum over all cases", () => {
    const inputs = [
      { task: taskId(0), loss: 0.5, takesMs: 10 },
      { task: taskId(1), loss: 0.25, takesMs: 30 },
      { task: taskId(2), loss: 0.1, takesMs: 20 },
    ];
    let expected = 0;
    for (let lost = 0; lost < 8; lost++) {
      let chance = 1;
      let longest = 0;
      inputs.forEach(({ loss, takesMs }, index) => {
        const isLost = Math.floor(lost / 2 ** index) % 2 === 1;
        chance *= isLost ? loss : 1 - loss;
        if (isLost) longest = Math.max(longest, takesMs);
      });
      expected += chance * longest;
    }
    expect(longestLost(inputs)).toBeCloseTo(expected, 12);
    expect(longestLost([])).toBe(0);
  });
});

describe("§5.3: r is estimated for a machine over a long time", () => {
  const DAY = 86_400_000;
  const losses = (counts: readonly { at: number; written: number; lost: number }[]): Losses => {
    const all: Losses = new Map();
    for (const { at, written, lost } of counts) {
      for (let i = 0; i < written; i++) countWritten(all, nodeId(0), instant(at), 7 * DAY);
      for (let i = 0; i < lost; i++) countLost(all, nodeId(0), instant(at), 7 * DAY);
    }
    return all;
  };

  test("r is the share of outputs that were lost, once many were written", () => {
    const flaky = losses([{ at: 0, written: 1000, lost: 100 }]);
    expect(lossProbability(flaky, nodeId(0), 0.0001)).toBeCloseTo(0.1, 2);
    expect(lossProbability(flaky, nodeId(1), 0.0001)).toBeCloseTo(0.0001);
  });

  test("one loss of one output does not condemn the machine", () => {
    const once = losses([{ at: 0, written: 1, lost: 1 }]);
    expect(lossProbability(once, nodeId(0), 0)).toBeCloseTo(1 / 11);
  });

  test("hot spots change from week to week: old losses count little", () => {
    const mended = losses([
      { at: 0, written: 1000, lost: 500 },
      { at: 35 * DAY, written: 1000, lost: 0 },
    ]);
    expect(lossProbability(mended, nodeId(0), 0)).toBeLessThan(0.005);
  });
});

describe("§5.3: tokens for 10 % of the data processed", () => {
  const half = (): Script =>
    begin(
      "discipline mantri-protection data.lossProbability=1 data.rackBytesPerMs=1000000",
      "nodes n1 map=4",
      "job j map*4 reduce*1<map bytes=1000",
      "until 100s",
    );
  const replicates = (actions: readonly Action[]): number =>
    actions.filter(({ kind }) => kind === "replicate").length;

  test("are earned by each task and spent on replication", () => {
    const script = half();
    expect(replicates(run(script, "succeed j/map/0#0 bytes=100"))).toBe(1);
    expect(replicates(run(script, "succeed j/map/1#0 bytes=101"))).toBe(0);
    // 100 unspent bytes and 100 of its own.
    expect(replicates(run(script, "succeed j/map/2#0 bytes=200"))).toBe(1);
    expect(replicates(run(script, "succeed j/map/3#0 bytes=101"))).toBe(0);
  });
});

describe("§5.3: pre-computation", () => {
  const lossy = (...sets: readonly string[]): Script =>
    begin(
      `discipline mantri-protection data.recomputeBudget=1 ${sets.join(" ")}`,
      "nodes n1 map=4 reduce=0",
      "nodes n2 map=2 reduce=1",
      "job j map*6 reduce*2<map",
      "until 100s",
      ...[0, 1, 2, 3, 4, 5].map((index) => `succeed j/map/${index}#0`),
    );
  const recomputed = (script: Script, ...commands: readonly string[]): readonly string[] =>
    run(script, ...commands).flatMap((action) => {
      if (action.kind !== "recompute") return [];
      return [`${script.host.scheduler.view.task(action.task).index} ${action.why.rule}`];
    });
  const ONSET = "machine-loses-outputs";

  test("a recompute is the onset: other outputs on only that machine are recomputed", () => {
    const script = lossy();
    run(script, "replicated j/map/2 on=n2");
    expect(recomputed(script, "output-lost j/map/0 on=n1")).toEqual([
      "0 lost-before-missed",
      `1 ${ONSET}`,
      `3 ${ONSET}`,
    ]);
  });

  /** Where tasks are launched again, and the places that they prefer. */
  const places = (script: Script, ...commands: readonly string[]): readonly string[] =>
    run(script, ...commands).flatMap((action) => {
      const { view } = script.host.scheduler;
      if (action.kind === "prefer") {
        const of = [...action.nodes.map((id) => view.node(id).name), ...action.racks];
        return [`${view.task(action.task).index} rather on ${of}`];
      }
      if (action.kind !== "launch" || action.as !== "recompute") return [];
      return [`${view.task(action.task).index} on ${view.node(action.node).name}`];
    });

  test("future requests for data on this machine will fail: elsewhere, while there is room", () => {
    // n2 has two slots; a task that finds none there does not wait for one.
    expect(places(lossy(), "output-lost j/map/0 on=n1", "until 104s").toSorted()).toEqual([
      "0 on n2",
      "0 rather on n2",
      "1 on n2",
      "1 rather on n2",
      "2 on n1",
      "2 rather on n2",
      "3 on n1",
      "3 rather on n2",
    ]);
  });

  test("an output that a reader has missed is recomputed elsewhere, too", () => {
    const fetches = Array(3).fill("fetch-failed j/reduce/0#0 j/map/0 from=n1");
    const came = places(lossy("data.recomputeBudget=0.1"), ...fetches);
    expect(came).toEqual(["0 rather on n2", "0 on n2"]);
  });

  test("elsewhere is any other machine of the rack, and any other rack", () => {
    const script = begin(
      "cluster racks=r1,r2,r3",
      "discipline mantri-protection data.recomputeBudget=1",
      "nodes n1 n2 rack=r1 map=1 reduce=0",
      "nodes n3 rack=r2 map=1 reduce=1",
      "job j map*3 reduce*1<map",
      "until 100s",
      "succeed j/map/0#0 j/map/1#0 j/map/2#0",
    );
    const [first] = places(script, "output-lost j/map/0 on=n1");
    expect(first).toBe("0 rather on n2,1");
  });

  test("a machine that is gone is not avoided, nor one before its second loss of two", () => {
    const script = lossy();
    run(script, "nodes n3 map=1 reduce=0");
    const gone = places(script, "left n1");
    expect(gone.filter((one) => one.includes("rather"))).toEqual([]);
    expect(gone).toContain("0 on n2");
    const first = places(lossy("data.recomputesMin=2"), "output-lost j/map/0 on=n1");
    expect(first.filter((one) => one.includes("rather"))).toEqual([]);
  });

  test("also a missed output, which the core recomputes whatever the budget", () => {
    const fetches = Array(3).fill("fetch-failed j/reduce/0#0 j/map/0 from=n1");
    expect(recomputed(lossy(), ...fetches).toSorted()).toEqual([
      "0 output-missed",
      `1 ${ONSET}`,
      `2 ${ONSET}`,
      `3 ${ONSET}`,
    ]);
    expect(recomputed(lossy("data.recomputeBudget=0"), ...fetches)).toEqual(["0 output-missed"]);
  });

  test("§6.5: or only after two, in quick succession", () => {
    const two = "data.recomputesMin=2";
    const [first, second] = ["output-lost j/map/0 on=n1", "output-lost j/map/1 on=n1"];
    const script = lossy(two);
    expect(recomputed(script, first)).toEqual(["0 lost-before-missed"]);
    expect(recomputed(script, "until 11m", second)).toEqual([
      "1 lost-before-missed",
      `2 ${ONSET}`,
      `3 ${ONSET}`,
    ]);
    const late = lossy(two);
    expect(recomputed(late, first)).toHaveLength(1);
    expect(recomputed(late, "until 12m", second)).toEqual(["1 lost-before-missed"]);
  });

  test("the loss of one of two replicas is no onset", () => {
    const script = lossy("data.recomputesMin=2");
    run(script, "replicated j/map/0 on=n2");
    expect(recomputed(script, "output-lost j/map/0 on=n1")).toEqual([]);
    expect(recomputed(script, "output-lost j/map/1 on=n1")).toEqual(["1 lost-before-missed"]);
  });

  test("a surviving old output stays valid, and is not recomputed twice", () => {
    const script = lossy();
    recomputed(script, "output-lost j/map/0 on=n1");
    const { view } = script.host.scheduler;
    const [job] = view.jobs();
    const other = job?.phases[0]?.tasks.at(1)?.id ?? taskId(-1);
    expect(view.outputNodes(other)).toEqual([nodeId(0)]);
    expect(recomputed(script, "output-lost j/map/1 on=n1")).toEqual([]);
  });

  test("a running recompute is neither requested nor refused again", () => {
    // The budget is spent on the four outputs of the machine.
    const script = lossy("data.recomputeBudget=0.67");
    expect(recomputed(script, "output-lost j/map/0 on=n1")).toHaveLength(4);
    const came = run(script, "output-lost j/map/1 on=n1");
    expect(came.filter(({ kind }) => kind === "recompute" || kind === "pass")).toEqual([]);
  });

  test("spends no more cluster time than its share of what the job has used", () => {
    // 600 s of maps; a sixth of them is one recompute.
    const share = (budget: number) =>
      recomputed(lossy(`data.recomputeBudget=${budget}`), "output-lost j/map/0 on=n1").length;
    expect(share(0.1)).toBe(0);
    expect(share(0.17)).toBe(1);
    expect(share(0.5)).toBe(3);
    expect(share(1)).toBe(4);
  });

  test("spent time stays spent, also for later losses", () => {
    // A third of 600 s: two recomputes.
    const script = lossy("data.recomputeBudget=0.34");
    expect(recomputed(script, "output-lost j/map/0 on=n1")).toHaveLength(2);
    expect(recomputed(script, "output-lost j/map/2 on=n1")).toEqual([]);
  });

  test("an output that no task will read any more is not recomputed", () => {
    const script = begin(
      "discipline mantri-protection data.recomputeBudget=1",
      "nodes n1 map=2 reduce=2",
      "job j map*2 reduce*2<map final:reduce*1<reduce",
      "until 100s",
      "succeed j/map/0#0 j/map/1#0",
      "until 200s",
      "succeed j/reduce/0#0 j/reduce/1#0",
    );
    // The two reduces; the maps lie on the same machine.
    expect(recomputed(script, "output-lost j/reduce/0 on=n1")).toEqual([
      "0 lost-before-missed",
      `1 ${ONSET}`,
    ]);
  });
});
