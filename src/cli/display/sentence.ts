import { never } from "../../base/assert.ts";
import type { NamedEnd, RunEvent, Wait } from "../../hosts/engine/index.ts";
import { bytes, counted, seconds } from "../../report/quantity.ts";
import { whyText } from "../../report/why-text.ts";
import { here } from "../here.ts";

/** One line about an event. */
export interface Sentence {
  readonly text: string;
  readonly tone: "plain" | "good" | "warning" | "bad";
}

/** The sentence for a notable event; undefined for the usual course of a job. */
export function sentenceOf(event: RunEvent): Sentence | undefined {
  switch (event.kind) {
    case "run-started":
      return plain(
        `run ${event.id} on ${event.nodes.join(", ")}, journal in ${here(event.journal)}`,
      );
    case "want-unmet":
      return warning(`${event.policy} runs without ${event.capability}: not supported here`);
    case "job-submitted": {
      const phases = event.phases.map(({ name, tasks }) => counted(tasks, `${name} task`));
      const { inputBytes, job } = event;
      return plain(`job ${job}: ${phases.join(", ")} over ${bytes(inputBytes)}${roundText(event)}`);
    }
    case "application-submitted":
      return plain(`${event.application}: ${event.page}`);
    case "job-ended":
      return event.outcome === "succeeded"
        ? good("job succeeded")
        : bad(`job ${event.outcome}: ${whyText(event.why)}`);
    case "log":
      return plain(`${event.node} ${event.stream}: ${event.line}`);
    case "attempt-launched":
      return launchOf(event);
    case "attempt-dying":
      return plain(`kill ${brief(event.attempt)} on ${event.node} (${whyText(event.why)})`);
    case "task-reopened":
      return warning(`recompute ${brief(event.task)} (${whyText(event.why)})`);
    case "request-made":
      return warning(`request a copy of ${brief(event.task)} (${whyText(event.why)})`);
    case "waiting":
      return warning(`no progress for ${seconds(event.forMs)}: ${waitText(event.wait)}`);
    case "attempt-still": {
      const { attempt, forMs, node, place, records } = event;
      const at = place === undefined ? `after ${counted(records, "record")}` : `at ${place}`;
      return warning(`${brief(attempt)} on ${node}: no record for ${seconds(forMs)}, ${at}`);
    }
    case "attempt-ended":
      return endOf(event.attempt, event.node, event.how);
    case "run-resumed":
      return plain(`resumed: ${counted(event.done, "task")} had been done`);
    case "attempt-started":
    case "job-progressed":
    case "task-committed":
      return undefined;
    default:
      return nodeSentence(event);
  }
}

/** The round of a loop's job, as text. */
export const roundText = ({ round: of }: Extract<RunEvent, { kind: "job-submitted" }>): string =>
  of === undefined ? "" : `, round ${of.round} of at most ${of.roundsMax}`;

type NodeEvent = Extract<
  RunEvent,
  {
    kind:
      | "node-joined"
      | "node-silent"
      | "node-heard"
      | "node-lost"
      | "node-crashed"
      | "fault"
      | "output-copied"
      | "outputs-lost";
  }
>;

function nodeSentence(event: NodeEvent): Sentence | undefined {
  switch (event.kind) {
    case "node-joined":
      return event.again ? good(`${event.node} is back`) : undefined;
    case "node-silent":
      return warning(`${event.node} has sent no heartbeat since ${seconds(event.since)}`);
    case "node-heard":
      return good(`${event.node} sends heartbeats again`);
    case "node-lost":
      return bad(`${event.node} is lost (${whyText(event.why)})`);
    case "node-crashed":
      return bad(`${event.node} crashed: ${event.how}; a new process replaces it`);
    case "fault":
      return bad(`fault: ${event.node} ${event.what}`);
    case "output-copied":
      return plain(`output of ${brief(event.task)} copied to ${event.node}`);
    case "outputs-lost":
      return bad(`lost with ${event.node}: ${event.outputs.map(brief).join(", ")}`);
    default:
      return never(event);
  }
}

type Launch = Extract<RunEvent, { kind: "attempt-launched" }>;

function launchOf({ as, attempt, node, why }: Launch): Sentence | undefined {
  if (as === "original") return undefined;
  const text = `${as} attempt ${brief(attempt)} on ${node} (${whyText(why)})`;
  return as === "speculative" ? good(text) : warning(text);
}

function waitText(wait: Wait): string {
  switch (wait.kind) {
    case "outputs": {
      const outputs = wait.of.map(({ task, state }) => `${brief(task)} (${state})`);
      const more = wait.more === 0 ? "" : ` and ${wait.more} more`;
      const of = outputs.length === 0 ? "outputs that are there" : `${outputs.join(", ")}${more}`;
      return `${brief(wait.attempt)} on ${wait.node} waits for ${of}`;
    }
    case "slot": {
      const tasks = counted(wait.tasks, `${wait.phase} task`);
      const verb = wait.tasks === 1 ? "waits" : "wait";
      return `${tasks} ${verb} for a ${wait.slot} slot, ${wait.taken} of ${wait.slots} are taken`;
    }
    case "record": {
      const { attempt, node, records } = wait;
      return `${brief(attempt)} on ${node} works, after ${counted(records, "record")}`;
    }
    case "node":
      return `${wait.node} is silent for ${seconds(wait.silentMs)}`;
    case "more":
      return `${wait.count} more`;
    default:
      return never(wait);
  }
}

function endOf(attempt: string, node: string, end: NamedEnd): Sentence | undefined {
  if (end.kind !== "failed") return undefined;
  const place = end.place === undefined ? "" : ` at ${end.place}`;
  return bad(`${brief(attempt)} on ${node} failed (${end.cause})${place}: ${end.message}`);
}

/** The name of a task or attempt without its job: `map/3#0`. */
export const brief = (name: string): string => name.slice(name.indexOf("/") + 1);

const plain = (text: string): Sentence => ({ text, tone: "plain" });
const good = (text: string): Sentence => ({ text, tone: "good" });
const warning = (text: string): Sentence => ({ text, tone: "warning" });
const bad = (text: string): Sentence => ({ text, tone: "bad" });
