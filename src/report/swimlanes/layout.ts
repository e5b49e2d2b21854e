import type { Story, StoryNode } from "./story.ts";

/** The positions of the picture's parts, in pixels. */
export interface Layout {
  readonly width: number;
  readonly left: number;
  readonly right: number;
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
}

const WIDTH = 1280;
const LEFT = 118;
const RIGHT = 18;
/** The target height of all lanes together, as long as lanes stay visible. */
const LANES_HEIGHT = 800;
const LANE_MIN = 1.6;
const LANE_MAX = 17;
const RACK_HEIGHT = 12;

export function layOut(
  { nodes, endsAt }: Pick<Story, "nodes" | "endsAt">,
  { top, racks }: { readonly top: number; readonly racks: readonly string[] },
): Layout {
  const lanes = nodes.reduce((sum, node) => sum + Math.max(1, node.lanes.length), 0);
  const laneHeight = Math.min(LANE_MAX, Math.max(LANE_MIN, LANES_HEIGHT / Math.max(1, lanes)));
  const laneGap = laneHeight >= 6 ? 1.5 : 0;
  const nodeGap = laneHeight >= 6 ? 6 : laneHeight / 2;
  let y = top;
  const blocks = nodes.map((node): LaneBlock => {
    const height = Math.max(1, node.lanes.length) * laneHeight;
    const block = { name: node.name, node, y, height };
    y += height + nodeGap;
    return block;
  });
  const bands = racks.map((name): Band => {
    const band = { name, y: y + 4, height: RACK_HEIGHT };
    y += RACK_HEIGHT + 6;
    return band;
  });
  const right = WIDTH - RIGHT;
  return {
    width: WIDTH,
    left: LEFT,
    right,
    top,
    bottom: y,
    laneHeight,
    laneGap,
    blocks,
    racks: bands,
    x: (ms) => LEFT + ((right - LEFT) * Math.min(ms, endsAt)) / Math.max(1, endsAt),
  };
}

/** Round times, in ms, at least a minimum number of pixels apart. */
export function ticks({ left, right }: Layout, endsAt: number): readonly number[] {
  const most = Math.max(2, Math.floor((right - left) / 90));
  const step = STEPS_S.find((one) => endsAt / 1_000 / one <= most) ?? endsAt / 1_000;
  const count = step > 0 ? Math.floor(endsAt / 1_000 / step) : 0;
  return Array.from({ length: count + 1 }, (_, i) => i * step * 1_000);
}

const STEPS_S: readonly number[] = [0.001, 0.01, 0.1, 1, 10, 100, 1_000, 10_000, 100_000].flatMap(
  (unit) => [unit, 2 * unit, 5 * unit],
);
