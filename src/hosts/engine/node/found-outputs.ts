import type { OutputLocation, Work } from "../messages.ts";

/** The work as it is told once these outputs have been found, or lost, since it was told first. */
export function withFound(work: Work, since: readonly OutputLocation[]): Work {
  const { reads } = work;
  if (reads.kind !== "shuffle") return work;
  const latest = new Map([...reads.found, ...since].map((one) => [one.source, one]));
  const found = [...latest.values()].filter(({ path }) => path !== undefined);
  return { ...work, reads: { ...reads, found } };
}

/** Whether it reads an output that is not there as yet. */
export function awaitsOutputs({ reads }: Work): boolean {
  if (reads.kind !== "shuffle") return false;
  const there = new Set(reads.found.map(({ source }) => source));
  return reads.sources.flat().some((source) => !there.has(source));
}
