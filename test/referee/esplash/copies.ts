import { above, below, mean, sum } from "../figures.ts";
import {
  type AttemptBook,
  type Books,
  type JobBook,
  type PhaseBook,
  scoreAt,
  soleAttempt,
  waits,
} from "./books.ts";
import { cellOf, type Finished, levelOf, type Mind } from "./mind.ts";
import type { Parameters } from "./parameters.ts";

/** A copy that is worth a request: where it may run, and what it saves. */
export interface Copy {
  readonly task: number;
  readonly nodes: readonly number[];
  readonly minLevel: number;
  readonly expectedMs: number;
  readonly timeLeftMs: number;
  readonly valueMs: number;
}

export interface Knowing {
  readonly books: Books;
  readonly mind: Mind;
  readonly finished: readonly Finished[];
  readonly p: Parameters;
}

/** IV-C: the job's request, "the task with the highest speculative value". */
export function requestOf(knowing: Knowing, job: JobBook): Copy | undefined {
  const { books, mind, p } = knowing;
  // "Once straggler nodes are identified, all the active tasks running on those nodes are
  // candidates."
  const copies = job.phases.flatMap((phase) =>
    isOpen(books, phase, p)
      ? phase.tasks.flatMap((task) => {
          const attempt = soleAttempt(task);
          if (attempt?.state !== "running" || !mind.stragglers.has(attempt.node.id)) return [];
          if (books.now < attempt.startedAt! + p.epochMs) return [];
          if ([...books.requests.values()].some((request) => request.task === task)) return [];
          return copyOf(knowing, attempt) ?? [];
        })
      : [],
  );
  let best: Copy | undefined;
  for (const copy of copies.sort((a, b) => a.task - b.task)) {
    if (best === undefined || above(copy.valueMs, best.valueMs)) best = copy;
  }
  return best;
}

/** As in YARN: not while an attempt of this type waits for a container. */
function isOpen(books: Books, phase: PhaseBook, p: Parameters): boolean {
  if (!phase.ready) return false;
  if (p.whileTasksWait) return true;
  const requested = [...books.requests.values()].some(({ task }) => task.phase === phase);
  return !requested && !phase.tasks.some(waits);
}

/** Algorithm 3 and the speculative value, for a task on a straggler node. */
export function copyOf(knowing: Knowing, attempt: AttemptBook): Copy | undefined {
  const { books, mind, p } = knowing;
  const { phase } = attempt.task;
  const levels = levelsFor(knowing, phase);
  // Line 1: "Given a task running on a straggler node at level i".
  const i = levelOf(mind, attempt.node.id, p) ?? 1;
  // Lines 2 to 4: "for l = i to HL do ExpT_l = sum of Pr(m) EstT(m), m in [l, HL]".
  const expectedFrom = (l: number): number => {
    const reached = levels.filter(({ level, estT }) => level >= l && estT !== undefined);
    const containers = sum(reached.map(({ c }) => c));
    return sum(reached.map(({ c, estT }) => (c / containers) * estT!));
  };
  // Line 5: "minL = min{ExpT_l}", that is, the l where it is least; the lowest of equals.
  let minL: number | undefined;
  for (const { level, c, estT } of levels) {
    if (level < i || c === 0 || estT === undefined) continue;
    if (minL === undefined || below(expectedFrom(level), expectedFrom(minL))) minL = level;
  }
  if (minL === undefined) return undefined;
  const least = minL;
  const reached = levels.filter(({ level }) => level >= least);
  // V: "the most appropriate container": of the free ones, those come first where EstT is least.
  const groups = p.bestContainer
    ? fastestFirst(reached).map(({ hosts }) => hosts)
    : [reached.flatMap(({ hosts }) => hosts)];
  const nodes = groups
    .flatMap((hosts) => [...hosts].sort((a, b) => a - b))
    .filter((node) => node !== attempt.node.id);
  // EstEnd - T_now, by equation 1.
  const elapsed = books.now - attempt.startedAt!;
  const score = scoreAt(attempt, books.now);
  const timeLeftMs = score >= 1 ? 0 : elapsed / score - elapsed;
  const hosting = levels.flatMap(({ level, c, estT }) =>
    level < least || c === 0 || estT === undefined ? [] : [{ c, estT }],
  );
  const saves = sum(hosting.map(({ c }) => c * timeLeftMs));
  const takes = sum(hosting.map(({ c, estT }) => c * estT));
  // "... / sum of C(m), m in [1, HL]".
  const valueMs = (saves - takes) / sum(levels.map(({ c }) => c));
  if (nodes.length === 0 || !above(saves, takes)) return undefined;
  return {
    ...{ task: attempt.task.id, nodes, minLevel: least, expectedMs: expectedFrom(least) },
    ...{ timeLeftMs, valueMs },
  };
}

/** Of equals the highest level comes first. */
function fastestFirst(levels: readonly Level[]): Level[] {
  const left = [...levels].sort((a, b) => b.level - a.level);
  const ranked: Level[] = [];
  while (left.length > 0) {
    let fastest = 0;
    for (const [i, { estT }] of left.entries()) {
      const best = left[fastest]?.estT;
      if (estT !== undefined && (best === undefined || below(estT, best))) fastest = i;
    }
    ranked.push(...left.splice(fastest, 1));
  }
  return ranked;
}

interface Level {
  readonly level: number;
  readonly hosts: readonly number[];
  /** C(m): "the number of containers on all the nodes at level j that can serve this type". */
  readonly c: number;
  /** EstT(m): "the mean value in the performance statistic table". */
  readonly estT: number | undefined;
}

function levelsFor({ books, mind, finished, p }: Knowing, phase: PhaseBook): Level[] {
  // IV-D: "the marked straggler nodes are excluded from hosting any speculative task".
  const usable = books.joined.filter(
    ({ id, silentSince }) => silentSince === undefined && !mind.stragglers.has(id),
  );
  const numbers = usable.flatMap(({ id }) => levelOf(mind, id, p) ?? []);
  const known = [...new Set(mind.levels.values())].sort((a, b) => b - a);
  return [...new Set(numbers)]
    .sort((a, b) => a - b)
    .map((level) => {
      const hosts = usable.filter(({ id }) => levelOf(mind, id, p) === level);
      const c = sum(hosts.flatMap(({ slots }) => phase.kinds.map((kind) => slots.get(kind) ?? 0)));
      const times = known
        .filter((one) => one <= level)
        .map((one) => cellOf(mind, finished, { type: phase.id, level: one }))
        .find((cell) => cell.length > 0);
      return { level, hosts: hosts.map(({ id }) => id), c, estT: times && mean(times) };
    });
}
