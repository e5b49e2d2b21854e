import { journalWriter, parseJournal } from "../../src/core/journal/index.ts";
import { parseScenario, simulateOnce } from "../../src/hosts/sim/index.ts";
import { type Action, type ClusterEvent, parseDiscipline } from "../../src/policy/index.ts";
import { Dice } from "../letter/dice.ts";
import { Books, isDone, soleAttempt } from "./esplash/books.ts";
import { agree, Looks, type Said, textOf } from "./esplash/look.ts";
import { drawParameters, type Parameters, setsOf } from "./esplash/parameters.ts";
import { drawWorld } from "./esplash/world.ts";
import { Counts, type Difference, type Judged, type Referee } from "./referee.ts";

/**
 * Wang et al., "eSplash: Efficient Speculation in Large Scale Heterogeneous Computing Systems",
 * section IV, Algorithms 1 to 3: a journal of a simulation is read, and each look of the policy is
 * compared, with the numbers of its reasons. The levels are found by the referee as well.
 *
 * Where the paper is open, the referee was told (docs/papers/esplash.md):
 *
 * - IV-A: A type of task is a phase of a live job. It is a dimension once the fraction `coverage`
 *   of the nodes of the cluster has finished a task of it; `scaled` divides its times by their
 *   mean. Only nodes with all dimensions are clustered. The others go to the nearest centre in the
 *   dimensions that they have, or keep their level, as do nodes that leave. Levels are found at the
 *   end of an epoch, once in `clusterEveryMs`. Until it has a level, a node counts as one of level
 *   1 if `newNodesAreLowest`, or is left alone.
 * - Algorithm 2: Random centres are vectors, no two of one group and no two equal. Of `starts` the
 *   least scatter is kept. Ties go to the first centre, votes may cycle for 100 rounds, and a
 *   centre that no group prefers is dropped.
 * - IV-B: Values are taken at the end of each epoch, from running tasks that began before it, had
 *   work left then, and have all of their input. PR compares with the other nodes of the level if
 *   `othersOnly` and there are any. Values are averaged, and add up, as the parameters say. A node
 *   where nothing ran through the epoch is judged by the tasks that it finished in the epoch if
 *   `judgesFinished`, or keeps its value; one that joins has none. "Variance" is a deviation, of at
 *   least `deviationMin` of the mean. A stuck task is infinitely behind, unless all are stuck.
 * - Algorithm 3: Silent nodes host nothing. A level where no such task has finished takes the mean
 *   of the next lower level that has one; levels without any are left out. Of equal levels the
 *   lowest is taken.
 * - IV-C: A candidate has run for an epoch, alone, in a phase that may start tasks; unless
 *   `whileTasksWait`, no task of its type waits for a container. Only a positive value counts; ties
 *   go to the first task. Each job makes one request, then rests for `retryAfterCopyMs`; without a
 *   request it looks again after `retryAfterNoCopyMs`.
 * - IV-D: A request is reviewed after `requestPatienceMs`, and at once if it admits a straggler
 *   node.
 * - The host: a silent node is known up to its last heartbeat; a report is due each `reportEvery`.
 *   Of equal moments of the two, the computed numbers decide.
 * - V: the most appropriate of the free containers is one of the level with the least EstT for the
 *   type, of equals the highest; the request names its nodes in this order.
 */

/** A world in which more clusterings than this are possible is left: anything would be right. */
const MINDS_MAX = 500;

function journalOf(seed: number, p: Parameters, what: ReturnType<typeof drawWorld>): string[] {
  const lines: string[] = [];
  let write: ReturnType<typeof journalWriter> | undefined;
  simulateOnce(parseScenario(what.scenario, `world ${seed}`), {
    seed,
    discipline: parseDiscipline(what.discipline, [...setsOf(p), "detection.expiryMs=30000"]),
    explain: true,
    onStart: ({ setup }) => {
      write = journalWriter(setup, { explain: true });
      lines.push(write.header());
    },
    onStep: (event, actions) => {
      if (write !== undefined) lines.push(write.step(event, actions));
    },
  });
  return lines;
}

class Reading {
  readonly #counts = new Counts();
  readonly #seed: number;
  readonly #p: Parameters;
  readonly #books: Books;
  readonly #looks: Looks;
  #difference: Difference | undefined;
  #isGivenUp = false;

  constructor(seed: number, p: Parameters, startsOnce: boolean) {
    this.#seed = seed;
    this.#p = p;
    this.#books = new Books(startsOnce);
    this.#looks = new Looks(p);
  }

  judge(lines: readonly string[]): Judged {
    for (const entry of parseJournal(lines).entries) {
      if (entry.kind !== "step") continue;
      this.#step(entry.event, entry.actions);
      if (this.#difference !== undefined || this.#isGivenUp) break;
    }
    const { epochs, clusterings } = this.#looks.counts;
    this.#counts.add("epoch", epochs);
    this.#counts.add("clustering", clusterings);
    return { compared: this.#counts.counts, difference: this.#difference };
  }

  #step(event: ClusterEvent, actions: readonly Action[]): void {
    const books = this.#books;
    books.enter(event);
    this.#counts.add("step");
    this.#tell(event);
    const rest = [...actions];
    for (const action of actions) {
      if (!isConsequence(action)) continue;
      rest.splice(rest.indexOf(action), 1);
      const types = action.kind === "end-job" ? books.jobs.get(action.job)?.phases : undefined;
      books.carryOut(action);
      if (action.kind === "declare-lost") this.#looks.enterNode(action.node, undefined);
      this.#looks.forget(new Set(types?.map(({ id }) => id)));
    }
    this.#look(rest);
    for (const action of rest) {
      if (action.kind === "launch" && action.request !== undefined) this.#bind(action);
      books.carryOut(action);
    }
  }

  #tell(event: ClusterEvent): void {
    const looks = this.#looks;
    if (event.kind === "node-joined") {
      looks.enterNode(event.node.id, configured(this.#p, event.node.name));
    }
    if (event.kind === "node-left") looks.enterNode(event.node, undefined);
    const { succeeded, now } = this.#books;
    if (succeeded?.startedAt === undefined) return;
    const type = succeeded.task.phase.id;
    looks.enterFinished({ type, node: succeeded.node.id, ms: now - succeeded.startedAt });
  }

  #look(actions: readonly Action[]): void {
    const found = actions.flatMap(saidBy);
    const books = this.#books;
    const looks = this.#looks;
    if (!looks.isDue(books)) {
      if (found.length > 0) this.#differ("no look", [], found);
      return;
    }
    this.#counts.add("look");
    for (const { say } of found) this.#counts.add(say);
    const thoughts = looks.think(books);
    const right = thoughts.filter(({ said }) => agree(said, found));
    if (right.length === 0) {
      this.#differ(`look, ${thoughts.length} minds`, thoughts[0]?.said ?? [], found);
      return;
    }
    if (right.length > MINDS_MAX) {
      this.#isGivenUp = true;
    }
    looks.goOn(
      books,
      right.map(({ mind }) => mind),
      found,
    );
  }

  /** IV-C: "Only the nodes in the minimum level or higher level are eligible." */
  #bind({ node, request: id }: Extract<Action, { kind: "launch" }>): void {
    this.#counts.add("bind");
    const request = this.#books.requests.get(id as number);
    const isRight =
      request?.nodes.has(node) === true &&
      request.task.phase.ready &&
      !isDone(request.task) &&
      soleAttempt(request.task) !== undefined;
    if (isRight) return;
    this.#differ(`bind on node ${node}`, [], [{ say: "withdraw", request: id as number }]);
  }

  #differ(where: string, expected: readonly Said[], found: readonly Said[]): void {
    const at = this.#books.now;
    const texts = { expected: textOf(expected), found: textOf(found) };
    this.#difference ??= { referee: "esplash", seed: this.#seed, at, where, ...texts };
  }
}

/** Actions that follow from the event, and come before the look. */
function isConsequence({ kind, ...rest }: Action): boolean {
  if (kind === "declare-lost" || kind === "end-job" || kind === "recompute") return true;
  if (kind !== "kill" && kind !== "withdraw") return false;
  return "why" in rest && ["twin-succeeded", "job-ended", "job-failed"].includes(rest.why.rule);
}

const REVIEWED = ["hosts-changed", "no-longer-worth-it", "nothing-to-copy"];

/** What the journal says that the policy said. */
function saidBy(action: Action): Said[] {
  if (action.kind === "withdraw" && REVIEWED.includes(action.why.rule)) {
    return [{ say: "withdraw", request: action.request }];
  }
  if (action.kind === "request") {
    const { task, where, why } = action;
    const number = (name: string) => Number(why.numbers[name]);
    return [
      {
        ...{ say: "request", task, nodes: where.on === "only" ? where.nodes : [] },
        ...{ minLevel: number("minLevel"), expectedMs: number("expectedMs") },
        ...{ timeLeftMs: number("timeLeftMs"), valueMs: number("valueMs") },
      },
    ];
  }
  if (action.kind !== "pass") return [];
  const { rule, numbers } = action.why;
  if (rule === "no-levels") return [{ say: rule }];
  if (rule === "no-straggler-node") return [{ say: rule, highest: Number(numbers.highest) }];
  if (rule !== "fewer-levels") return [];
  return [{ say: rule, levels: Number(numbers.levels), before: Number(numbers.before) }];
}

const configured = ({ levels }: Parameters, node: string): number | undefined => {
  const rule = levels.split(",").find((one) => one.startsWith(`${node}:`));
  return rule === undefined ? undefined : Number(rule.split(":")[1]);
};

export const esplash: Referee = {
  name: "esplash",
  kinds: [
    ...["step", "look", "epoch", "clustering", "fewer-levels", "no-levels", "no-straggler-node"],
    ...["request", "withdraw", "bind"],
  ],
  judge(seed) {
    const dice = new Dice(seed);
    const world = drawWorld(dice);
    const p = drawParameters(dice, world.nodes);
    const startsOnce = world.discipline.includes("order=yarn");
    return new Reading(seed, p, startsOnce).judge(journalOf(seed, p, world));
  },
};
