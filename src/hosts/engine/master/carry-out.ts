import { assert, never } from "../../../base/assert.ts";
import { InputError } from "../../../base/input-error.ts";
import type { Action, JobOutcome } from "../../../model/action.ts";
import type { Instant, JobId } from "../../../model/ids.ts";
import type { Why } from "../../../model/why.ts";
import { rackToReadFrom } from "../replicas/replicas.ts";
import type { LiveAttempt } from "./attempts.ts";
import type { Office } from "./office.ts";
import { replicate } from "./replication.ts";

/** What the core asks that is not about attempts. */
export interface ActionListener {
  wake(at: Instant): void;
  jobEnded(job: JobId, outcome: JobOutcome, why: Why): void;
}

/** Does what the core asks. It takes effect through what the nodes then report. */
export function carryOut(office: Office, action: Action, listener: ActionListener): void {
  switch (action.kind) {
    case "launch":
      launch(office, action);
      break;
    case "kill":
      kill(office, action);
      break;
    case "declare-lost":
      loseNode(office, action);
      break;
    case "recompute": {
      const { task, why } = action;
      const { name } = office.jobOf(task).task(task);
      office.recomputes.push({ at: office.now, task: name, why });
      office.tell({ kind: "recompute", task: name, why });
      break;
    }
    case "request": {
      const { task, as, why } = action;
      office.tell({ kind: "request", task: office.jobOf(task).task(task).name, as, why });
      break;
    }
    case "wake":
      listener.wake(action.at);
      break;
    case "end-job":
      listener.jobEnded(action.job, action.outcome, action.why);
      break;
    case "withdraw":
    case "prefer":
    case "pass":
      return;
    case "replicate":
      replicate(office, action);
      break;
    default:
      never(action);
  }
}

function launch(office: Office, action: Extract<Action, { kind: "launch" }>): void {
  const { as, why } = action;
  const job = office.jobOf(action.task);
  const task = job.task(action.task);
  const node = office.nodes[action.node];
  assert(node !== undefined, "a launch is on a node that there is");
  const name = `${task.name}#${task.begun}`;
  task.begun++;
  const launchedAt = office.now;
  const attempt: LiveAttempt = {
    id: action.attempt,
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
  office.attempts.add(attempt);
  node.held.set(attempt.id, action.slot);
  office.tell({ kind: "launch", attempt: name, as, node: node.name, why });
  if (office.isCatchingUp) return;
  try {
    const fromRack = fromRackOf(office, attempt);
    const work = { ...job.work(attempt), ...(fromRack !== undefined && { fromRack }) };
    node.tell({ kind: "launch", attempt: attempt.id, work });
  } catch (error) {
    // There is no place for what it would write: its job's trouble, and of no other.
    if (!(error instanceof InputError)) throw error;
    office.fail(attempt, { cause: "bad-input", message: error.message });
    office.release(node, attempt.id);
  }
}

/** Where all replicas are dead, one more is thought of in the rack of the first. */
function fromRackOf(office: Office, { task, node }: LiveAttempt): number | undefined {
  const { replicas } = office.driver.view.task(task.id);
  const holders = replicas.flatMap((id) => office.nodes[id] ?? []);
  const alive = holders.filter(({ killed }) => !killed);
  const readable = alive.length > 0 ? alive : holders.slice(0, 1);
  return rackToReadFrom(readable, { rack: node.rack, task: task.index });
}

function kill(office: Office, action: Extract<Action, { kind: "kill" }>): void {
  const attempt = office.attempts.find(action.attempt);
  // It was launched in vain, and the core will hear of it.
  if (attempt === undefined) return;
  const { node } = attempt;
  const { then, why } = action;
  office.tell({ kind: "kill", attempt: attempt.name, node: node.name, then, why });
  attempt.killedFor = why;
  node.tell({ kind: "kill", attempt: attempt.id });
  // A silent node does not answer: to the core the attempt is over.
  if (node.state !== "live") office.end(attempt, { kind: "killed", by: "us", why });
}

function loseNode(office: Office, action: Extract<Action, { kind: "declare-lost" }>): void {
  const node = office.nodes[action.node];
  assert(node !== undefined, "a node that is lost was there");
  node.state = "lost";
  node.lostAt = office.now;
  node.held.clear();
  const { why } = action;
  office.tell({ kind: "node-lost", node: node.name, why });
  for (const attempt of office.attempts.on(node)) {
    office.end(attempt, { kind: "killed", by: "node-lost", why });
  }
  office.loseOutputs(node);
  office.shareSlots();
}
