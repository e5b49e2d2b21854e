import { CAUSES, type Cause } from "../cause.ts";
import type { Why } from "../document.ts";
import { medianOf } from "../expect/robust.ts";
import { PARTS, type Part } from "../response/part.ts";
import { factsOf, type Run, type RunFacts, tookBy, valuesOf } from "./compare.ts";

/** A run beside several good runs of its job. Times in ms; changes are from the median. */
export interface Against {
  readonly b: RunFacts;
  /** The number of good runs; and of those whose logs have holes. */
  readonly runs: number;
  readonly runsWithHoles: number;
  readonly response: Among;
  /** Causes and parts of the usual time; what changed most first. */
  readonly causes: readonly ({ readonly cause: Cause | Part } & Among)[];
  /** Lost time by phase; what changed most first. */
  readonly phases: readonly ({ readonly phase: string } & Among)[];
  /** Settings that no good run has so; `a`: that of most of them. */
  readonly settings: readonly {
    readonly name: string;
    readonly a: string | undefined;
    readonly b: string | undefined;
  }[];
  /** Nodes that the diagnosis calls slow in this run, and in none of the good ones. */
  readonly slowNodes: readonly string[];
  /** What the run had to do and what it had to do it with, as far as they are known. */
  readonly sizes: readonly ({ readonly size: Size } & Among)[];
}

/** Input skew: the largest input of a task over the median of its phase. */
export type Size = "attempts" | "input bytes" | "input skew" | "slots";

/** A number of this run among those of the good runs. */
export interface Among {
  readonly medianOfGood: number;
  readonly lowest: number;
  readonly highest: number;
  readonly own: number;
  readonly change: number;
  /** Below the lowest or above the highest of the good runs. */
  readonly isBeyond: boolean;
}

/** `good`: at least one. */
export function against(good: readonly Run[], run: Run): Against {
  const among = (of: (one: Run) => number): Among => amongOf(good.map(of), of(run));
  const names = [run, ...good].flatMap(({ why }) => why.phases.map(({ phase }) => phase));
  const slow = new Set(good.flatMap(({ why }) => slowIn(why)));
  return {
    b: factsOf(run),
    runs: good.length,
    runsWithHoles: good.filter(({ why }) => why.evidence?.isWhole === false).length,
    response: among(({ why }) => why.responseMs),
    causes: [...CAUSES, ...PARTS]
      .map((cause) => ({ cause, ...among(({ why }) => tookBy(why, cause)) }))
      .sort(byChange),
    phases: [...new Set(names)]
      .map((phase) => ({ phase, ...among(({ why }) => lostIn(why, phase)) }))
      .sort(byChange),
    settings: settingsBeyond(good, run),
    slowNodes: slowIn(run.why).filter((node) => !slow.has(node)),
    sizes: sizesOf([...good, run]).map(({ size, of }) => ({ size, ...among(of) })),
  };
}

const lostIn = ({ phases }: Why, name: string): number =>
  phases.filter(({ phase }) => phase === name).reduce((sum, { delayMs }) => sum + delayMs, 0);

const slowIn = ({ nodes }: Why): readonly string[] =>
  nodes
    .filter(({ verdict }) => verdict === "slow" || verdict === "lasting")
    .map(({ node }) => node);

function amongOf(good: readonly number[], own: number): Among {
  const [medianOfGood, lowest, highest] = [medianOf(good), Math.min(...good), Math.max(...good)];
  const change = own - medianOfGood;
  return { medianOfGood, lowest, highest, own, change, isBeyond: own < lowest || own > highest };
}

const byChange = (x: Among, y: Among): number => Math.sign(Math.abs(y.change) - Math.abs(x.change));

/** Sizes that all runs know. */
function sizesOf(runs: readonly Run[]) {
  const sizes: readonly { readonly size: Size; readonly of: (one: Run) => number }[] = [
    { size: "attempts", of: ({ why }) => why.job.attempts },
    { size: "input bytes", of: bytesOf },
    { size: "input skew", of: skewOf },
    { size: "slots", of: ({ why }) => why.slots.most },
  ];
  return sizes.filter(({ of }) => runs.every((one) => !Number.isNaN(of(one))));
}

/** NaN if those of some attempt are unknown. */
function bytesOf({ job }: Run): number {
  let total = 0;
  for (const { attempts } of job.phases) {
    for (const bytes of attempts.inputBytes.subarray(0, attempts.length)) total += bytes;
  }
  return total;
}

/** 1 if no task reads much more than its peers. */
const skewOf = ({ why }: Run): number =>
  why.phases.reduce(
    (most, { skew }) => (skew === undefined ? most : Math.max(most, skew.bytes / skew.medianBytes)),
    1,
  );

function settingsBeyond(good: readonly Run[], run: Run): Against["settings"] {
  const known = good.map(({ job }) => valuesOf(job));
  const own = valuesOf(run.job);
  const names = [...new Set([...known.flatMap((values) => [...values.keys()]), ...own.keys()])];
  return names
    .sort()
    .map((name) => ({ name, all: known.map((values) => values.get(name)), b: own.get(name) }))
    .filter(({ all, b }) => !all.includes(b))
    .map(({ name, all, b }) => ({ name, a: commonest(all), b }));
}

function commonest(values: readonly (string | undefined)[]): string | undefined {
  const count = (value: string | undefined): number =>
    values.filter((each) => each === value).length;
  return values.reduce((a, b) => (count(b) > count(a) ? b : a));
}
