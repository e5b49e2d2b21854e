import type { LoopNode } from "./flow-node.ts";
import type { PhaseProgram, Section } from "./program.ts";

/** A phase, and the loop whose body contains it. */
export interface DraftPhase {
  readonly phase: PhaseProgram;
  readonly loop: LoopNode | undefined;
}

/**
 * Puts phases into sections: the readers of a dataset come in a later section than its writers; its
 * writers share one section, as do all phases of a shuffle.
 */
export function sectionsOf(
  phases: readonly DraftPhase[],
  loops: ReadonlyMap<LoopNode, number>,
): readonly Section[] {
  const outer = new Levels(phases, loops, undefined);
  const sections: Section[] = [];
  for (let level = 0; level <= outer.highest; level++) {
    const jobPhases = outer.phasesAt(level);
    if (jobPhases.length > 0) sections.push({ kind: "job", phases: jobPhases });
    for (const [loop, state] of loops) {
      if (outer.levelOf(loop) !== level) continue;
      const inner = new Levels(phases, loops, loop);
      const { name, roundsMax } = loop;
      const jobs = Array.from({ length: inner.highest + 1 }, (_, at) => inner.phasesAt(at)).filter(
        (phases) => phases.length > 0,
      );
      sections.push({
        kind: "loop",
        name,
        state,
        roundsMax,
        jobs,
        ...(loop.until !== undefined && { until: (round) => loop.until?.(round) ?? false }),
      });
    }
  }
  return sections;
}

/**
 * The levels of the phases of one loop's body, or of the phases outside loops and the loops
 * themselves.
 */
class Levels {
  readonly #levels = new Map<number | LoopNode, number>();
  readonly #members: readonly number[];

  constructor(
    phases: readonly DraftPhase[],
    loops: ReadonlyMap<LoopNode, number>,
    within: LoopNode | undefined,
  ) {
    const all = [...phases.keys()];
    this.#members = all.filter((number) => phases[number]?.loop === within);
    const state = within === undefined ? undefined : loops.get(within);
    const needs = new Map<number | LoopNode, readonly (number | LoopNode)[]>();
    const together = new Map<string, number[]>();
    const join = (group: string, members: readonly number[]): void => {
      together.set(group, [...(together.get(group) ?? []), ...members]);
    };
    const makersOf = (dataset: number): readonly (number | LoopNode)[] =>
      dataset === state ? [] : makers(phases, loops, within, dataset);
    for (const number of this.#members) {
      const phase = phases[number]?.phase;
      if (phase === undefined) continue;
      needs.set(number, datasetsOf(phase).flatMap(makersOf));
      const { reads, writes } = phase;
      if (reads.kind === "shuffle") join(`shuffle ${number}`, [number, ...reads.sides.flat()]);
      if (writes.kind === "dataset") join(`dataset ${writes.dataset}`, [number]);
    }
    if (within === undefined) {
      for (const [loop, own] of loops) needs.set(loop, neededBy(phases, loops, loop, own));
    }
    this.#settle(needs, [...together.values()]);
  }

  get highest(): number {
    return Math.max(0, ...this.#levels.values());
  }

  levelOf(member: number | LoopNode): number {
    return this.#levels.get(member) ?? 0;
  }

  phasesAt(level: number): readonly number[] {
    return this.#members.filter((number) => this.levelOf(number) === level);
  }

  /**
   * Raises levels until each is above those it needs, and phases that belong together are on one
   * level.
   */
  #settle(
    needs: ReadonlyMap<number | LoopNode, readonly (number | LoopNode)[]>,
    together: readonly (readonly number[])[],
  ): void {
    for (let isMoving = true; isMoving; ) {
      isMoving = false;
      const raise = (member: number | LoopNode, to: number): void => {
        if (to <= this.levelOf(member)) return;
        this.#levels.set(member, to);
        isMoving = true;
      };
      for (const [member, needed] of needs) {
        for (const before of needed) raise(member, this.levelOf(before) + 1);
      }
      for (const members of together) {
        const level = Math.max(...members.map((each) => this.levelOf(each)));
        for (const each of members) raise(each, level);
      }
    }
  }
}

const datasetsOf = ({ reads, broadcasts }: PhaseProgram): readonly number[] =>
  reads.kind === "dataset" ? [reads.dataset, ...broadcasts] : broadcasts;

/** The phases and loops that must be done before the dataset is read there. */
function makers(
  phases: readonly DraftPhase[],
  loops: ReadonlyMap<LoopNode, number>,
  within: LoopNode | undefined,
  dataset: number,
): readonly (number | LoopNode)[] {
  const writers = [...phases.keys()].filter((number) => {
    const draft = phases[number];
    const writes = draft?.phase.writes;
    return draft?.loop === within && writes?.kind === "dataset" && writes.dataset === dataset;
  });
  if (within !== undefined) return writers;
  const looped = [...loops].filter(([, state]) => state === dataset).map(([loop]) => loop);
  return [...writers, ...looped];
}

/**
 * The phases and loops that must be done before a loop begins: those that make its initial state,
 * and those that make the datasets its body takes from outside.
 */
function neededBy(
  phases: readonly DraftPhase[],
  loops: ReadonlyMap<LoopNode, number>,
  loop: LoopNode,
  state: number,
): readonly (number | LoopNode)[] {
  const body = phases.filter((draft) => draft.loop === loop);
  const datasets = new Set([state, ...body.flatMap(({ phase }) => datasetsOf(phase))]);
  const all = [...datasets].flatMap((dataset) => makers(phases, loops, undefined, dataset));
  return all.filter((maker) => maker !== loop);
}
