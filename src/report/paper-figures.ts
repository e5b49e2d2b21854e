import { defined } from "../base/assert.ts";
import { cell } from "../base/rows.ts";
import { type AttemptColumns, endAt, kindAt } from "../history/columns.ts";
import type { TraceJob, TracePhase } from "../history/model.ts";
import { jobMeasures, recomputesByNode } from "../measures/job-measures.ts";
import { OUTLIER_FACTOR, type PhaseMeasures, phaseMeasures } from "../measures/phase-measures.ts";
import { type PhaseRuns, rowsAs, runsOf } from "../measures/task-runs.ts";
import type { Curve, Drawing, Point } from "./chart/drawing.ts";

/** A figure of a paper that a history can be drawn as. */
export type PaperFigure = {
  /** The paper and the figure, as `reproduce` names them. */
  readonly name: string;
} & (
  | { readonly of: "job"; draw(job: TraceJob): Drawing | undefined }
  | { readonly of: "history"; draw(jobs: readonly TraceJob[]): Drawing | undefined }
  | { readonly of: "diagnosis"; draw(jobs: readonly DiagnosedJob[]): Drawing | undefined }
);

export interface DiagnosedJob {
  readonly job: TraceJob;
  /** The part of its response time that the diagnosis calls its delay. */
  readonly delayMs: number;
}

/** Each `draw` gives undefined if there is nothing to show. */
export const PAPER_FIGURES: readonly PaperFigure[] = [
  { name: "mantri-fig1", of: "job", draw: activeTasks },
  { name: "mantri-fig2", of: "history", draw: outliersByPhase },
  { name: "mantri-fig3", of: "history", draw: outlierTimes },
  { name: "mantri-fig4", of: "history", draw: whatBytesExplain },
  { name: "mantri-fig6", of: "history", draw: recomputesByMachine },
  { name: "mantri-fig7", of: "history", draw: byTime },
  { name: "elephant-fig2", of: "history", draw: localityOf },
  { name: "elephant-fig3", of: "job", draw: copiesOverTime },
  { name: "elephant-fig4", of: "job", draw: copiesOverTime },
  { name: "elephant-fig6", of: "history", draw: localityOf },
  { name: "elephant-fig7", of: "job", draw: copiesOverTime },
  { name: "esplash-fig4", of: "history", draw: copiesOf },
  { name: "esplash-fig6", of: "diagnosis", draw: increases },
  { name: "esplash-fig7", of: "diagnosis", draw: increases },
  { name: "esplash-fig8", of: "diagnosis", draw: increases },
];

/** The samples of a figure over time. */
const SAMPLES = 400;

/** Mantri, Figure 1: active tasks by phase, over the most at once, over the job's life. */
function activeTasks(job: TraceJob): Drawing | undefined {
  const phases = job.phases.filter(({ attempts }) => attempts.length > 0);
  const wholeMs = job.endedAt - job.submittedAt;
  if (phases.length === 0 || wholeMs <= 0) return undefined;
  return {
    kind: "curves",
    figure: "mantri-fig1",
    title: `Active tasks of each phase of ${job.id}`,
    x: { title: "time over the job's response time", from: 0, to: 1 },
    y: { title: "active tasks over the phase's most", from: 0, to: 1 },
    steps: true,
    curves: phases.map(({ name, attempts }) => {
      const counts = activeAt(attempts, () => true, job);
      const most = counts.reduce((so, { y }) => Math.max(so, y), 1);
      return { label: name, points: counts.map(({ x, y }) => ({ x: x / wholeMs, y: y / most })) };
    }),
  };
}

/** Elephant, Figures 3, 4 and 7. */
function copiesOverTime(job: TraceJob): Drawing | undefined {
  if (jobMeasures([{ job, phases: runsOf(job) }]).copies === 0 || job.endedAt <= job.submittedAt)
    return undefined;
  const curve = (label: string, isShown: (of: AttemptColumns, row: number) => boolean): Curve => {
    const counts = job.phases.map(({ attempts }) => activeAt(attempts, isShown, job));
    const points = defined(counts[0], "a phase with copies").map(({ x }, i) => {
      const running = counts.map((of) => defined(of[i], "a sample of each phase").y);
      return { x: x / 1_000, y: running.reduce((sum, each) => sum + each, 0) };
    });
    return { label, points };
  };
  const isCopy = (of: AttemptColumns, row: number): boolean => kindAt(of, row) === "speculative";
  return {
    kind: "curves",
    figure: "elephant-fig3",
    title: `Copies of ${job.id} over time`,
    x: { title: "time since the job's submission, s", from: 0 },
    y: { title: "copies", from: 0 },
    steps: true,
    curves: [
      curve("running", isCopy),
      curve("useful", (of, row) => isCopy(of, row) && endAt(of, row) === "succeeded"),
    ],
  };
}

/** How many of the attempts run at each sample of the job's life. Times in ms since its start. */
function activeAt(
  attempts: AttemptColumns,
  isShown: (of: AttemptColumns, row: number) => boolean,
  { submittedAt, endedAt }: TraceJob,
): readonly Point[] {
  const step = (endedAt - submittedAt) / SAMPLES;
  const changes = new Int32Array(SAMPLES + 2);
  const sampleAfter = (at: number): number =>
    Math.min(SAMPLES + 1, Math.max(0, Math.ceil((at - submittedAt) / step)));
  for (let row = 0; row < attempts.length; row++) {
    if (!isShown(attempts, row)) continue;
    const from = sampleAfter(cell(attempts.startedAt[row]));
    const to = sampleAfter(cell(attempts.endedAt[row]));
    changes[from] = cell(changes[from]) + 1;
    changes[to] = cell(changes[to]) - 1;
  }
  let active = 0;
  return Array.from({ length: SAMPLES + 1 }, (_, i) => {
    active += cell(changes[i]);
    return { x: i * step, y: active };
  });
}

/** Mantri, Figure 2. */
function outliersByPhase(jobs: readonly TraceJob[]): Drawing | undefined {
  const phases = measured(jobs);
  return distribution({
    figure: "mantri-fig2",
    title: "Outliers and recomputes of a phase",
    x: "share of the phase's tasks, %",
    of: "phases",
    curves: [
      ["outliers", phases.map(({ measures }) => 100 * measures.outliers)],
      ["recomputed", phases.map(({ phase }) => 100 * recomputedShare(phase))],
    ],
  });
}

function recomputedShare({ attempts, tasks }: TracePhase): number {
  const rows = [...rowsAs(attempts, "recompute")];
  return new Set(rows.map((row) => attempts.task[row])).size / tasks;
}

/** Mantri, Figure 3. */
function outlierTimes(jobs: readonly TraceJob[]): Drawing | undefined {
  const phases = measured(jobs);
  return distribution({
    figure: "mantri-fig3",
    title: "How much longer outliers take",
    x: "time over the median of the phase",
    of: "tasks",
    curves: [
      ["outliers", phases.flatMap(outlierTimesOf)],
      ["recomputes", phases.flatMap(recomputeTimes)],
    ],
  });
}

function outlierTimesOf({ runs, measures: { medianMs } }: MeasuredPhase): readonly number[] {
  if (medianMs === 0) return [];
  const times = runs.map(({ ms }) => ms / medianMs);
  return times.filter((time) => time > OUTLIER_FACTOR);
}

function recomputeTimes({ phase: { attempts }, measures }: MeasuredPhase): readonly number[] {
  if (measures.medianMs === 0) return [];
  return [...rowsAs(attempts, "recompute")]
    .filter((row) => endAt(attempts, row) === "succeeded")
    .map(
      (row) => (cell(attempts.endedAt[row]) - cell(attempts.startedAt[row])) / measures.medianMs,
    );
}

/** Mantri, Figure 4. */
function whatBytesExplain(jobs: readonly TraceJob[]): Drawing | undefined {
  const phases = measured(jobs);
  return distribution({
    figure: "mantri-fig4",
    title: "What bytes explain",
    x: "share of a phase's tasks, %",
    of: "phases",
    curves: [
      [
        "of the outliers, explained",
        phases.flatMap(({ measures }) => inPercent(measures.explained)),
      ],
      [
        "of the slow ones, no outliers",
        phases.flatMap(({ measures }) => inPercent(measures.improvable)),
      ],
    ],
  });
}

const inPercent = (share: number | undefined): readonly number[] =>
  share === undefined ? [] : [100 * share];

/** Mantri, Figure 6: the recomputes that the worst machines cause. */
function recomputesByMachine(jobs: readonly TraceJob[]): Drawing | undefined {
  const counts = new Map<string, number>();
  for (const job of jobs) {
    for (const node of job.nodes) counts.set(node, counts.get(node) ?? 0);
    for (const [node, count] of recomputesByNode({ job, phases: runsOf(job) })) {
      counts.set(node, (counts.get(node) ?? 0) + count);
    }
  }
  const falling = [...counts.values()].sort((a, b) => b - a);
  const all = falling.reduce((sum, count) => sum + count, 0);
  if (all === 0) return undefined;
  let so = 0;
  const points = falling.map((count, i) => {
    so += count;
    return { x: (100 * (i + 1)) / falling.length, y: (100 * so) / all };
  });
  return {
    kind: "curves",
    figure: "mantri-fig6",
    title: "Recomputes by machine",
    x: { title: "machines, the worst first, %", from: 0, to: 100 },
    y: { title: "recomputes, cumulative, %", from: 0, to: 100 },
    steps: false,
    curves: [{ label: "recomputes", points: [{ x: 0, y: 0 }, ...points] }],
  };
}

/** Mantri, Figure 7. */
function byTime(jobs: readonly TraceJob[]): Drawing | undefined {
  const nodes = [...new Set(jobs.flatMap((job) => job.nodes))];
  const place = new Map(nodes.map((node, i) => [node, i]));
  const [outliers, recomputes]: [Point[], Point[]] = [[], []];
  const pointOf = (job: TraceJob, { startedAt, node }: AttemptColumns, row: number): Point[] => {
    const y = place.get(job.nodes[cell(node[row])] ?? "");
    return y === undefined ? [] : [{ x: cell(startedAt[row]) / 1_000, y }];
  };
  for (const job of jobs) {
    for (const { phase, runs, measures } of measured([job])) {
      const { attempts } = phase;
      for (const { row, ms } of runs) {
        if (ms > OUTLIER_FACTOR * measures.medianMs) outliers.push(...pointOf(job, attempts, row));
      }
      for (const row of rowsAs(attempts, "recompute")) {
        recomputes.push(...pointOf(job, attempts, row));
      }
    }
  }
  if (outliers.length + recomputes.length === 0) return undefined;
  return {
    kind: "points",
    figure: "mantri-fig7",
    title: "When and where outliers and recomputes began",
    x: { title: "time, s", from: 0 },
    y: { title: `machine, 0 to ${nodes.length - 1}`, from: 0, to: Math.max(1, nodes.length - 1) },
    groups: [
      { label: "outliers", points: outliers },
      { label: "recomputes", points: recomputes },
    ],
  };
}

/** Elephant, Figures 2 and 6. */
function localityOf(jobs: readonly TraceJob[]): Drawing | undefined {
  const groups = jobs.flatMap((job) => {
    const { nodeLocal, rackLocal } = jobMeasures([{ job, phases: runsOf(job) }]);
    if (nodeLocal === undefined || rackLocal === undefined) return [];
    const shares = { node: nodeLocal, rack: rackLocal, any: 1 - nodeLocal - rackLocal };
    const bars = Object.entries(shares).map(([series, share]) => ({ series, value: 100 * share }));
    return [{ label: job.id, bars }];
  });
  if (groups.length === 0) return undefined;
  return {
    kind: "bars",
    figure: "elephant-fig2",
    title: "How near to their data tasks ran",
    y: { title: "tasks, %", from: 0, to: 100 },
    groups,
  };
}

/** eSplash, Figure 4. */
function copiesOf(jobs: readonly TraceJob[]): Drawing | undefined {
  const groups = jobs.flatMap((job) => {
    const { copies, usefulCopies } = jobMeasures([{ job, phases: runsOf(job) }]);
    const bars = [
      { series: "successful", value: usefulCopies },
      { series: "others", value: copies - usefulCopies },
    ];
    return copies === 0 ? [] : [{ label: job.id, bars }];
  });
  if (groups.length === 0) return undefined;
  const title = "Copies of each job";
  return { kind: "bars", figure: "esplash-fig4", title, y: { title: "copies", from: 0 }, groups };
}

/** eSplash, Figures 6 to 8, and the time in killed copies beside them (VI-B1). */
function increases(jobs: readonly DiagnosedJob[]): Drawing | undefined {
  if (jobs.length === 0) return undefined;
  return {
    kind: "bars",
    figure: "esplash-fig6",
    title: "What slow attempts added to the response, and the time in killed copies",
    y: { title: "s" },
    groups: jobs.map(({ job, delayMs }) => {
      const { killedCopiesMs } = jobMeasures([{ job, phases: runsOf(job) }]);
      const bars = [
        { series: "increase", value: delayMs / 1_000 },
        { series: "killed copies", value: killedCopiesMs / 1_000 },
      ];
      return { label: job.id, bars };
    }),
  };
}

interface MeasuredPhase extends Pick<PhaseRuns, "runs"> {
  readonly phase: TracePhase;
  readonly measures: PhaseMeasures;
}

const measured = (jobs: readonly TraceJob[]): readonly MeasuredPhase[] =>
  jobs.flatMap((job) =>
    runsOf(job).flatMap(({ runs }, index) => {
      const measures = phaseMeasures(runs);
      return measures === undefined ? [] : [{ phase: cell(job.phases[index]), runs, measures }];
    }),
  );

/** Undefined without values. */
function distribution(of: {
  readonly figure: string;
  readonly title: string;
  readonly x: string;
  /** What the curves count. */
  readonly of: string;
  readonly curves: readonly (readonly [label: string, values: readonly number[]])[];
}): Drawing | undefined {
  const { figure, title, x, curves } = of;
  const shown = curves.filter(([, values]) => values.length > 0);
  if (shown.length === 0) return undefined;
  return {
    kind: "curves",
    figure,
    title,
    x: { title: x },
    y: { title: `${of.of}, cumulative, %`, from: 0, to: 100 },
    steps: true,
    curves: shown.map(([label, values]) => ({ label, points: cumulative(values) })),
  };
}

function cumulative(values: readonly number[]): readonly Point[] {
  const rising = [...values].sort((a, b) => a - b);
  const steps = rising.map((x, i) => ({ x, y: (100 * (i + 1)) / rising.length }));
  return [{ x: defined(rising[0], "the least value"), y: 0 }, ...steps];
}
