import type { Ask, KillThen } from "../../../src/model/action.ts";
import { ATTEMPT_KINDS, type AttemptKind, type Where } from "../../../src/model/attempt.ts";
import { instant, type NodeId, type RackId, rackId, type TaskId } from "../../../src/model/ids.ts";
import type { Task } from "../../../src/model/job.ts";
import type { View } from "../../../src/model/view.ts";
import type { Context } from "../../../src/policy/policy.ts";
import { durationFrom } from "../format.ts";

/**
 * The asks of a scripted policy, as `WHEN VERB WORDS...`. WHEN is a time, or `idle@n1`,
 * `contended@n1`, `ready@j/reduce`, `output@j/map/0`, `lost@j/map/0`, `missed@j/map/0`.
 */
export interface Scripted {
  readonly asks: readonly string[];
  readonly racks: readonly string[];
}

export type ScriptedContext = Context<Scripted, { done: number[] }>;

/** The asks for this moment, each once: `done` remembers which have been carried out. */
export function asksAt(ctx: ScriptedContext, moment: string, node?: NodeId): readonly Ask[] {
  return ctx.params.asks.flatMap((text, index) => {
    const [when, ...words] = text.split(" ");
    if (when !== moment || ctx.memory.done.includes(index)) return [];
    return [askFrom(ctx, words, node)];
  });
}

/** The asks whose time has come, and a wake for the next; for `scan`, which may write memory. */
export function asksDue(ctx: ScriptedContext): readonly Ask[] {
  const asks: Ask[] = [];
  let next = Number.POSITIVE_INFINITY;
  ctx.params.asks.forEach((text, index) => {
    const [when = "", ...words] = text.split(" ");
    if (when.includes("@") || ctx.memory.done.includes(index)) return;
    const at = durationFrom(when);
    if (at > ctx.view.now) {
      next = Math.min(next, at);
      return;
    }
    ctx.memory.done.push(index);
    asks.push(askFrom(ctx, words));
  });
  return Number.isFinite(next) ? [...asks, { kind: "wake", at: instant(next) }] : asks;
}

/** Marks the carried-out asks among those that are bound to a moment. */
export function markDone(ctx: ScriptedContext, verb: string, name: string): void {
  ctx.params.asks.forEach((text, index) => {
    const [when = "", said, subject] = text.split(" ");
    if (when.includes("@") && said === verb && subject === name) ctx.memory.done.push(index);
  });
}

export function nameOf(view: View, task: TaskId): string {
  const { phase, index } = view.task(task);
  return `${view.jobOf(phase).name}/${view.phase(phase).name}/${index}`;
}

function askFrom({ view, params }: ScriptedContext, words: readonly string[], node?: NodeId): Ask {
  const [verb, subject = "", ...rest] = words;
  const why = { rule: "as-scripted", numbers: {} };
  const [taskName = "", number] = subject.split("#");
  const task = taskNamed(view, taskName).id;
  switch (verb) {
    case "launch":
      if (node === undefined) throw new Error("a launch needs an offered slot");
      return { kind: "launch", task, as: kindFrom(rest[0]), node, why };
    case "request":
      return { kind: "request", task, as: kindFrom(rest[0]), where: whereFrom(view, rest), why };
    case "withdraw": {
      const request = [...view.requests()].find((one) => one.task === task);
      if (request === undefined) throw new Error(`no request for ${subject}`);
      return { kind: "withdraw", request: request.id, why };
    }
    case "kill": {
      const attempt = view.attemptsOf(task)[Number(number)];
      if (attempt === undefined) throw new Error(`no attempt ${subject}`);
      const [then, , whom] = rest;
      const kept = whom === undefined ? {} : { for: taskNamed(view, whom).id };
      return { kind: "kill", attempt: attempt.id, then: thenFrom(then), ...kept, why };
    }
    case "recompute":
      return { kind: "recompute", task, why };
    case "replicate":
      return { kind: "replicate", task, to: rackNamed(params, rest[0]), why };
    case "prefer": {
      const racks = rest.filter((name) => params.racks.includes(name));
      const nodes = rest.filter((name) => !params.racks.includes(name));
      const ids = nodes.map((name) => nodeNamed(view, name));
      return {
        kind: "prefer",
        task,
        nodes: ids,
        racks: racks.map((r) => rackNamed(params, r)),
        why,
      };
    }
    default:
      throw new Error(`no such ask: ${words.join(" ")}`);
  }
}

function taskNamed(view: View, name: string): Task {
  const [jobName, phaseName, index] = name.split("/");
  for (const job of view.jobs()) {
    if (job.name !== jobName) continue;
    const task = job.phases.find((phase) => phase.name === phaseName)?.tasks.at(Number(index));
    if (task !== undefined) return task;
  }
  throw new Error(`no task ${name}`);
}

function nodeNamed(view: View, name: string): NodeId {
  for (const node of view.nodes()) if (node.name === name) return node.id;
  throw new Error(`no node ${name}`);
}

function rackNamed({ racks }: Scripted, name = ""): RackId {
  if (!racks.includes(name)) throw new Error(`no rack ${name}`);
  return rackId(racks.indexOf(name));
}

function whereFrom(view: View, [, on, names = ""]: readonly string[]): Where {
  if (on === undefined || on === "anywhere") return { on: "any" };
  const nodes = names.split(",").map((name) => nodeNamed(view, name));
  return { on: on === "only" ? "only" : "all-but", nodes };
}

function kindFrom(name: string | undefined): AttemptKind {
  const kind = ATTEMPT_KINDS.find((one) => one === name);
  if (kind === undefined) throw new Error(`no kind of attempt: ${name}`);
  return kind;
}

function thenFrom(name: string | undefined): KillThen {
  const then = (["restart", "requeue", "nothing"] as const).find((one) => one === name);
  if (then === undefined) throw new Error(`a kill is followed by restart, requeue or nothing`);
  return then;
}
