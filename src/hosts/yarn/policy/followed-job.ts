import { never } from "../../../base/assert.ts";
import type { Timeless } from "../../../base/without.ts";
import { journalWriter } from "../../../core/journal/index.ts";
import { createScheduler } from "../../../core/scheduler.ts";
import type { Setup } from "../../../core/state/setup.ts";
import type { Action } from "../../../model/action.ts";
import { admits, type Where } from "../../../model/attempt.ts";
import type { Node } from "../../../model/cluster.ts";
import type { ClusterEvent } from "../../../model/event.ts";
import { type AttemptId, instant, jobId, type TaskId } from "../../../model/ids.ts";
import type {
  AmLine,
  EndedLine,
  HelloLine,
  JobLine,
  OutputLostLine,
  StartedLine,
  StatusLine,
} from "./am-line.ts";
import { FollowedAttempts, type KnownAttempt } from "./attempts.ts";
import { ClusterNodes } from "./cluster-nodes.ts";
import { Commands } from "./commands.ts";
import { type FactsLine, isOfUse } from "./facts.ts";
import { jobOf } from "./job-of.ts";
import type { PolicyLine, WhereLine } from "./policy-line.ts";
import { outputOf, reportOf, startedAt } from "./progress.ts";
import { PlanTaskNames } from "./task-names.ts";

/** Receives the lines for the AM and the lines of the journal. */
export interface PolicyOutput {
  say(line: PolicyLine): void;
  journal(line: string): void;
}

/** One job under the core: the AM's lines become events, actions become commands. */
export class FollowedJob {
  readonly #hello: HelloLine;
  readonly #policyOutput: PolicyOutput;
  readonly #scheduler;
  readonly #writer;
  readonly #nodes: ClusterNodes;
  readonly #tasks: PlanTaskNames;
  readonly #attempts = new FollowedAttempts();
  readonly #commands = new Commands();
  /** The AM's time that is 0 for the core, ms since 1970. */
  readonly #origin: number;
  #now = instant(0);
  /** The times at which the core wants to be woken, rising. */
  #wakes: number[] = [];
  #hasEnded = false;
  /** Whether the events are of the past, so that decisions are not carried out. */
  #isPast = false;
  readonly #refused: Extract<Action, { kind: "request" }>[] = [];

  constructor(
    of: { hello: HelloLine; setup: Setup; job: JobLine; facts: FactsLine; origin: number },
    policyOutput: PolicyOutput,
  ) {
    const { hello, setup, job, facts, origin } = of;
    this.#hello = hello;
    this.#policyOutput = policyOutput;
    this.#origin = origin;
    this.#scheduler = createScheduler(setup, { explain: true, facts: true });
    this.#writer = journalWriter(setup, { explain: true });
    this.#nodes = new ClusterNodes(setup.racks, hello.conf);
    this.#tasks = new PlanTaskNames(job.maps.length, job.reduces);
    this.record(facts);
    const submitted = jobOf(job, hello, this.#now, (host) => this.#nodes.find(host));
    this.#step({ kind: "job-submitted", job: submitted });
  }

  /** Adds nodes that are not known yet. The AM reports which nodes leave and return. */
  record({ nodes }: FactsLine): void {
    for (const facts of nodes) {
      if (isOfUse(facts)) this.#join(this.#nodes.discover(facts));
    }
  }

  /** Hadoop's name of the task, such as `m_000003`. */
  taskName(id: TaskId): string {
    return this.#tasks.nameOf(id);
  }

  /** Hadoop's name of the attempt, such as `m_000003_1`. */
  attemptName(id: AttemptId): string {
    return this.#attempts.nameOf(id);
  }

  /** Advances the time to the line's, and wakes the core if that is due. */
  take(line: AmLine): void {
    this.#now = instant(Math.max(this.#now, line.at - this.#origin));
    this.#apply(line);
    if (this.#wakes.some((at) => at <= this.#now)) {
      this.#wakes = this.#wakes.filter((at) => at > this.#now);
      this.#step({ kind: "woken" });
    }
  }

  /** Replays what an earlier AM saw, without issuing commands. */
  takePast(lines: readonly (StartedLine | EndedLine)[]): void {
    this.#isPast = true;
    for (const line of lines) this.take(line);
    this.#isPast = false;
  }

  #apply(line: AmLine): void {
    switch (line.type) {
      case "started":
        this.#start(line);
        break;
      case "status":
        this.#report(line);
        break;
      case "ended":
        this.#end(line);
        break;
      case "output-lost":
        this.#loseOutput(line);
        break;
      case "node":
        if (line.state === "usable") this.#join(this.#nodes.comeBack(line.host));
        else this.#lose(line.host);
        break;
      case "done":
        this.#commands.done(line.command, line.attempt);
        break;
      case "refused": {
        const request = this.#commands.refused(line.command);
        if (request === undefined) break;
        this.#step({ kind: "request-refused", request, reason: line.reason });
        break;
      }
      case "job-ended":
        // Hadoop's job may end before all of its maps, for reasons of its own.
        if (!this.#hasEnded) this.#step({ kind: "job-killed", job: jobId(0) });
        break;
      default:
    }
  }

  #start({ attempt: name, copy, host, rack, task: taskName }: StartedLine): void {
    const task = this.#tasks.find(taskName);
    if (task === undefined || this.#attempts.find(name) !== undefined) return;
    // An earlier AM reports attempts of both kinds.
    if (!this.#hello.conf[this.#tasks.kindOf(task)].speculation) return;
    this.#join(this.#nodes.appear(host, rack));
    const node = this.#nodes.get(host);
    const as = copy ? "speculative" : this.#attempts.kindOfNext(task);
    const progress = startedAt(this.#now);
    const { id } = this.#attempts.start(name, { task, node, last: progress });
    const request = this.#commands.requestOf(name);
    const bound = request === undefined ? {} : { request };
    this.#step({ kind: "attempt-started", attempt: id, task, node, as, progress, ...bound });
  }

  #report(line: StatusLine): void {
    const attempt = this.#attempts.find(line.attempt);
    if (attempt === undefined || attempt.hasEnded) return;
    const kind = this.#tasks.kindOf(attempt.task);
    const { hasReduces } = this.#tasks;
    // Only this project's client sets `tasks`.
    const isOurs = this.#hello.settings.tasks !== undefined;
    const progress = reportOf(line, this.#now, { kind, hasReduces, isOurs, last: attempt.last });
    attempt.last = progress;
    this.#step({ kind: "attempt-progressed", attempt: attempt.id, progress });
  }

  #end(line: EndedLine): void {
    const attempt = this.#attempts.find(line.attempt);
    if (attempt === undefined) this.#endUnstarted(line);
    else if (!attempt.hasEnded) this.#endStarted(attempt, line);
  }

  /** The attempt never got a container, or ended before the NodeManager confirmed it. */
  #endUnstarted({ attempt, state }: EndedLine): void {
    const request = this.#commands.requestOf(attempt);
    if (request === undefined) return;
    this.#step({ kind: "request-refused", request, reason: `${state} before it started` });
  }

  #endStarted(attempt: KnownAttempt, { counters, state }: EndedLine): void {
    const { id, isRestarted, node, task } = attempt;
    attempt.hasEnded = true;
    if (state === "succeeded") {
      const output = outputOf(counters, this.#tasks.kindOf(task));
      this.#step({ kind: "attempt-succeeded", attempt: id, output });
    } else if (state === "failed") {
      this.#step({ kind: "attempt-failed", attempt: id, cause: "error" });
    } else {
      const lost = this.#nodes.isJoined(node) ? "host" : "node-lost";
      this.#step({ kind: "attempt-killed", attempt: id, by: isRestarted ? "us" : lost });
    }
  }

  #loseOutput({ attempt: name }: OutputLostLine): void {
    const attempt = this.#attempts.find(name);
    if (attempt === undefined) return;
    const { node, task } = attempt;
    this.#attempts.outputLost(task);
    this.#step({ kind: "output-lost", task, node });
  }

  #join(node: Node | undefined): void {
    if (node !== undefined) this.#step({ kind: "node-joined", node });
  }

  /** The node's attempts are killed for the core at once; for Hadoop, a little later. */
  #lose(host: string): void {
    const node = this.#nodes.leave(host);
    if (node !== undefined) this.#step({ kind: "node-left", node });
  }

  #step(happening: Timeless<ClusterEvent>): void {
    const event: ClusterEvent = { at: this.#now, ...happening };
    const { actions, facts } = this.#scheduler.step(event);
    for (const fact of facts) this.#attempts.apply(fact);
    this.#policyOutput.journal(this.#writer.step(event, actions));
    for (const action of actions) this.#perform(action);
    const refused = this.#refused.splice(0);
    for (const { request } of refused) {
      this.#step({ kind: "request-refused", request, reason: "in the past" });
    }
  }

  #perform(action: Action): void {
    switch (action.kind) {
      case "request":
        if (this.#isPast) this.#refused.push(action);
        else this.#ask(action);
        break;
      case "kill":
        // Hadoop itself ends the other attempts of a task that is done.
        if (action.then !== "nothing") this.#restart(action);
        break;
      case "withdraw": {
        const line = this.#commands.withdraw(action.request);
        if (line !== undefined && this.#hello.capabilities.withdraw) this.#policyOutput.say(line);
        break;
      }
      case "end-job":
        this.#hasEnded = true;
        break;
      case "wake":
        this.#wakes.push(action.at);
        break;
      // Hadoop recomputes lost outputs by itself, makes no offers to launch on, and does not report
      // silence.
      case "launch":
      case "recompute":
      case "replicate":
      case "prefer":
      case "declare-lost":
      case "pass":
        break;
      default:
        never(action);
    }
  }

  #ask({ request, task, where, why }: Extract<Action, { kind: "request" }>): void {
    const named: WhereLine =
      where.on === "any" || !this.#hello.capabilities.placement
        ? { on: "any" }
        : { on: "only", hosts: this.#admitted(where) };
    const name = this.#tasks.nameOf(task);
    this.#policyOutput.say(this.#commands.copy(request, name, { where: named, why }));
  }

  #admitted(where: Where): readonly string[] {
    return this.#nodes.hosts.filter((host) => admits(where, this.#nodes.get(host)));
  }

  #restart({ attempt: id, why }: Extract<Action, { kind: "kill" }>): void {
    if (this.#isPast) return;
    this.#policyOutput.say(this.#commands.kill(this.#attempts.nameOf(id), why));
  }
}
