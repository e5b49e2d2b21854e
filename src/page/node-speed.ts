import { cell } from "../base/rows.ts";
import type { NodeRow } from "../diagnose/findings.ts";
import type { Run } from "./run.ts";
import { workOf } from "./stages.ts";

export interface NodeSpeed {
  readonly node: number;
  /**
   * By bin: speed over the speed of peers in the same phase at that time; NaN where nothing ran.
   */
  readonly speed: Float64Array;
  /** Slot time over the expected time of the work done there; NaN if that is unknown. */
  readonly factor: number;
  readonly attempts: number;
  /** What the diagnosis says of the node. */
  readonly told: NodeRow | undefined;
}

/**
 * Speed by node and time: work done (progress times expected time) over time, beside the median of
 * the attempts of the same phase at the same moment. The slowest node comes first, by its slot time
 * over the expected time of its work; killed attempts count by their progress.
 */
export function nodeSpeeds(run: Run, bins: number): readonly NodeSpeed[] {
  const { attempts, head } = run;
  const per = head.endsAt / bins || 1;
  // A cell for each phase and bin.
  const cells: (Cell | undefined)[] = new Array(head.phases.length * bins);
  const work = workOf(run);
  const totals = head.nodes.map(() => ({ spent: 0, work: 0, attempts: 0 }));
  for (let i = 0; i < attempts.length; i++) {
    const expected = cell(attempts.expectedMs[i]);
    const node = attempts.node[i] ?? -1;
    const [from, to] = [attempts.startedAt[i]!, run.heardTo(i)];
    const done = doneBy(run, i);
    const total = totals[node];
    if (!(expected > 0 && done >= 0) || total === undefined || to <= from) continue;
    total.spent += run.ownMs(i) - run.silentMs(i);
    total.work += (done < 1 ? work(i, done) : 1) * expected;
    total.attempts += 1;
    for (let bin = Math.floor(from / per); bin < Math.min(bins, to / per); bin++) {
      const [a, b] = [Math.max(from, bin * per), Math.min(to, (bin + 1) * per)];
      if (b <= a) continue;
      const gained = gainOf(run, i, { a, b, done });
      const key = cell(attempts.phase[i]) * bins + bin;
      let own = cells[key];
      if (own === undefined) cells[key] = own = { node: [], speed: [], share: [] };
      own.node.push(node);
      own.speed.push((gained * expected) / (b - a));
      own.share.push((b - a) / per);
    }
  }
  const sums = head.nodes.map(() => ({
    logs: new Float64Array(bins),
    weight: new Float64Array(bins),
  }));
  for (const [key, own] of cells.entries()) {
    if (own === undefined) continue;
    const bin = key % bins;
    const speeds = Float64Array.from(own.speed).sort();
    const usual = cell(speeds[speeds.length >> 1]);
    if (usual <= 0) continue;
    for (let n = 0; n < speeds.length; n++) {
      const sum = sums[own.node[n] ?? -1];
      if (sum === undefined) continue;
      const share = cell(own.share[n]);
      const log = Math.log(Math.max(0.05, Math.min(20, cell(own.speed[n]) / usual)));
      sum.logs[bin] = cell(sum.logs[bin]) + share * log;
      sum.weight[bin] = cell(sum.weight[bin]) + share;
    }
  }
  const told = new Map(head.why?.nodes.map((row) => [row.node, row]));
  return sums
    .map(({ logs, weight }, node): NodeSpeed => {
      const { spent = 0, work = 0, attempts: count = 0 } = totals[node] ?? {};
      const speed = logs.map((log, bin) => Math.exp(log / (weight[bin] || Number.NaN)));
      const factor = work > 0 ? spent / work : Number.NaN;
      return { node, speed, factor, attempts: count, told: told.get(head.nodes[node]?.name ?? "") };
    })
    .sort((a, b) => rank(run, b) - rank(run, a));
}

/** What ran in a phase and bin; each list has a value for each attempt. */
interface Cell {
  readonly node: number[];
  readonly speed: number[];
  readonly share: number[];
}

/** Nodes that the diagnosis calls slow come first. */
function rank(run: Run, { node, factor }: NodeSpeed): number {
  const isSlow = run.isSlow.has(run.head.nodes[node]?.name ?? "");
  return (isSlow ? 1_000 : 0) + (Number.isNaN(factor) ? 0 : Math.min(factor, 100));
}

/** The part of its task that an attempt did; NaN if the log does not say. */
function doneBy(run: Run, i: number): number {
  if (run.endOf(i) === "succeeded") return 1;
  const score = cell(run.attempts.score[i]);
  return Number.isNaN(score) ? run.scoreAt(i, run.heardTo(i)) : score;
}

interface Span {
  readonly a: number;
  readonly b: number;
  readonly done: number;
}

/** The score gained within a span; in proportion to time where the curve is unknown. */
function gainOf(run: Run, i: number, { a, b, done }: Span): number {
  const gained = run.scoreAt(i, b) - run.scoreAt(i, a);
  if (!Number.isNaN(gained)) return gained;
  return (done * (b - a)) / (run.tookMs(i) - run.silentMs(i));
}
