import { clause, type Figures, type Sentence } from "./figures.ts";

type Clause = string | undefined;

/** The sentences for the rules of policies: copies, kills, placement, and why there is no copy. */
export const POLICY_SENTENCES: Readonly<Record<string, Sentence>> = {
  // Copies.
  "longest-time-left": { reason: "copied because it would end last", clauses: ratesOf },
  "behind-the-mean": {
    reason: "copied because it is far behind the mean of its phase",
    clauses: (f) => [
      clause`${f.percent("score")} done, the mean is ${f.percent("meanProgress")}`,
      clause`the limit is ${f.percent("gap")} behind`,
    ],
  },
  "remains-near-the-end": {
    reason: "copied because its phase is near its end",
    clauses: (f) => [doneOf(f)],
  },
  "longer-than-most": {
    reason: "copied because it has run longer than most tasks of its phase took",
    clauses: (f) => [clause`${f.time("ranMs")}, the limit is ${f.time("limitMs")}`, doneOf(f)],
  },
  "longer-than-threshold": {
    reason: "copied because it has run longer than a multiple of the median",
    clauses: (f) => [thresholdOf(f), recordsOf(f)],
  },
  "slower-than-baseline": {
    reason: "copied because it is slower than the baseline",
    clauses: (f) => [baselineOf(f), clause`${f.counted("blocked", "node")} blocked`],
  },
  "largest-gain": {
    reason: "copied because a copy saves most here",
    clauses: (f) => [
      clause`${f.time("gainMs")} saved`,
      clause`${f.time("timeLeftMs")} left, a copy takes ${f.time("newCopyMs")}`,
    ],
  },
  "straggler-node": {
    reason: "copied because its node is a straggler and a copy saves most here",
    clauses: gainOf,
  },
  "copy-saves-work": { reason: "copied because a copy probably saves work", clauses: anotherRunOf },
  "copy-saves-time": { reason: "copied because a copy ends sooner", clauses: anotherRunOf },
  "restart-is-sooner": {
    reason: "restarted because another run ends sooner",
    clauses: anotherRunOf,
  },
  "hosts-changed": {
    reason: "requested anew because other nodes suit the copy now",
    clauses: gainOf,
  },
  "blocked-nodes-changed": {
    reason: "requested anew because the slow nodes changed",
    clauses: (f) => [clause`${f.counted("blocked", "node")} blocked`],
  },
  // Kills and withdrawals.
  "slower-copy": {
    reason: "killed because faster attempts of the task run",
    clauses: (f) => [
      clause`${f.time("timeLeftMs")} left, the others need ${f.time("keptMs")}`,
      clause`at most ${f.counted("alpha", "attempt")} of a task may run`,
    ],
  },
  "over-fair-share": {
    reason: "killed because its pool has more than its fair share",
    clauses: (f) => [
      clause`${f.text("pool")} has ${f.counted("running", "slot")}`,
      clause`its share is ${f.counted("fairShare", "slot")}`,
      clause`${f.counted("due", "slot")} due to other pools`,
    ],
  },
  "slot-for-failed-task": {
    reason: "killed because a failed task needs the slot, beside its data",
    clauses: slotOf,
  },
  "slot-for-short-task": {
    reason: "killed because a short task needs the slot, beside its data",
    clauses: slotOf,
  },
  "sooner-without-a-kill": {
    reason: "waits for a slot beside its data, since a kill would waste more than it saves",
    clauses: slotOf,
  },
  "no-attempt-yields": {
    reason: "waits, since no attempt beside its data may be killed for it",
    clauses: (f) => [f.text("task")],
  },
  "nothing-to-copy": { reason: "withdrawn because the original no longer runs", clauses: waitedOf },
  "no-longer-worth-it": {
    reason: "withdrawn because the copy no longer saves time",
    clauses: (f) => [...waitedOf(f), reasonNamed(f.text("because"))],
  },
  // Data.
  "busiest-link": {
    reason: "placed where the busiest link is done soonest",
    clauses: (f) => [
      clause`after ${f.time("busiestLinkMs")}` ??
        clause`the busiest link carries ${f.bytes("busiestLinkBytes")}`,
    ],
  },
  "costly-to-redo": {
    reason: "replicated because recomputing the output takes longer",
    clauses: (f) => [redoOf(f), clause`${f.bytes("bytes")} of ${f.bytes("tokenBytes")} allowed`],
  },
  "copied-while-written": {
    reason: "copied in its rack because readers run on the same node",
    clauses: (f) => [clause`${f.counted("readersHere", "reader")}, ${f.bytes("bytes")}`],
  },
  "lost-before-missed": {
    reason: "recomputed before a reader misses it",
    clauses: budgetOf,
  },
  "machine-loses-outputs": {
    reason: "recomputed because its machine is losing outputs",
    clauses: budgetOf,
  },
  "not-where-it-was-lost": {
    reason: "placed away from the machine that lost the output",
    clauses: (f) => [clause`not on ${f.text("node")}`],
  },
  "cheap-to-redo": {
    reason: "not replicated because recomputing the output is cheap",
    clauses: (f) => [redoOf(f)],
  },
  "no-tokens-left": {
    reason: "not replicated because the budget for replicas is used up",
    clauses: (f) => [
      clause`the output has ${f.bytes("bytes")}, the budget ${f.bytes("tokenBytes")}`,
    ],
  },
  "recompute-budget": {
    reason: "not recomputed early because the budget is used up",
    clauses: budgetOf,
  },
  "read-elsewhere": { reason: "not copied because no reader runs on its node" },
  // No copy: the cap, the node, the phase.
  "speculative-cap": {
    reason: "as many copies run as allowed",
    clauses: (f) => [clause`${copiesOf(f)} of at most ${f.count("cap")}`],
  },
  "slow-node": {
    reason: "the node is too slow for copies",
    clauses: (f) => [
      clause`it did the work of ${f.counted("nodeProgress", "task")}` ??
        clause`its tasks take ${f.time("nodeMs")}`,
      clause`a node is slow below ${f.counted("slowNode", "task")}` ??
        clause`a node is slow above ${f.time("slowNodeMs")}`,
    ],
  },
  "nothing-running": { reason: "no attempt of the phase runs" },
  "too-few-done": {
    reason: "too few tasks of the phase are done",
    clauses: (f) => [doneOf(f) ?? neededOf(f)],
  },
  "not-near-its-end": {
    reason: "the phase is not near its end",
    clauses: (f) => [doneOf(f), clause`at least ${f.count("doneMin")} must be`],
  },
  "single-task": { reason: "a single task has no median to compare with" },
  "tasks-wait": {
    reason: "waiting tasks get slots before copies",
    clauses: (f) => [clause`${f.counted("waiting", "task")} waiting`],
  },
  "input-lost": { reason: "lost outputs that the task reads are being made again" },
  "type-waits": { reason: "tasks of the phase still wait for containers", clauses: queueOf },
  "containers-needed": { reason: "tasks of the phase still wait for containers", clauses: queueOf },
  "nothing-to-gain": { reason: "another run helps no task" },
  "no-levels": { reason: "the speeds of the nodes are not known yet" },
  "fewer-levels": {
    reason: "the nodes are grouped into fewer levels of speed",
    clauses: (f) => [clause`${f.counted("levels", "level")}, ${f.count("before")} before`],
  },
  "no-straggler-node": {
    reason: "no node is a straggler",
    clauses: (f) => [
      clause`the highest straggler value is ${f.count("highest")}, the threshold ${f.count("tau")}`,
    ],
  },
  "not-on-stragglers": { reason: "no task of the job runs on a straggler node" },
  // No copy: the task.
  "too-young": {
    reason: "the attempt has not run long enough to be judged",
    clauses: (f) => [youthOf(f)],
  },
  "too-new": { reason: "the attempt has not run long enough to be judged" },
  "not-running": { reason: "the attempt has not started yet" },
  "not-slow": {
    reason: "the attempt is not slow",
    clauses: (f) => [
      ...ratesOf(f),
      clause`the mean is ${f.rate("meanPerMs")}`,
      thresholdOf(f),
      f.time("baselineMs") === undefined ? undefined : baselineOf(f),
    ],
  },
  "not-behind": {
    reason: "the attempt is not far enough behind the mean of its phase",
    clauses: (f) => [
      clause`the mean is ${f.percent("meanProgress")}, the limit ${f.percent("gap")} behind`,
    ],
  },
  "not-longer": {
    reason: "the attempt has not run longer than most tasks of its phase took",
    clauses: (f) => [clause`${f.time("ranMs")}, the limit is ${f.time("limitMs")}`],
  },
  efficient: {
    reason: "the attempt reads as fast as others",
    clauses: (f) => [recordsOf(f)],
  },
  "on-schedule": { reason: "too few tasks are done to judge others", clauses: (f) => [doneOf(f)] },
  "progress-is-good": { reason: "the attempt should have ended by now" },
  "too-late": { reason: "a copy would end later" },
  "no-gain": { reason: "a copy would save no time", clauses: gainOf },
  "not-worth-it": { reason: "another run would save too little", clauses: anotherRunOf },
  "no-host": {
    reason: "no suitable node has room for a copy",
    clauses: (f) => [clause`level ${f.count("level")} or faster`],
  },
  "nothing-finished": {
    reason: "no task of its kind has finished on a suitable node",
    clauses: (f) => [clause`level ${f.count("level")} or faster`],
  },
  "already-speculated": { reason: "the task has a copy already" },
  "already-requested": { reason: "a copy is requested already" },
  "has-run-here": { reason: "the task has already run on this node" },
  "waits-for-next-look": { reason: "the attempt became slow after the last look at its phase" },
};

function copiesOf(f: Figures): Clause {
  return f.counted("running", "copy", "copies") ?? f.counted("speculated", "copied task");
}

function doneOf(f: Figures): Clause {
  return clause`${f.count("done")} of ${f.counted("tasks", "task")} done`;
}

function neededOf(f: Figures): Clause {
  return clause`${f.counted("done", "task")} done, at least ${f.count("doneMin")} must be`;
}

/** LATE: the time left at the attempt's rate, and the rate below which a task is slow. */
function ratesOf(f: Figures): readonly Clause[] {
  const left = f.isEndless("timeLeftMs")
    ? "it makes no progress"
    : (clause`${f.time("timeLeftMs")} left at ${f.rate("ratePerMs")}` ??
      clause`${f.time("timeLeftMs")} left`);
  return [left, clause`a task is slow below ${f.rate("slowTaskPerMs")}`];
}

function thresholdOf(f: Figures): Clause {
  return clause`${f.time("runtimeMs")}, the limit is ${f.time("thresholdMs")}`;
}

/** Spark: records per second. */
function recordsOf(f: Figures): Clause {
  if (f.count("slowRecordsPerS") === undefined) return undefined;
  const rates = [f.count("recordsPerS"), f.count("slowRecordsPerS")] as const;
  return clause`${rates[0]} records/s, slow is below ${rates[1]} records/s`;
}

function baselineOf(f: Figures): Clause {
  const times = clause`${f.time("runtimeMs")}, the baseline is ${f.time("baselineMs")}`;
  const inputs = clause` for ${f.bytes("baselineBytes")}, it reads ${f.bytes("inputBytes")}`;
  return times === undefined ? undefined : `${times}${inputs ?? ""}`;
}

/** eSplash: the rest of the original, and the time of a copy. */
function gainOf(f: Figures): readonly Clause[] {
  return [
    clause`${f.time("timeLeftMs")} left, a copy takes ${f.time("expectedMs")}`,
    clause`on nodes of level ${f.count("minLevel")} or faster`,
  ];
}

/** Mantri: the rest of the fastest attempt, and the time of another run. */
function anotherRunOf(f: Figures): readonly Clause[] {
  const left = f.isEndless("timeLeftMs")
    ? "it makes no progress"
    : clause`${f.time("timeLeftMs")} left`;
  return [left, clause`another run takes ${f.time("newCopyMs")}`];
}

function redoOf(f: Figures): Clause {
  return clause`${f.time("redoMs")}, a replica takes ${f.time("replicateMs")}`;
}

function budgetOf(f: Figures): readonly Clause[] {
  return [clause`takes ${f.time("takesMs")}, the budget is ${f.time("budgetMs")}`];
}

function queueOf(f: Figures): readonly Clause[] {
  return [clause`${f.count("waiting")} waiting, ${f.count("requested")} requested`];
}

/** A task that waits for a slot, and what the kill of an attempt there wastes. */
function slotOf(f: Figures): readonly Clause[] {
  return [
    f.text("task"),
    clause`it would wait ${f.time("waitMs")}`,
    clause`the attempt had run for ${f.time("wastedMs")}`,
  ];
}

function waitedOf(f: Figures): readonly Clause[] {
  return [clause`the request waited ${f.time("waitedMs")}`];
}

function youthOf(f: Figures): Clause {
  const ran = f.time("ranMs") ?? f.time("runtimeMs") ?? f.time("livedMs");
  const least = f.time("runtimeMsMin") ?? f.time("epochMs") ?? f.time("lagMs");
  return clause`${ran}, at least ${least}` ?? clause`${ran} so far`;
}

/** Another rule that is part of the numbers. */
function reasonNamed(rule: string | undefined): Clause {
  return rule === undefined ? undefined : POLICY_SENTENCES[rule]?.reason;
}
