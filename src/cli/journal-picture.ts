import type { Registry } from "../policy/registry.ts";
import { drawSwimlanes } from "../report/swimlanes/draw.ts";
import { JournalPanel } from "../report/swimlanes/journal-panel.ts";
import type { Panel } from "../report/swimlanes/layout.ts";
import { subtitleOf } from "../report/swimlanes/story.ts";
import { StoredJournal } from "./journal-file.ts";

/** A run to draw. */
export interface DrawnRun {
  readonly panel: Panel;
  /** The job and the run. */
  readonly name: string;
  readonly discipline: string;
}

export function drawnRun(picture: JournalPanel, { setup }: StoredJournal): DrawnRun {
  const panel = picture.panel(setup.slotKinds);
  return { panel, name: picture.title, discipline: setup.discipline.name };
}

/** Replays the journal of a run in order to draw it. */
export function readRun(path: string, registry?: Registry): DrawnRun {
  const journal = new StoredJournal(path, registry);
  const picture = new JournalPanel(path);
  journal.replay({
    onHost: (data) => picture.host(data),
    onStep: (step) => picture.step(step),
  });
  return drawnRun(picture, journal);
}

/** Draws one run, or several over one time axis. */
export function drawRuns(runs: readonly DrawnRun[]): string {
  const [first, ...others] = runs;
  if (first === undefined) return "";
  if (others.length === 0) {
    const title = `${first.name} under ${first.discipline}`;
    return drawSwimlanes({ title, subtitle: subtitleOf(first.panel.story), panels: [first.panel] });
  }
  const panels = runs.map(({ panel, name, discipline }): Panel => {
    const { title = `${discipline}: ${name}` } = panel;
    return { ...panel, title: `${title} · ${subtitleOf(panel.story)}` };
  });
  const job = first.panel.story.jobs[0]?.name ?? "no job";
  const subtitle = `${runs.length} runs over one time axis`;
  return drawSwimlanes({ title: job, subtitle, panels });
}
