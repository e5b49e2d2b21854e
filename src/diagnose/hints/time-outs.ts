import type { TraceFormat } from "../../history/model.ts";
import { chanceOfAtLeast, expectedNear } from "./chance.ts";
import type { Hint } from "./hint.ts";
import type { Seen } from "./seen.ts";

/** Time-outs of Hadoop and Spark that an attempt can wait out in vain, in ms. */
const TIME_OUTS: readonly TimeOut[] = [
  { ms: 60_000, name: "60 s, the default of HDFS's dfs.client.socket-timeout", of: "both" },
  { ms: 120_000, name: "120 s, the default of spark.network.timeout", of: "spark" },
  { ms: 480_000, name: "480 s, the default of dfs.datanode.socket.write.timeout", of: "both" },
  { ms: 600_000, name: "600 s, the default of mapreduce.task.timeout", of: "hadoop" },
];

interface TimeOut {
  readonly ms: number;
  readonly name: string;
  readonly of: "spark" | "hadoop" | "both";
}
const NEAR = 0.05;
/** A smooth tail has as many attempts there by no more than this chance. */
const CHANCE_MAX = 0.001;

/**
 * Two attempts or more, on different nodes, that each lost exactly a time-out at the same time, and
 * more of them than a smooth tail has.
 */
export function timeOuts({ plan, signals, causes, late, format }: Seen): readonly Hint[] {
  // All of the excess: garbage may be collected while an attempt waits.
  const excess = (i: number): number => causes.own[i]! - causes.expected[i]!;
  return TIME_OUTS.filter((one) => isIn(one, format)).flatMap(({ ms: timeOut, name }) => {
    const near = late.filter((i) => Math.abs(excess(i) / timeOut - 1) <= NEAR);
    const together = near.filter((i) =>
      near.some(
        (j) =>
          signals.node[i] !== signals.node[j] &&
          Math.abs(plan.start[i]! - plan.start[j]!) <= timeOut,
      ),
    );
    if (together.length < 2) return [];
    const expected = expectedNear(late.map(excess), timeOut, NEAR);
    if (chanceOfAtLeast(near.length, expected) > CHANCE_MAX) return [];
    const text = `${together.length} attempts each lost about ${name}, at the same time.`;
    return [{ text, attempts: together }];
  });
}

function isIn({ of }: TimeOut, format: TraceFormat | undefined): boolean {
  if (format === undefined) return true;
  if (format === "journal") return false;
  return of === "both" || (of === "spark") === (format === "spark");
}
