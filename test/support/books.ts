import { assert } from "../../src/base/assert.ts";
import { Tally } from "../../src/hosts/sim/tally.ts";
import type { Fact } from "../../src/model/fact.ts";
import type { AttemptId, JobId, NodeId, RequestId, TaskId } from "../../src/model/ids.ts";
import type { View } from "../../src/model/view.ts";
import { StoryTeller } from "../../src/report/swimlanes/story.ts";
import { AttemptLog } from "../../src/reproduce/scenarios/attempt-log.ts";

/** The most nodes of a test's cluster. */
const NODES_MAX = 1_000;
/** One step in this many checks the whole view, not only the subjects of facts. */
const WHOLE_EVERY = 64;

/**
 * Folds facts by the plainest rules, compares their subjects with the core's view at each step, and
 * at the end compares the log of attempts, the picture and the tally.
 */
export class Books {
  readonly #log = new AttemptLog();
  readonly #picture = new StoryTeller();
  readonly #tally = new Tally(NODES_MAX);
  readonly #open = new Map<AttemptId, "assumed" | "running" | "dying">();
  readonly #nodes = new Map<NodeId, "heard" | "silent" | "lost">();
  readonly #jobs = new Map<JobId, readonly TaskId[]>();
  readonly #outputs = new Map<TaskId, Set<NodeId>>();
  readonly #requests = new Set<RequestId>();
  #steps = 0;

  step(facts: readonly Fact[], view: View): void {
    for (const fact of facts) {
      this.#log.apply(fact);
      this.#picture.apply(fact);
      this.#tally.apply(fact);
      this.#apply(fact);
    }
    this.#steps += 1;
    const isWhole = this.#steps % WHOLE_EVERY === 0;
    if (facts.length === 0 && !isWhole) return;
    this.#checkAttempts(view);
    this.#checkEnds(facts, view);
    this.#checkRest(view);
    for (const task of isWhole ? this.#outputs.keys() : tasksOfOutputs(facts)) {
      this.#checkOutput(task, view);
    }
  }

  end(): void {
    const picture = this.#picture.tell();
    // The picture draws an attempt that was still dying at the end as killed.
    const dying = [...this.#open.values()].filter((state) => state === "dying").length;
    const counts = Object.values(this.#tally.attempts);
    const ended = (how: "succeeded" | "failed" | "killed" | "lost") => ({
      log: this.#log.attempts.filter((one) => one.ended === how).length,
      picture:
        picture.bars.filter(({ end }) => end === how).length - (how === "killed" ? dying : 0),
      tally: counts.reduce((sum, of) => sum + of[how], 0),
    });
    for (const how of ["succeeded", "failed", "killed", "lost"] as const) {
      const { log, picture, tally } = ended(how);
      agree(log, picture, "attempts, in the log and the picture,", how);
      agree(log, tally, "attempts, in the log and the tally,", how);
      const ofLog = this.#log.attempts.filter((one) => one.ended === how);
      const slotMs = ofLog.reduce((sum, one) => sum + one.slotMs, 0);
      const isClose = Math.abs(this.#tally.slotMs[how] - slotMs) < 0.001;
      assert(isClose, `slot time, ${how}: ${this.#tally.slotMs[how]}, in the log ${slotMs}`);
    }
    const running = picture.bars.filter(({ end }) => end === "running").length;
    agree(this.#open.size - dying, running, "attempts that run in the picture");
  }

  #apply(fact: Fact): void {
    switch (fact.kind) {
      case "node-joined":
        this.#nodes.set(fact.node.id, "heard");
        break;
      case "node-silent":
        this.#nodes.set(fact.node, "silent");
        break;
      case "node-heard":
        this.#nodes.set(fact.node, "heard");
        break;
      case "node-lost":
        this.#nodes.set(fact.node, "lost");
        break;
      case "job-submitted":
        this.#jobs.set(
          fact.job.id,
          fact.job.phases.flatMap(({ tasks }) => Array.from(tasks, ({ id }) => id)),
        );
        break;
      case "job-ended":
        for (const task of this.#jobs.get(fact.job) ?? []) this.#outputs.delete(task);
        this.#jobs.delete(fact.job);
        break;
      case "attempt-launched":
        this.#open.set(fact.attempt, "assumed");
        break;
      case "attempt-started":
        if (this.#open.get(fact.attempt) === "assumed") this.#open.set(fact.attempt, "running");
        break;
      case "attempt-dying":
        this.#open.set(fact.attempt, "dying");
        break;
      case "attempt-ended":
        assert(this.#open.delete(fact.attempt), "an attempt ends once");
        break;
      case "output-made":
      case "output-copied":
        this.#outputsOf(fact.task).add(fact.node);
        break;
      case "output-lost":
        assert(this.#outputsOf(fact.task).delete(fact.node), "a copy that was there is lost");
        agree(this.#outputsOf(fact.task).size, fact.copiesLeft, "copies that are left");
        break;
      case "request-made":
        this.#requests.add(fact.request);
        break;
      case "request-ended":
        assert(this.#requests.delete(fact.request), "a request ends once");
        break;
      default:
    }
  }

  #outputsOf(task: TaskId): Set<NodeId> {
    const nodes = this.#outputs.get(task) ?? new Set();
    this.#outputs.set(task, nodes);
    return nodes;
  }

  /** Each attempt that holds a slot, with its state. */
  #checkAttempts(view: View): void {
    let seen = 0;
    for (const { id } of view.nodes()) {
      for (const attempt of view.runningOn(id)) {
        seen++;
        agree(this.#open.get(attempt.id), attempt.state, "attempt", attempt.id);
      }
    }
    agree(this.#open.size, seen, "attempts that hold a slot");
  }

  #checkEnds(facts: readonly Fact[], view: View): void {
    for (const fact of facts) {
      if (fact.kind !== "attempt-ended") continue;
      const { state, endedAt } = view.attempt(fact.attempt);
      const { how } = fact.end;
      const end = how === "succeeded" || how === "failed" ? how : "killed";
      agree(end, state, "attempt", fact.attempt);
      agree(fact.at, endedAt, "the end of attempt", fact.attempt);
    }
  }

  #checkRest(view: View): void {
    let requests = 0;
    for (const { id } of view.requests()) {
      requests++;
      agree(this.#requests.has(id), true, "request", id);
    }
    agree(this.#requests.size, requests, "requests that wait");
    for (const [node, state] of this.#nodes) {
      agree(state === "silent", view.silentSince(node) !== undefined, "silence of node", node);
    }
    for (const job of view.jobs()) agree(this.#jobs.has(job.id), true, "job", job.id);
  }

  #checkOutput(task: TaskId, view: View): void {
    const nodes = this.#outputs.get(task);
    if (nodes === undefined || view.readers(task).length === 0) return;
    const held = view.outputNodes(task);
    agree(nodes.size, held.length, "copies of the output of task", task);
    for (const node of held) agree(nodes.has(node), true, "output of task", task);
  }
}

function* tasksOfOutputs(facts: readonly Fact[]): Generator<TaskId> {
  for (const fact of facts) {
    if (
      fact.kind === "output-made" ||
      fact.kind === "output-copied" ||
      fact.kind === "output-lost"
    ) {
      yield fact.task;
    }
  }
}

/** The text is made from `what` and `of` only when needed, since this is called at every step. */
function agree(facts: unknown, view: unknown, what: string, of: number | string = ""): void {
  if (facts !== view) assert(false, `${what} ${of}: ${facts} by the facts, ${view} in the view`);
}
