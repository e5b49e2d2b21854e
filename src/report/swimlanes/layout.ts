import type { Mark } from "./marks.ts";
import type { Story, StoryNode } from "./story.ts";

/** One run of the picture. */
export interface Panel {
  readonly story: Story;
  readonly marks: readonly Mark[];
  /** Names of the kinds of slot. */
  readonly slotKinds: readonly string[];
  /** Printed above the panel's rows. */
  readonly title?: string;
  /** The end of the run to compare with, in ms; the first panel's end by default. */
  readonly baselineMs?: number;
}

/** The positions of the picture's parts, in pixels. All panels share one time axis. */
export interface Layout {
  readonly width: number;
  readonly left: number;
  readonly right: number;
  readonly bottom: number;
  /** The end of the time axis, in ms. */
  readonly endsAt: number;
  readonly panels: readonly PanelLayout[];
  x(ms: number): number;
}

/** The positions of one run's rows. */
export interface PanelLayout {
  readonly panel: Panel;
  /** Where the title is, where the rows start, and where they end. */
  readonly titleAt: number;
  readonly top: number;
  readonly bottom: number;
  readonly laneHeight: number;
  /** The gap between two slots of a node, a part of the lane's height. */
  readonly laneGap: number;
  readonly blocks: readonly LaneBlock[];
  /** The bands of racks whose links background traffic used. */
  readonly racks: readonly Band[];
  x(ms: number): number;
}

export interface Band {
  readonly name: string;
  readonly y: number;
  readonly height: number;
}

/** The slots of one node. */
export interface LaneBlock extends Band {
  readonly node: StoryNode;
  /** Whether there is a free line above the slots, for the labels of marks. */
  readonly hasLabels: boolean;
}

const WIDTH = 1280;
const LEFT = 118;
const RIGHT = 18;
/** The target height of all lanes of all panels together, if lanes stay visible. */
const LANES_HEIGHT = 900;
const LANE_MIN = 1.6;
const LANE_MAX = 17;
const RACK_HEIGHT = 12;
const TITLE_HEIGHT = 24;
/** A line for the names of jobs where they end. */
const JOBS_HEIGHT = 22;
/** Lanes at least this high have labels above them. */
const LABELS_FROM = 6;
export const LABEL_HEIGHT = 12;

export function layOut(panels: readonly Panel[], top: number): Layout {
  const right = WIDTH - RIGHT;
  const endsAt = Math.max(0, ...panels.map(({ story }) => story.endsAt));
  const x = (ms: number): number =>
    LEFT + ((right - LEFT) * Math.min(ms, endsAt)) / Math.max(1, endsAt);
  const lanes = panels.reduce((sum, { story }) => sum + lanesOf(story), 0);
  const laneHeight = Math.min(LANE_MAX, Math.max(LANE_MIN, LANES_HEIGHT / Math.max(1, lanes)));
  let y = top;
  const laidOut = panels.map((panel): PanelLayout => {
    const titleAt = y + 13;
    y += (panel.title === undefined ? 0 : TITLE_HEIGHT) + JOBS_HEIGHT;
    const rows = layOutRows(panel, { y, laneHeight });
    const laid = { panel, titleAt, top: y, laneHeight, laneGap: laneHeight >= 6 ? 1.5 : 0, x };
    y = rows.bottom + 6;
    return { ...laid, ...rows };
  });
  const bottom = laidOut.at(-1)?.bottom ?? top;
  return { width: WIDTH, left: LEFT, right, bottom, endsAt, panels: laidOut, x };
}

const lanesOf = ({ nodes }: Story): number =>
  nodes.reduce((sum, node) => sum + Math.max(1, node.lanes.length), 0);

function layOutRows(
  { story, marks }: Panel,
  at: { readonly y: number; readonly laneHeight: number },
): Pick<PanelLayout, "blocks" | "racks" | "bottom"> {
  const { laneHeight } = at;
  const marked = new Set(marks.map(({ target }) => target));
  const nodeGap = laneHeight >= 6 ? 6 : laneHeight / 2;
  let { y } = at;
  const blocks = story.nodes.map((node): LaneBlock => {
    const hasLabels = laneHeight >= LABELS_FROM && marked.has(node.name);
    if (hasLabels) y += LABEL_HEIGHT;
    const height = Math.max(1, node.lanes.length) * laneHeight;
    const block = { name: node.name, node, y, height, hasLabels };
    y += height + nodeGap;
    return block;
  });
  const racks = racksOf(marks).map((name): Band => {
    const band = { name, y: y + 4, height: RACK_HEIGHT };
    y += RACK_HEIGHT + 6;
    return band;
  });
  return { blocks, racks, bottom: y };
}

const racksOf = (marks: readonly Mark[]): readonly string[] => [
  ...new Set(marks.flatMap(({ of, target }) => (of === "rack" ? [target] : []))),
];

/** Round times, in ms, at least a minimum number of pixels apart. */
export function ticks({ left, right, endsAt }: Layout): readonly number[] {
  const most = Math.max(2, Math.floor((right - left) / 90));
  const step = STEPS_S.find((one) => endsAt / 1_000 / one <= most) ?? endsAt / 1_000;
  const count = step > 0 ? Math.floor(endsAt / 1_000 / step) : 0;
  return Array.from({ length: count + 1 }, (_, i) => i * step * 1_000);
}

const STEPS_S: readonly number[] = [0.001, 0.01, 0.1, 1, 10, 100, 1_000, 10_000, 100_000].flatMap(
  (unit) => [unit, 2 * unit, 5 * unit],
);
