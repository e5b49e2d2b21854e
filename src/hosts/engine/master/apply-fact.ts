import { defined, never } from "../../../base/assert.ts";
import { type AttemptEnded, type Fact, type NodeFact, slotMs } from "../../../model/fact.ts";
import type { NodeId } from "../../../model/ids.ts";
import { rule } from "../../../model/why.ts";
import type { NamedEnd } from "../../../run/run-event.ts";
import type { LiveAttempt } from "./attempts.ts";
import type { EngineNode } from "./engine-node.ts";
import type { MasterContext } from "./master-context.ts";

const CAME_BACK = rule("node-came-back-without-it");
const KILLED_BY_HOST = rule("killed-by-host");

/** Applies a fact of the core to the master's records: adds names and what only this host knows. */
export function applyFact(context: MasterContext, fact: Fact): void {
  switch (fact.kind) {
    case "node-joined":
    case "node-silent":
    case "node-heard":
    case "node-lost":
      nodeChanged(context, fact);
      return;
    case "attempt-launched":
      launched(context, fact);
      return;
    case "attempt-started": {
      if (fact.presumed) return;
      const { name, as, node } = context.attempts.get(fact.attempt);
      context.emit({ kind: "attempt-started", attempt: name, as, node: node.name });
      return;
    }
    case "attempt-dying": {
      const attempt = context.attempts.get(fact.attempt);
      const { then, why } = fact;
      attempt.killedFor = why;
      const { name, node } = attempt;
      context.emit({ kind: "attempt-dying", attempt: name, node: node.name, then, why });
      return;
    }
    case "attempt-ended":
      ended(context, fact);
      return;
    case "job-ended":
      defined(context.jobs.get(fact.job), "the job that ended").endedAt = fact.at;
      return;
    case "task-reopened": {
      const { at, why } = fact;
      const task = context.jobOf(fact.task).task(fact.task).name;
      context.recomputes.push({ at, task, why });
      context.emit({ kind: "task-reopened", task, why });
      return;
    }
    case "request-made": {
      const { as, why } = fact;
      const task = context.jobOf(fact.task).task(fact.task).name;
      context.emit({ kind: "request-made", task, as, why });
      return;
    }
    // The master itself reports jobs, copied outputs and lost outputs.
    case "job-submitted":
    case "job-begun":
    case "output-made":
    case "output-copied":
    case "output-lost":
    case "request-ended":
      return;
    default:
      never(fact);
  }
}

function nodeChanged(context: MasterContext, fact: NodeFact & Pick<Fact, "at">): void {
  switch (fact.kind) {
    case "node-joined": {
      const node = nodeOf(context, fact.node.id);
      node.state = "live";
      node.joins = false;
      node.held.clear();
      context.emit({ kind: "node-joined", node: node.name, again: fact.again });
      return;
    }
    case "node-silent": {
      const node = nodeOf(context, fact.node);
      node.state = "silent";
      context.emit({ kind: "node-silent", node: node.name, since: fact.since });
      return;
    }
    case "node-heard": {
      const node = nodeOf(context, fact.node);
      node.state = "live";
      context.emit({ kind: "node-heard", node: node.name });
      return;
    }
    case "node-lost": {
      const node = nodeOf(context, fact.node);
      const why = defined(fact.why, "a node that the core gives up: this host takes none away");
      node.state = "lost";
      node.lost = { at: fact.at, why };
      node.held.clear();
      context.emit({ kind: "node-lost", node: node.name, why });
      return;
    }
    default:
      never(fact);
  }
}

const nodeOf = ({ nodes }: MasterContext, id: NodeId): EngineNode =>
  defined(nodes[id], `node ${id}`);

function launched(context: MasterContext, fact: Extract<Fact, { kind: "attempt-launched" }>): void {
  const { as, launchedAt } = fact;
  const why = defined(fact.why, "this host launches nothing by itself");
  const task = context.jobOf(fact.task).task(fact.task);
  const node = nodeOf(context, fact.node);
  const name = `${task.name}#${task.begun}`;
  task.begun++;
  const attempt: LiveAttempt = {
    id: fact.attempt,
    name,
    task,
    node,
    as,
    why,
    launchedAt,
    score: 0,
    changedAt: launchedAt,
    seen: { stage: 0, bytesRead: 0, bytesWritten: 0, records: 0 },
    movedAt: launchedAt,
    stalledAt: undefined,
    working: false,
  };
  context.attempts.add(attempt);
  node.held.set(attempt.id, fact.slot);
  context.emit({ kind: "attempt-launched", attempt: name, as, node: node.name, why });
}

function ended(context: MasterContext, fact: AttemptEnded): void {
  const attempt = context.attempts.get(fact.attempt);
  const end = endOf(fact, attempt);
  if (end.kind === "failed") {
    const { cause, message } = end;
    context.jobOf(fact.task).failed(attempt, attempt.failure ?? { cause, message });
  }
  context.end(attempt, { end, endedAt: fact.at, slotMs: slotMs(fact) });
  const { part, task } = attempt;
  if (end.kind === "succeeded" && part !== undefined) {
    context.emit({ kind: "task-committed", task: task.name, part });
  }
}

function endOf({ end }: AttemptEnded, { failure, hostReason, node }: LiveAttempt): NamedEnd {
  switch (end.how) {
    case "succeeded": {
      const { bytes, records } = end.output;
      return { kind: "succeeded", bytes, records };
    }
    case "failed": {
      const { message, place } = failure ?? { message: "" };
      return {
        kind: "failed",
        cause: end.cause,
        message,
        ...(place !== undefined && { place }),
      };
    }
    case "killed":
      if (end.by === "core") return { kind: "killed", by: "core", why: end.why };
      return { kind: "killed", by: "host", why: hostReason ?? KILLED_BY_HOST };
    case "lost":
      return {
        kind: "lost",
        why: node.state === "lost" ? (node.lost?.why ?? CAME_BACK) : CAME_BACK,
      };
    case "refused":
      // The engine refuses no launch.
      return { kind: "killed", by: "host", why: KILLED_BY_HOST };
    default:
      return never(end);
  }
}
