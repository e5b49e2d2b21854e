import type { Panel } from "../../report/swimlanes/layout.ts";
import { type DrawnRun, drawRuns, readRun } from "../journal-picture.ts";
import { type DemoRun, type Pair, savedAsPrinted } from "./gain.ts";

/**
 * All runs over one time axis, each run without copies above LATE's, which shows how much earlier
 * it ended. Time counts from the job's submission, as in the report.
 */
export function drawPairs(pairs: readonly Pair[]): string {
  return drawRuns(
    pairs.flatMap(({ off, late, gain }) => {
      const [without, withCopies] = [drawnOf(off), drawnOf(late)];
      const { endsAt } = withCopies.panel.story;
      // No bracket where the runs cannot be compared.
      const baselineMs = gain.kind === "known" ? endsAt + savedAsPrinted({ off, late }) : endsAt;
      return [without, { ...withCopies, panel: { ...withCopies.panel, baselineMs } }];
    }),
  );
}

function drawnOf({ title, pair, result }: DemoRun): DrawnRun {
  const drawn = readRun(result.journal);
  return { ...drawn, panel: sinceSubmission({ ...drawn.panel, title: `${title}, pair ${pair}` }) };
}

/** The processes of one run may start more slowly than those of another. */
function sinceSubmission(panel: Panel): Panel {
  const { story, marks } = panel;
  const start = story.jobs[0]?.from ?? 0;
  const since = <T extends { readonly from: number; readonly to?: number }>(span: T): T => {
    const from = Math.max(0, span.from - start);
    return { ...span, from, ...(span.to !== undefined && { to: Math.max(0, span.to - start) }) };
  };
  return {
    ...panel,
    story: {
      ...story,
      bars: story.bars.map(since),
      jobs: story.jobs.map(since),
      silences: story.silences.map(since),
      endsAt: story.endsAt - start,
    },
    marks: marks.map(since),
  };
}
