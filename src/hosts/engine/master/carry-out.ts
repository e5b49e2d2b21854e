import { defined, never } from "../../../base/assert.ts";
import { InputError } from "../../../base/input-error.ts";
import type { Action } from "../../../model/action.ts";
import { rackToReadFrom } from "../racks/racks.ts";
import type { LiveAttempt } from "./attempts.ts";
import type { MasterContext } from "./master-context.ts";
import { replicate } from "./replication.ts";

/** The actions that concern nodes; the master itself wakes the core and ends jobs. */
export type NodeAction = Exclude<Action, { kind: "wake" | "end-job" }>;

/** Carries out an action. The action takes effect through what the nodes then report. */
export function carryOut(context: MasterContext, action: NodeAction): void {
  switch (action.kind) {
    case "launch":
      launch(context, action);
      break;
    case "kill":
      kill(context, action);
      break;
    case "declare-lost":
      loseNode(context, action);
      break;
    case "request":
    case "withdraw":
    case "recompute":
    case "prefer":
    case "pass":
      return;
    case "replicate":
      replicate(context, action);
      break;
    default:
      never(action);
  }
}

function launch(
  context: MasterContext,
  { attempt: id, task }: Extract<Action, { kind: "launch" }>,
): void {
  if (context.isCatchingUp) return;
  const attempt = context.attempts.get(id);
  const { node } = attempt;
  try {
    const fromRack = fromRackOf(context, attempt);
    const work = {
      ...context.jobOf(task).work(attempt),
      ...(fromRack !== undefined && { fromRack }),
    };
    node.send({ kind: "launch", attempt: attempt.id, work });
  } catch (error) {
    // The output directory cannot be written: only this job fails.
    if (!(error instanceof InputError)) throw error;
    context.fail(attempt, { cause: "bad-input", message: error.message });
    context.release(node, attempt.id);
  }
}

/** The rack of the first replica where every node that holds a replica is dead. */
function fromRackOf(context: MasterContext, { task, node }: LiveAttempt): number | undefined {
  const { replicas } = context.driver.view.task(task.id);
  const holders = replicas.flatMap((id) => context.nodes[id] ?? []);
  const alive = holders.filter(({ killed }) => !killed);
  const readable = alive.length > 0 ? alive : holders.slice(0, 1);
  return rackToReadFrom(readable, { rack: node.rack, task: task.index });
}

/** A silent node kills the attempt when it can. */
function kill({ attempts }: MasterContext, { attempt }: Extract<Action, { kind: "kill" }>): void {
  attempts.nodeOf(attempt).send({ kind: "kill", attempt });
}

function loseNode(context: MasterContext, action: Extract<Action, { kind: "declare-lost" }>): void {
  context.loseOutputs(defined(context.nodes[action.node], "a node that is lost"));
  context.shareSlots();
}
