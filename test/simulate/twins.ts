import { assert } from "../../src/base/assert.ts";
import { percentile } from "../../src/base/stats.ts";
import type { Attempt } from "../../src/model/attempt.ts";
import type { NodeId, PhaseId, TaskId } from "../../src/model/ids.ts";
import type { ForeseenProgress } from "../../src/model/progress.ts";
import type { View } from "../../src/model/view.ts";
import type { Context, SpeculationPolicy } from "../../src/policy/policy.ts";
import type { LateParams } from "../../src/policy/speculation/late/params.ts";
import { late } from "../../src/policy/speculation/late.ts";

type Params = LateParams;

/** The twin's memory of succeeded attempts, which the core forgets. */
interface Memory {
  readonly rates: Map<PhaseId, number[]>;
  readonly succeeded: Map<NodeId, number>;
}

/** LATE with a simple twin beside each clever index of the core: they must agree at each look. */
export const twins: SpeculationPolicy<Params, Memory> = {
  name: "twins",
  source: "the random worlds",
  params: late.params,
  needs: [],
  remember: () => ({ rates: new Map(), succeeded: new Map() }),

  hears: {
    "attempt-succeeded"({ memory, view }, { at, attempt: id }) {
      const { node, startedAt, state, task } = view.attempt(id);
      if (state !== "succeeded") return;
      const { phase } = view.task(task);
      const elapsedMs = at - (startedAt ?? at);
      const rates = memory.rates.get(phase) ?? [];
      memory.rates.set(phase, [...rates, elapsedMs > 0 ? 1 / elapsedMs : 1]);
      memory.succeeded.set(node, (memory.succeeded.get(node) ?? 0) + 1);
    },
  },

  onIdleSlot(ctx, job, slot) {
    compareNodes(ctx);
    for (const { id } of ctx.view.phases(job, slot.kind)) comparePhase(ctx, id);
    return late.onIdleSlot?.({ ...contextOf(ctx), memory: null }, job, slot) ?? [];
  },
};

type TwinContext = Context<Params, Memory>;

const contextOf = (ctx: TwinContext): TwinContext => ({
  view: ctx.view,
  params: ctx.params,
  memory: ctx.memory,
  estimate: ctx.estimate,
  explains: ctx.explains,
  has: (capability) => ctx.has(capability),
  random: () => ctx.random(),
});

function compareNodes({ memory, view }: TwinContext): void {
  const sums: number[] = [];
  for (const { id } of view.nodes()) {
    const scores = view.runningOn(id).map((attempt) => scoreOf(view, attempt));
    const sum = scores.reduce((total, score) => total + score, memory.succeeded.get(id) ?? 0);
    agree(view.nodeProgress(id), sum, "the progress of a node");
    sums.push(sum);
  }
  for (const q of [0, 25, 50, 90, 100]) {
    agree(view.nodeProgressPercentile(q), percentile(rising(sums), q), "nodes' percentile");
  }
}

function comparePhase(ctx: TwinContext, phase: PhaseId): void {
  const { estimate, memory, view } = ctx;
  const { tasks } = view.phase(phase);
  const running = [...tasks].flatMap(({ id }) =>
    view.attemptsOf(id).filter(({ state }) => state === "running"),
  );
  const best = Array.from(tasks, ({ id }) => {
    const scores = running.filter(({ task }) => task === id).map((one) => scoreOf(view, one));
    if (view.isDone(id) && !isMadeAgain(view, id)) return 1;
    return Math.max(0, ...scores);
  });
  const mean = best.reduce((sum, score) => sum + score, 0) / tasks.length;
  agree(view.meanProgress(phase), mean, "the mean progress");

  for (const one of running) {
    agree(view.score(one.id), scoreOf(view, one), "the score of a running attempt");
    agree(view.rate(one.id), rateOf(view, one), "its rate");
  }
  compareRunning(view, phase);
  compareScores(view, phase);

  // An attempt that has run for no time has no rate.
  const moving = running.filter(({ startedAt }) => startedAt !== view.now);
  const rates = [...(memory.rates.get(phase) ?? []), ...moving.map((one) => rateOf(view, one))];
  for (const q of rates.length === 0 ? [] : [0, 25, 60, 100]) {
    agree(view.ratePercentile(phase, q), percentile(rising(rates), q), "rates' percentile");
  }

  const longest = [...estimate.longestFirst(phase)];
  const ids = new Set(longest.map(({ id }) => id));
  agree(ids.size, longest.length, "attempts listed once");
  agree(longest.length, running.length, "running attempts");
  for (const { id } of running) assert(ids.has(id), "every running attempt is listed");
  if (longest.length > 0) compareSought(ctx, phase);
  const left = longest.map(({ id }) => estimate.timeLeft(id));
  left.forEach((ms, index) => {
    const before = left[index - 1] ?? Number.POSITIVE_INFINITY;
    const isSorted = ms <= before || Math.abs(ms - before) <= 1e-6 * (1 + Math.abs(ms));
    assert(isSorted, "the longest time left comes first");
  });
}

/** Which attempts run, task by task. */
function compareRunning(view: View, phase: PhaseId): void {
  const oldest = [...view.phase(phase).tasks]
    .flatMap(({ id }) => view.attemptsOf(id).find(isLive) ?? [])
    .sort((a, b) => a.id - b.id);
  const launched = [...view.oldestRunning(phase, "launch")];
  const worked = [...view.oldestRunning(phase, "work")].sort((a, b) => a.id - b.id);
  const ids = (attempts: readonly Attempt[]): string => attempts.map(({ id }) => id).join();
  assert(ids(launched) === ids(oldest), "the oldest attempts run in launch order");
  assert(ids(worked) === ids(oldest), "the order of work has the same attempts");
  const tasks = Array.from(view.runningTasks(phase), ({ id }) => id);
  assert(tasks.join() === oldest.map(({ task }) => task).join(), "running tasks have an attempt");
}

/** A look at attempts with some scores lists them alone, in the order of all. */
function compareScores(view: View, phase: PhaseId): void {
  for (const order of ["launch", "work"] as const) {
    const isBehind = (score: number): boolean => score <= 0.4;
    const behind = Array.from(view.oldestRunning(phase, order, isBehind), ({ id }) => id);
    const all = [...view.oldestRunning(phase, order)];
    const expected = all.filter(({ id }) => isBehind(view.score(id))).map(({ id }) => id);
    assert(behind.join() === expected.join(), "those with such a score, and no others");
  }
}

/** A look at slow and old attempts must leave none out, and keep their order. */
function compareSought({ estimate, view }: TwinContext, phase: PhaseId): void {
  const all = [...estimate.longestFirst(phase)];
  const rates = rising(all.map((attempt) => rateOf(view, attempt)));
  const sought = { rateBelow: percentile(rates, 50), ranMsMin: 2_000 };
  const found = [...estimate.longestFirst(phase, sought)].map(({ id }) => id);
  const places = found.map((id) => all.findIndex((one) => one.id === id));
  assert(
    places.every((place, i) => place > (places[i - 1] ?? -1)),
    "those sought are in order",
  );
  for (const attempt of all) {
    const ranMs = view.now - (attempt.startedAt ?? view.now);
    const isSlow = rateOf(view, attempt) < sought.rateBelow * (1 - 1e-9);
    const isSought = isSlow && ranMs >= sought.ranMsMin;
    assert(!isSought || found.includes(attempt.id), "none of those sought is left out");
  }
}

/** Whether a done task runs again; the attempt that does so may be dying, to be requeued. */
function isMadeAgain(view: View, task: TaskId): boolean {
  const attempts = view.attemptsOf(task);
  const doneAt = attempts.findLast(({ state }) => state === "succeeded")?.endedAt ?? 0;
  const isAgain = ({ as, launchedAt, state }: Attempt): boolean =>
    state === "dying" && launchedAt >= doneAt && as !== "speculative" && as !== "restart";
  return view.isWaiting(task) || attempts.some((one) => isLive(one) || isAgain(one));
}

const isLive = ({ state }: Attempt): boolean => state === "assumed" || state === "running";

/** Recomputed from the host's reports. */
function scoreOf(view: View, { progress, node }: Attempt): number {
  if (progress === undefined) return 0;
  if (progress.kind === "reported") return progress.score;
  const known = Math.min(view.now, view.silentSince(node) ?? view.now);
  return foreseenScore(progress, known);
}

function foreseenScore(source: ForeseenProgress, at: number): number {
  const { startedAt, reportEvery } = source;
  const reports = reportEvery === 0 ? at : Math.floor((at - startedAt) / reportEvery);
  const last = reportEvery === 0 ? at : startedAt + reports * reportEvery;
  if (source.kind === "line") {
    return Math.min(1, Math.max(0, last - startedAt) * source.scorePerMs);
  }
  const { segments } = source;
  const segment = segments.findLast(({ from }) => from <= last) ?? segments[0];
  if (segment === undefined) return 0;
  return Math.min(1, segment.at.score + Math.max(0, last - segment.from) * segment.perMs.score);
}

function rateOf(view: View, attempt: Attempt): number {
  const elapsedMs = view.now - (attempt.startedAt ?? view.now);
  return elapsedMs > 0 ? scoreOf(view, attempt) / elapsedMs : 0;
}

const rising = (values: readonly number[]): Float64Array => Float64Array.from(values).sort();

/** Equal but for rounding. */
function agree(clever: number, dumb: number, what: string): void {
  const isClose = clever === dumb || Math.abs(clever - dumb) <= 1e-9 * Math.abs(dumb) + 1e-15;
  if (!isClose) assert(false, `${what}: ${clever}, by a recount ${dumb}`);
}
