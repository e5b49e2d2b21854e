import { defined, never } from "../base/assert.ts";
import { InputError } from "../base/input-error.ts";
import { pairOf } from "./emitted.ts";
import {
  type FlowNode,
  type LoopNode,
  type ShuffleNode,
  type ShuffleSide,
  sourcesOf,
  type WriteNode,
} from "./flow-node.ts";
import { regionsOf } from "./flow-regions.ts";
import { type DraftPhase, sectionsOf } from "./flow-sections.ts";
import type { KeySample, Partition, Program, Reads, Writes } from "./program.ts";
import { awaitsCalls } from "./pull-steps.ts";
import { forbidsCopies, type Step } from "./step.ts";

/** The path of records from a read; a union has several. */
interface Branch {
  readonly name: string;
  readonly reads: Reads;
  readonly steps: readonly Step[];
  readonly broadcasts: readonly number[];
  readonly pipeline: boolean;
}

/** Where branches end, and how their phases are named if their own names are taken. */
interface End {
  readonly loop: LoopNode | undefined;
  readonly name: (source: string) => string;
}

/** For partitioning keys in order. */
const FIRST_KEYS: KeySample = { kind: "first", keys: 2000 };

/**
 * For finding hot keys. A key that makes up more than one in `keys` records is certain to be found:
 * enough to find half a partition's share with 500 partitions.
 */
const FREQUENT_KEYS: KeySample = { kind: "frequent", keys: 1000 };

/** Turns the user's flow into phases, datasets and sections. */
export function planFlow(
  writes: readonly WriteNode[],
): Pick<Program, "phases" | "datasets" | "outputs" | "sections"> {
  return new FlowPlanner(writes).plan();
}

class FlowPlanner {
  readonly #writes: readonly WriteNode[];
  readonly #regions: ReadonlyMap<FlowNode, LoopNode | undefined>;
  readonly #uses: ReadonlyMap<FlowNode, number>;
  readonly #phases: DraftPhase[] = [];
  readonly #names = new Set<string>();
  readonly #loops = new Map<LoopNode, number>();
  readonly #kept = new Map<FlowNode, number>();
  #datasets = 0;

  constructor(writes: readonly WriteNode[]) {
    this.#writes = writes;
    this.#regions = regionsOf(writes.map(({ from }) => from));
    this.#uses = usesOf(writes);
  }

  plan(): Pick<Program, "phases" | "datasets" | "outputs" | "sections"> {
    const outputs = this.#writes.map(({ name = "output", output }) => ({ name, output }));
    for (const [output, { from, name: own }] of this.#writes.entries()) {
      if (this.#regions.get(from) !== undefined) {
        throw new InputError("bad-job", "write", "expected outside of the loop: write its result");
      }
      const branches = this.#branches(from);
      const isOne = branches.length === 1 && own !== undefined;
      const name = (source: string) => `write ${isOne ? own : source}`;
      this.#end(branches, { kind: "output", output }, { name, loop: undefined });
    }
    const sections = sectionsOf(this.#phases, this.#loops);
    const phases = this.#phases.map(({ phase }) => phase);
    return { phases, datasets: this.#datasets, outputs, sections };
  }

  #end(branches: readonly Branch[], writes: Writes, { loop, name }: End): void {
    for (const branch of branches) this.#add({ phase: { ...branch, writes }, loop }, name);
  }

  /** `longer`: the name for a phase whose own is taken. */
  #add(draft: DraftPhase, longer: (name: string) => string): void {
    const name = this.#freeName(draft.phase.name, longer);
    this.#phases.push({ ...draft, phase: { ...draft.phase, name } });
  }

  /**
   * The user's names have no spaces, so that a longer name is never a step's: `round: read pages`.
   */
  #freeName(name: string, longer: (name: string) => string): string {
    for (let n = 0; ; n++) {
      const free = n === 0 ? name : n === 1 ? longer(name) : `${longer(name)} ${n}`;
      if (this.#names.has(free)) continue;
      this.#names.add(free);
      return free;
    }
  }

  #branches(node: FlowNode): readonly Branch[] {
    return this.#kept.has(node) || this.#isShared(node)
      ? [readingOf(nameOf(node), this.#keep(node))]
      : this.#made(node);
  }

  /** Whether several readers would have to repeat a shuffle, or calls. */
  #isShared(node: FlowNode): boolean {
    if ((this.#uses.get(node) ?? 0) <= 1) return false;
    return holdsShuffle(node) || Array.from(this.#work(node)).some(makesCalls);
  }

  /** The nodes that a reader of the node computes itself: those behind no kept records. */
  *#work(node: FlowNode): Generator<FlowNode> {
    yield node;
    const narrow = node.kind === "steps" || node.kind === "lookup" ? [node.from] : [];
    for (const source of node.kind === "union" ? node.from : narrow) {
      if (this.#kept.has(source) || this.#isShared(source)) continue;
      if (!this.#isKeptFor(source, node)) yield* this.#work(source);
    }
  }

  /**
   * Whether records are kept for this reader. The results of a shuffle are, for steps that make
   * calls: such steps are a phase of their own, and its tasks take their records one by one. The
   * results of calls that must not be copied are kept for a shuffle: the job of such calls has no
   * reduces, and a lost node loses none of their results.
   */
  #isKeptFor(source: FlowNode, reader: FlowNode): boolean {
    const has = (isSuch: (node: FlowNode) => boolean): boolean =>
      Array.from(this.#work(source)).some(isSuch);
    if (makesCalls(reader)) return has(({ kind }) => kind === "shuffle");
    return reader.kind === "shuffle" && has(forbids);
  }

  #made(node: FlowNode): readonly Branch[] {
    switch (node.kind) {
      case "read": {
        const { name, input } = node;
        return [branchOf(name, { kind: "input", name, input })];
      }
      case "state":
      case "loop":
        return [readingOf(node.name, this.#keep(node))];
      case "steps":
        return this.#from(node.from, node).map((branch) => withSteps(branch, node.steps));
      case "lookup": {
        const table = this.#keep(node.table);
        const steps: readonly Step[] = [{ kind: "lookup", table, how: node.how }];
        const branches = this.#from(node.from, node);
        return branches.map((branch) => withTable(withSteps(branch, steps), table));
      }
      case "union":
        return node.from.flatMap((from) => this.#from(from, node));
      case "shuffle":
        return [this.#shuffle(node)];
      default:
        return never(node);
    }
  }

  /** Each round reads again the records that a loop's body takes from outside, so they are kept. */
  #from(source: FlowNode, reader: FlowNode): readonly Branch[] {
    const loop = this.#regions.get(reader);
    const isOutside = loop !== undefined && this.#regions.get(source) !== loop;
    if (!isOutside && !this.#isKeptFor(source, reader)) return this.#branches(source);
    return [readingOf(nameOf(source), this.#keep(source))];
  }

  /** The dataset that holds the node's records. */
  #keep(node: FlowNode): number {
    const known = this.#kept.get(node);
    if (known !== undefined) return known;
    if (node.kind === "loop") return this.#loop(node);
    const branches = this.#made(node);
    const dataset = this.#datasets++;
    this.#kept.set(node, dataset);
    const loop = this.#regions.get(node);
    const name = (source: string) => inLoop(loop, `keep ${source}`);
    this.#end(branches, { kind: "dataset", dataset }, { name, loop });
    return dataset;
  }

  /** The loop's initial state and the results of its rounds are one dataset. */
  #loop(node: LoopNode): number {
    const { state } = node;
    const branches = this.#branches(node.start);
    const dataset = this.#datasets++;
    this.#kept.set(node, dataset);
    this.#kept.set(state, dataset);
    this.#loops.set(node, dataset);
    const start = { name: () => `${node.name}: start`, loop: undefined };
    this.#end(branches, { kind: "dataset", dataset }, start);
    const made = this.#branches(node.next);
    if (made.filter(({ reads }) => readsDataset(reads, dataset)).length > 1) {
      const expected = "expected its union to be brought together, such as by a fold";
      throw new InputError("bad-job", `loop ${node.name}`, `${expected}: tasks double each round`);
    }
    const next = { name: (source: string) => inLoop(node, `keep ${source}`), loop: node };
    this.#end(made, { kind: "dataset", dataset }, next);
    return dataset;
  }

  #shuffle(node: ShuffleNode): Branch {
    const { name, group, partitions, pipeline } = node;
    const sample = node.sides.some(isSampled) ? this.#sample(node) : undefined;
    const sides = node.sides.map((side) => this.#side(node, side, sample));
    return { ...branchOf(name, { kind: "shuffle", sides, group, partitions }), pipeline };
  }

  /** The phases that write one side. */
  #side(node: ShuffleNode, side: ShuffleSide, sample: number | undefined): readonly number[] {
    const { combine } = side;
    const writes: Writes = { kind: "shuffle", combine, partition: partitionOf(side, sample) };
    const branches = this.#from(side.from, node);
    const first = this.#phases.length;
    const reading = branches.map((branch) =>
      sample !== undefined && isSampled(side) ? withTable(branch, sample) : branch,
    );
    const loop = this.#regions.get(node);
    const name = (source: string) => `${loop?.name ?? node.name}: read ${source}`;
    this.#end(reading, writes, { name, loop });
    return branches.map((_, index) => first + index);
  }

  /** The dataset of a sample of keys, from the first side. */
  #sample(node: ShuffleNode): number {
    const side = defined(node.sides[0], "a first side");
    const sample = side.partition.kind === "salted" ? FREQUENT_KEYS : FIRST_KEYS;
    const branches = this.#from(side.from, node);
    const dataset = this.#datasets++;
    const writes: Writes = { kind: "dataset", dataset };
    const loop = this.#regions.get(node);
    for (const branch of branches) {
      const { steps } = withSteps(branch, [KEY]);
      const name = `${node.name}: sample`;
      this.#add({ phase: { ...branch, steps, name, writes, sample }, loop }, (own) => own);
    }
    return dataset;
  }
}

const KEY: Step = { kind: "map", map: (pair) => pairOf(pair, "key")[0] };

const inLoop = (loop: LoopNode | undefined, name: string): string =>
  loop === undefined ? name : `${loop.name}: ${name}`;

const branchOf = (name: string, reads: Reads): Branch => ({
  name,
  reads,
  steps: [],
  broadcasts: [],
  pipeline: false,
});

const readingOf = (name: string, dataset: number): Branch =>
  branchOf(name, { kind: "dataset", dataset });

const readsDataset = (reads: Reads, dataset: number): boolean =>
  reads.kind === "dataset" && reads.dataset === dataset;

const withSteps = (branch: Branch, steps: readonly Step[]): Branch => ({
  ...branch,
  steps: [...branch.steps, ...steps],
});

const withTable = (branch: Branch, dataset: number): Branch => ({
  ...branch,
  broadcasts: [...new Set([...branch.broadcasts, dataset])],
});

const isSampled = ({ partition: { kind } }: ShuffleSide): boolean =>
  kind === "range" || kind === "salted";

function partitionOf({ partition }: ShuffleSide, sample: number | undefined): Partition {
  if (partition.kind !== "range" && partition.kind !== "salted") return partition;
  return { ...partition, sample: defined(sample, "a sample") };
}

/** For each node, the number of nodes that take its records; a sample takes them too. */
function usesOf(writes: readonly WriteNode[]): ReadonlyMap<FlowNode, number> {
  const uses = new Map<FlowNode, number>();
  const use = (node: FlowNode): void => {
    const before = uses.get(node) ?? 0;
    uses.set(node, before + 1);
    if (before > 0) return;
    for (const source of sourcesOf(node)) use(source);
    if (node.kind !== "shuffle") return;
    const [first] = node.sides;
    if (first !== undefined && node.sides.some(isSampled)) use(first.from);
  };
  for (const { from } of writes) use(from);
  return uses;
}

const makesCalls = (node: FlowNode): boolean => node.kind === "steps" && awaitsCalls(node.steps);

/** Whether the node makes calls that must not be made twice at once. */
const forbids = (node: FlowNode): boolean =>
  node.kind === "steps" && node.steps.some(forbidsCopies);

/** Whether each reader of the node would have to repeat a shuffle. */
const holdsShuffle = (node: FlowNode): boolean =>
  node.kind === "shuffle" ||
  ((node.kind === "steps" || node.kind === "lookup") && holdsShuffle(node.from)) ||
  (node.kind === "union" && node.from.some(holdsShuffle));

/** The name of a phase that reads the node's records where they are kept. */
function nameOf(node: FlowNode): string {
  switch (node.kind) {
    case "steps":
    case "lookup":
      return nameOf(node.from);
    case "union":
      return node.from.map(nameOf)[0] ?? "union";
    default:
      return node.name;
  }
}
