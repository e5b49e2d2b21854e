import { describe, expect, test } from "vitest";
import { failsAfter, type Run, steadily } from "../../../test/support/curves.ts";
import { type Launch, World } from "../../../test/support/world.ts";
import type { Fault } from "../../model/fault.ts";
import { FaultLines } from "../../model/fault-line.ts";
import { slotKind } from "../../model/ids.ts";
import { drawSwimlanes } from "./draw.ts";
import { layOut, type Panel, ticks } from "./layout.ts";
import { marksOf } from "./marks.ts";
import { type LaneBar, type Story, StoryTeller } from "./story.ts";

const SECOND = 1_000;

interface Course {
  readonly runs: (launch: Launch) => Run;
  readonly nodes?: number;
  readonly discipline?: string;
  readonly happens?: (world: World) => void;
  readonly maps?: number;
}

/** The story of a run on nodes of two map slots. */
function storyOf({ runs, nodes = 3, discipline, happens, maps = 4 }: Course): Story {
  const world = new World({
    nodes,
    slots: [2],
    slotKinds: ["map"],
    runs,
    discipline: discipline ?? "none,sharing=fifo-plain",
    sets: ["detection.expiryMs=10000"],
  });
  world.submit({ maps });
  happens?.(world);
  world.finish();
  const teller = new StoryTeller();
  for (const fact of world.facts) teller.apply(fact);
  return teller.tell();
}

const brief = ({ node, lane, from, to, as, end, index }: LaneBar): string =>
  `n${node + 1}/${lane} map/${index} ${as} ${from / SECOND}-${to / SECOND} ${end}`;

describe("a run's story", () => {
  test("has a bar for each attempt, on the first slot of its node that is free", () => {
    const story = storyOf({ nodes: 1, runs: ({ task }) => steadily((task.index + 1) * SECOND) });
    expect(story.bars.map(brief)).toEqual([
      "n1/0 map/0 original 0-1 succeeded",
      "n1/1 map/1 original 0-2 succeeded",
      "n1/0 map/2 original 1-4 succeeded",
      "n1/1 map/3 original 2-6 succeeded",
    ]);
    expect(story.jobs).toEqual([{ name: "job1", from: 0, to: 6_000, outcome: "succeeded" }]);
    expect(story).toMatchObject({ endsAt: 6_000, phases: ["map"] });
  });

  test("shows failed attempts and their retries", () => {
    const runs = ({ as }: Launch) => (as === "original" ? failsAfter(SECOND) : steadily(SECOND));
    const ends = storyOf({ runs, maps: 1 }).bars.map(({ as, end }) => `${as} ${end}`);
    expect(ends).toEqual(["original failed", "retry succeeded"]);
  });

  test("shows which attempt a copy has beaten, and why it was killed", () => {
    const story = storyOf({
      discipline: "late,sharing=fifo-plain",
      runs: ({ task, as }) => steadily((as === "original" && task.index === 0 ? 900 : 50) * SECOND),
    });
    const [original] = story.bars;
    expect(original).toMatchObject({
      end: "killed",
      reason: "another attempt of the task succeeded first",
    });
    const copy = story.bars.find(({ as }) => as === "speculative");
    expect(copy).toMatchObject({ end: "succeeded", index: 0 });
  });

  test("shows attempts up to the last word of a lost node, then its silence", () => {
    const story = storyOf({
      runs: () => steadily(20 * SECOND),
      happens: (world) => world.advance(5 * SECOND).silence("n1"),
    });
    const lost = story.bars.filter(({ end }) => end === "lost").map(brief);
    expect(lost).toEqual(["n1/0 map/0 original 0-5 lost", "n1/1 map/1 original 0-5 lost"]);
    expect(story.silences).toEqual([{ node: 0, from: 5_000, to: story.endsAt, lost: true }]);
  });

  test("leaves running attempts open to the end", () => {
    const teller = new StoryTeller();
    expect(teller.tell()).toMatchObject({ bars: [], endsAt: 0 });
  });
});

describe("faults in a picture", () => {
  const endsAt = 100_000;
  const marks = (fault: Fault) => {
    const lines = new FaultLines([fault], { nodes: ["a", "b"], racks: ["r"], seed: 1 });
    return marksOf(lines.until(endsAt), endsAt).map(({ target, from, to, kind, text }) =>
      [target, from / SECOND, to / SECOND, kind, text].join(" "),
    );
  };

  test.each<[string, Fault, string[]]>([
    [
      "slow for good",
      { kind: "slow", at: 20_000, node: "a", factor: 3 },
      ["a 20 100 slow slow ×3"],
    ],
    ["normal again", { kind: "slow", at: 0, node: "a", factor: 1 }, []],
    [
      "redrawn",
      { kind: "slow", at: 0, node: "b", factor: 2, everyMs: 60_000 },
      ["b 0 60 slow slow ×2", "b 60 100 slow slow ×2"],
    ],
    [
      "dead for a time",
      { kind: "kill", at: 10_000, node: "a", what: "tracker", backAfterMs: 5_000 },
      ["a 10 15 down tracker dead"],
    ],
    ["a blow", { kind: "lose-outputs", at: 10_000, node: "a" }, ["a 10 10 blow outputs lost"]],
    [
      "others' traffic",
      { kind: "congestion", at: 0, rack: "r", share: 0.25, forMs: 1_000 },
      ["r 0 1 slow 25 % taken"],
    ],
    ["after the end", { kind: "pause", at: 100_000, node: "a", forMs: 5 }, []],
  ])("%s", (_, fault, told) => {
    expect(marks(fault)).toEqual(told);
  });
});

describe("the picture", () => {
  const panelOf = (count: number, endsAt: number): Panel => {
    const lanes = [0, 0, 1].map(slotKind);
    const nodes = Array.from({ length: count }, (_, i) => ({ name: `n${i}`, lanes }));
    const story = { nodes, endsAt, bars: [], jobs: [], phases: [], silences: [] };
    return { story, marks: [], slotKinds: [] };
  };

  test("gives few nodes wide lanes and many nodes thin ones, never on one another", () => {
    for (const count of [1, 5, 40, 200, 1_000]) {
      const layout = layOut([panelOf(count, 1), panelOf(count, 1)], 0);
      const blocks = layout.panels.flatMap((panel) => panel.blocks);
      blocks.slice(1).forEach((block, i) => {
        const before = blocks[i];
        expect(block.y).toBeGreaterThan((before?.y ?? 0) + (before?.height ?? 0));
      });
      for (const { laneHeight } of layout.panels) {
        expect(laneHeight).toBeGreaterThanOrEqual(1.6);
        expect(laneHeight).toBeLessThanOrEqual(17);
      }
    }
  });

  test("puts all panels on the longest run's time axis", () => {
    const layout = layOut([panelOf(1, 50_000), panelOf(1, 100_000)], 0);
    expect(layout.endsAt).toBe(100_000);
    const [first, second] = layout.panels;
    expect(first?.x(50_000)).toBe(second?.x(50_000));
    expect(first?.x(50_000)).toBe((layout.left + layout.right) / 2);
  });

  test.each([
    [305_600, 50],
    [90_000, 10],
    [900, 0.1],
    [4_000_000, 500],
  ])("has round times on its axis: %d ms, every %d s", (endsAt, seconds) => {
    const at = ticks(layOut([panelOf(0, endsAt)], 0));
    expect(at.length).toBeGreaterThan(3);
    expect(((at[1] ?? 0) - (at[0] ?? 0)) / 1_000).toBeCloseTo(seconds, 9);
    expect(at.at(-1)).toBeLessThanOrEqual(endsAt);
  });

  const story = storyOf({
    runs: ({ task, as }) =>
      as === "original" && task.index === 3 ? failsAfter(SECOND) : steadily(20 * SECOND),
    happens: (world) => world.advance(5 * SECOND).silence("n1"),
  });
  const slow = { kind: "fault", at: 0, node: "n2", what: "slow ×2" } as const;
  const marks = marksOf([{ ...slow, fault: "slow", is: "begin" }], story.endsAt);
  const panel = { story, marks, slotKinds: ["map"] };
  const draw = (bars: readonly LaneBar[] = story.bars) =>
    drawSwimlanes({
      title: 'a <job> & "more"',
      subtitle: "",
      panels: [{ ...panel, story: { ...story, bars } }],
    });

  test("is an SVG whose elements all close, with all text escaped", () => {
    const svg = draw();
    const open: string[] = [];
    for (const [, close, name = "", inside] of svg.matchAll(/<(\/?)([a-z]+)([^>]*)>/gi)) {
      if (close === "/") expect(open.pop()).toBe(name);
      else if (inside?.endsWith("/") !== true) open.push(name);
    }
    expect(open).toEqual([]);
    expect(svg).toContain("a &lt;job&gt; &amp; &quot;more&quot;");
    expect(svg).not.toMatch(/NaN|undefined|Infinity/);
  });

  test("also tells ends apart by pattern, and has a legend of what it shows", () => {
    const svg = draw();
    for (const pattern of ["failed", "lost"]) expect(svg).toContain(`fill="url(#${pattern})"`);
    expect(svg).not.toContain('fill="url(#killed)"');
    for (const name of ["map, original", "F: retry after a failure", "lost with its node"]) {
      expect(svg).toContain(`>${name}<`);
    }
    expect(svg).not.toContain("S: speculative copy");
  });

  test("labels a slow node above its slots, and never one label over another", () => {
    const often = Array.from({ length: 200 }, (_, i) => {
      return { ...slow, at: i * 50, what: `slow ×${i + 2}`, fault: "slow", is: "begin" } as const;
    });
    const svg = drawSwimlanes({
      title: "",
      subtitle: "",
      panels: [{ ...panel, marks: marksOf(often, story.endsAt) }],
    });
    const labels = [...svg.matchAll(/<text x="([\d.]+)" y="([\d.]+)"[^>]*>(slow ×\d+)</g)];
    expect(labels.length).toBeGreaterThan(3);
    labels.slice(1).forEach(([, x], i) => {
      const [, before, , label = ""] = labels[i] ?? [];
      expect(Number(x)).toBeGreaterThan(Number(before) + 5.6 * label.length);
    });
  });

  test("brackets the time that a run ends earlier than the first one", () => {
    const early = { ...story, endsAt: story.endsAt / 2 };
    const svg = drawSwimlanes({
      title: "",
      subtitle: "",
      panels: [
        { ...panel, title: "off" },
        { ...panel, story: early, title: "on" },
      ],
    });
    expect(svg).toContain(`>${(story.endsAt / 2_000).toFixed(1)} s earlier<`);
    expect(draw()).not.toContain("earlier");
  });

  test("describes each bar, unless there are thousands", () => {
    expect(draw()).toContain("map/3, original: 0.0 s to 1.0 s, failed (error)");
    const many = Array.from({ length: 7_000 }, () => story.bars[0]).flatMap((bar) => bar ?? []);
    const svg = draw(many);
    expect(svg).not.toContain("map/0, original");
    expect(svg.match(/<rect/g)?.length ?? 0).toBeLessThan(100);
  });
});
