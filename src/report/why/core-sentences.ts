import { clause, type Sentence } from "./figures.ts";

/** The sentences for the rules of the core: launches, ends, and slots that stay free. */
export const CORE_SENTENCES: Readonly<Record<string, Sentence>> = {
  urgent: { reason: "failed and lost work goes first" },
  preferred: { reason: "a policy prefers this node for the task" },
  "node-local": { reason: "the task's data is on this node" },
  "rack-local": { reason: "the task's data is in this rack" },
  "off-rack": { reason: "the task's data is in another rack" },
  "any-node": { reason: "the task may run on any node" },
  "request-bound": {
    reason: "a policy requested the attempt",
    clauses: (f) => [clause`the request waited ${f.time("waitedMs")}`],
  },
  "twin-succeeded": { reason: "another attempt of the task succeeded first" },
  "all-tasks-done": { reason: "all tasks are done" },
  "job-ended": { reason: "the job ended" },
  "killed-by-user": { reason: "the user killed the job" },
  "bad-input": {
    reason: "the input is malformed, missing or has changed",
    clauses: (f) => [clause`found by ${f.text("task")}`],
  },
  "too-many-failures": {
    reason: "a task failed too often",
    clauses: (f) => [
      clause`${f.text("task")} failed ${f.counted("failures", "time")}`,
      clause`the limit is ${f.count("attemptsMax")}`,
    ],
  },
  "silent-too-long": {
    reason: "the node's heartbeats stopped",
    clauses: (f) => [
      clause`silent for ${f.time("silentMs")}`,
      clause`a node is lost after ${f.time("expiryMs")}`,
    ],
  },
  "output-lost-and-needed": { reason: "the task's output was lost and is still needed" },
  "output-missed": { reason: "a reader could not fetch the task's output" },
  "upstream-needs-slot": { reason: "a phase that this phase reads needs the slot" },
  "kept-slot": {
    reason: "an attempt was killed so that this task has its slot",
    clauses: (f) => [clause`a ${f.text("slot")} slot on ${f.text("node")}`],
  },
  "waits-in-a-circle": { reason: "attempts of several phases wait for one another" },
  "far-limit": {
    reason: "the offer reached its limit of off-rack and speculative launches",
    clauses: (f) => [clause`at most ${f.count("farMax")} per offer`],
  },
  "not-planned": {
    reason: "the sharing policy launches nothing more in this offer",
    clauses: (f) => [
      clause`${f.counted("free", "free slot")} of kind ${f.text("slot")} on ${f.text("node")}`,
    ],
  },
  "job-blacklist": {
    reason: "too many attempts of the job failed on this node",
    clauses: (f) => [clause`${f.text("job")} gets no slots of ${f.text("node")}`],
  },
  "nothing-waits": {
    reason: "no task can use the slot",
    clauses: (f) => [clause`a ${f.text("slot")} slot on ${f.text("node")}`],
  },
  "job-forbids-copies": { reason: "the job forbids copies" },
  "phase-forbids-copies": { reason: "the phase forbids copies" },
  "locality-wait": {
    reason: "the job waits for a slot nearer to its data",
    clauses: (f) => [
      clause`${f.text("job")} declines a ${f.text("slot")} slot on ${f.text("node")}`,
    ],
  },
  "upstream-waits": {
    reason: "the phase leaves its slots to a phase that it reads",
    clauses: (f) => [clause`${f.text("phase")} of ${f.text("job")}`],
  },
  "not-eligible": {
    reason: "the order policy does not start the task here yet",
    clauses: (f) => [f.text("task")],
  },
  "prefers-elsewhere": {
    reason: "a preferred node has a free slot for the task",
    clauses: (f) => [clause`${f.text("task")} is not launched on ${f.text("node")}`],
  },
  "readers-held": {
    reason: "readers wait until lost outputs are recomputed",
    clauses: (f) => [
      clause`${f.text("phase")} waits for ${f.counted("gone", "output")}`,
      clause`${f.count("done")} of ${f.counted("tasks", "task")} are done`,
    ],
  },
  "nobody-reads-it": {
    reason: "no reader needs the lost output any more",
    clauses: (f) => [f.text("task")],
  },
  "not-admitted": {
    reason: "the sharing policy has not admitted the job yet",
    clauses: (f) => [f.text("job")],
  },
};

/** The sentences for the rules of the hosts, and for facts that hosts report without a rule. */
export const HOST_SENTENCES: Readonly<Record<string, Sentence>> = {
  "run-ended": { reason: "the run ended" },
  "evicted-by-host": { reason: "an injected fault evicted the attempt" },
  "node-process-ended": { reason: "the node's process ended" },
  "master-was-killed": { reason: "the engine's process was killed" },
  "node-came-back-without-it": { reason: "the node came back without the attempt" },
  "killed-by-host": { reason: "the host killed the attempt" },
  "started-by-hadoop": { reason: "Hadoop started the attempt" },
  "killed-by-hadoop": { reason: "Hadoop killed the attempt" },
  "reported-lost": { reason: "the host reported the loss" },
  "as-requested": { reason: "a policy requested the attempt" },
  "lost-with-its-node": { reason: "lost with its node" },
  "attempt-failed": {
    reason: "the attempt failed",
    clauses: (f) => [clause`cause ${f.text("cause")}`],
  },
  "output-lost": { reason: "the task's output was lost" },
};
