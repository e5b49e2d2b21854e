import type { Action } from "../../src/policy/index.ts";
import { type Kind, MAP, type NodeBook, REDUCE, waits } from "./books.ts";
import { enterLaunch, enterReports } from "./enter.ts";
import * as told from "./events.ts";
import type { Launch } from "./letter.ts";
import type { Play } from "./play.ts";
import { distance } from "./turn.ts";

/** A node with free slots asks for work: all of them are offered at once (TaskTracker 1.2.1). */
export function beat(play: Play, node: NodeBook): void {
  const { books, dice, plan, rules } = play;
  const { heartbeats } = rules;
  if (heartbeats === undefined || node.silentSince !== undefined) return;
  const free = ([MAP, REDUCE] as const).map((kind) => freeSlots(play, node, kind));
  if (free.every((count) => count === 0) || !dice.chance(plan.chances.offer)) return;
  const waited = waitsAnywhere(play, free);
  if (!waited && !books.liveJobs.some(({ speculate }) => speculate)) return;
  const launches = play
    .tell(told.offeredAll(node, free))
    .filter((action): action is LaunchAction => action.kind === "launch");
  // A heartbeat without waiting tasks is compared, but counts only if a task is copied.
  if (waited || launches.length > 0) play.played.decisions++;
  heartbeats.begin(books, node);
  for (const [at, action] of launches.entries()) {
    const expected = heartbeats.next(books);
    const found = foundText(play, action);
    if (!play.compare(`${node.name} #${at}`, launchText(expected), found)) return;
    play.count(action.as === "speculative" ? "copy" : "start", action);
    count(play, action);
    enterLaunch(play, action);
    const attempt = books.attempts.get(action.attempt);
    if (attempt !== undefined) heartbeats.launched(books, attempt);
  }
  const more = heartbeats.next(books);
  enterReports(play, launches);
  if (!play.compare(`${node.name} #${launches.length}`, launchText(more), "nothing")) return;
  heartbeats.end(books);
  if (launches.length > 1) play.played.shared.several++;
  if (launches.length === 0 && waited) play.played.shared.left++;
  play.send(told.offeredAll(node, [0, 0]));
}

type LaunchAction = Extract<Action, { kind: "launch" }>;

const freeSlots = ({ books }: Play, node: NodeBook, kind: Kind): number =>
  node.slots[kind] -
  books.holding().filter((one) => one.node === node && one.task.phase.kind === kind).length;

const launchText = (launch: Launch | undefined): string =>
  launch === undefined
    ? "nothing"
    : `${launch.do} task ${launch.task.id} (${launch.task.phase.job.id})`;

function foundText({ books }: Play, { task, as }: LaunchAction): string {
  const job = books.tasks.get(task)?.phase.job.id;
  return `${as === "speculative" ? "copy" : "start"} task ${task} (${job})`;
}

const PLACES = ["onNode", "onRack", "offRack"] as const;

function count({ books, played }: Play, { task: id, node, as }: LaunchAction): void {
  const task = books.tasks.get(id);
  if (task === undefined || as === "speculative") return;
  const { kind } = task.phase;
  if (kind === REDUCE) played.shared.reduces++;
  else if (task.attempts.length > 0) played.shared.again++;
  else if (task.replicas.length === 0) played.shared.anywhere++;
  else
    played.shared[PLACES[distance(books, task, { node: books.node(node), kind })] ?? "offRack"]++;
}

const waitsAnywhere = ({ books }: Play, free: readonly number[]): boolean =>
  books.liveJobs.some(
    ({ admittedAt, phases }) =>
      admittedAt !== undefined &&
      phases.some(({ kind, tasks }) => (free[kind] ?? 0) > 0 && tasks.some(waits)),
  );
