import type { NodeProgress, PhaseProgress } from "../../../run/run-event.ts";
import type { EngineNode, NodeState } from "./engine-node.ts";
import type { JobRun } from "./job-run.ts";
import type { MasterContext } from "./master-context.ts";

/** The progress of a live job, for a display. */
export function progressOf(
  context: MasterContext,
  job: JobRun,
): { job: string; phases: readonly PhaseProgress[]; nodes: readonly NodeProgress[] } {
  const { view } = context.driver;
  const phases = job.phaseIds.map((id): PhaseProgress => {
    const { tasks, done, running, waiting, speculated } = view.counts(id);
    const { name } = view.phase(id);
    return { name, tasks, done, running, waiting, speculated, score: view.meanProgress(id) };
  });
  return { job: job.name, phases, nodes: context.nodes.map((node) => nodeProgress(context, node)) };
}

function nodeProgress(context: MasterContext, node: EngineNode): NodeProgress {
  return {
    name: node.name,
    state: shown(node.state),
    slowedBy: node.slowedBy,
    attempts: context.attempts
      .on(node)
      .map(({ name, as, score }) => ({ attempt: name, as, score })),
  };
}

function shown(state: NodeState): NodeProgress["state"] {
  if (state === "silent") return "silent";
  return state === "live" || state === "starting" ? "live" : "lost";
}
