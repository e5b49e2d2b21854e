import { oneLine, withTexts } from "../base/printable.ts";
import type { JobSpan, QuerySpan, Trace, TraceJob, TracePhase } from "../history/model.ts";

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
  const {
    id,
    name,
    user,
    workflow,
    nodes,
    racks,
    executors,
    spans,
    queries,
    phases,
    settings,
    evidence,
  } = job;
  return {
    ...job,
    id: oneLine(id),
    name: oneLine(name),
    ...(user !== undefined && { user: oneLine(user) }),
    ...(workflow !== undefined && { workflow: withTexts(workflow, oneLine) }),
    nodes: nodes.map(oneLine),
    ...(racks !== undefined && { racks: racks.map(oneLine) }),
    executors: executors.map(oneLine),
    spans: spans.map(visibleSpan),
    ...(queries !== undefined && { queries: queries.map(visibleSpan) }),
    phases: phases.map(visiblePhase),
    settings: { ...settings, values: visibleValues(settings.values) },
    ...(evidence !== undefined && { evidence: withTexts(evidence, oneLine) }),
  };
}

const visibleSpan = <T extends JobSpan | QuerySpan>(span: T): T => ({
  ...span,
  name: oneLine(span.name),
  ...(span.title !== undefined && { title: oneLine(span.title) }),
});

const visiblePhase = (phase: TracePhase): TracePhase => ({
  ...phase,
  name: oneLine(phase.name),
  ...(phase.title !== undefined && { title: oneLine(phase.title) }),
  ...(phase.operators !== undefined && { operators: phase.operators.map(oneLine) }),
});

const visibleValues = (values: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [oneLine(name), oneLine(value)]),
  );
