import { oneLine, withTexts } from "../base/printable.ts";
import type { Trace, TraceJob, TracePhase } from "../history/model.ts";

/**
 * The trace with names that only show letters: anybody may name an application, a host or a queue,
 * and a name must neither command a terminal nor begin a line that looks like ours.
 */
export const withVisibleNames = (trace: Trace): Trace => ({
  ...trace,
  jobs: trace.jobs.map(visibleJob),
  notes: trace.notes.map((note) => ({ ...note, text: oneLine(note.text) })),
});

function visibleJob(job: TraceJob): TraceJob {
  const { id, name, user, nodes, racks, executors, spans, phases, settings, evidence } = job;
  return {
    ...job,
    id: oneLine(id),
    name: oneLine(name),
    ...(user !== undefined && { user: oneLine(user) }),
    nodes: nodes.map(oneLine),
    ...(racks !== undefined && { racks: racks.map(oneLine) }),
    executors: executors.map(oneLine),
    spans: spans.map((span) => ({ ...span, name: oneLine(span.name) })),
    phases: phases.map(visiblePhase),
    settings: { ...settings, values: visibleValues(settings.values) },
    ...(evidence !== undefined && { evidence: withTexts(evidence, oneLine) }),
  };
}

const visiblePhase = (phase: TracePhase): TracePhase => ({
  ...phase,
  name: oneLine(phase.name),
  ...(phase.title !== undefined && { title: oneLine(phase.title) }),
});

const visibleValues = (values: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [oneLine(name), oneLine(value)]),
  );
