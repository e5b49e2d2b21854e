import type { Curve, Drawing } from "../../../report/chart/drawing.ts";
import { weightedQuantile } from "../weighted-quantile.ts";
import type { LogFigures } from "./rows.ts";

const PERCENTILES = Array.from({ length: 101 }, (_, i) => i);

/** The curves that the paper shows of its logs, drawn from the generated logs. */
export function logDrawings({ jobs, phases, losses }: LogFigures): readonly Drawing[] {
  const computeMs = jobs.map((job) => job.computeMs);
  return [
    distribution({
      figure: "fig2",
      title: "Outliers of a phase",
      x: "share of its tasks, %",
      curves: [
        cumulative(
          "outliers",
          phases.map(({ figures }) => (100 * figures.outliers.count) / figures.tasks),
        ),
        cumulative("waiting for recomputes", [
          ...losses.map(({ loss }) => 100 * loss.waiting),
          ...Array.from({ length: phases.length - losses.length }, () => 0),
        ]),
      ],
    }),
    distribution({
      figure: "fig4",
      title: "What data and traffic explain",
      x: "share of a phase's tasks, %",
      curves: [
        cumulative(
          "of the outliers, explained",
          phases.flatMap(({ figures }) => figures.explained ?? []).map((x) => 100 * x),
        ),
        cumulative(
          "of the slow ones, no outliers",
          phases.map(({ figures }) => 100 * (figures.improvable ?? 0)),
        ),
      ],
    }),
    distribution({
      figure: "fig8",
      title: "What jobs would gain without outliers, weighed by their cluster time",
      x: "reduction of completion time, %",
      curves: [
        cumulative(
          "no runtime outliers",
          jobs.map((job) => 100 * job.withoutOutliers),
          computeMs,
        ),
        cumulative(
          "no outliers at all",
          jobs.map((job) => 100 * job.withoutAny),
          computeMs,
        ),
      ],
    }),
  ];
}

function distribution(of: {
  readonly figure: string;
  readonly title: string;
  readonly x: string;
  readonly curves: readonly Curve[];
}): Drawing {
  const { figure, title, x, curves } = of;
  return {
    kind: "curves",
    figure,
    title,
    x: { title: x },
    y: { title: "cumulative share, %", from: 0, to: 100 },
    steps: false,
    curves,
  };
}

function cumulative(
  label: string,
  values: readonly number[],
  weights: readonly number[] = values.map(() => 1),
): Curve {
  const points = PERCENTILES.map((y) => ({ x: weightedQuantile({ values, weights }, y / 100), y }));
  return { label, points };
}
