import { bytes as bytesText } from "../../base/amount.ts";
import { cell } from "../../base/rows.ts";
import { evenBytes } from "../expect/phase-fit.ts";
import { savedAlone } from "../figures.ts";
import type { PhaseRow } from "../findings.ts";
import type { Advise, CauseDeclaration, CauseWords } from "./declaration.ts";

export const bytesWords = {
  name: "bytes",
  label: "input bytes",
  help: "the slope of time over bytes, times the bytes above the mean",
} as const satisfies CauseWords<string>;

/** The only cause that moves work from one attempt to another, so that it may be a gain. */
export const bytes: CauseDeclaration<"bytes"> = {
  name: "bytes",
  part: {
    isExpected: true,
    of:
      ({ signals }) =>
      (i, fit) => {
        const read = cell(signals.bytes[i]);
        const hasBytes = fit.msPerByte > 0 && !Number.isNaN(read);
        return hasBytes ? fit.msPerByte * (read - evenBytes(fit, read)) : 0;
      },
  },
  couldTouch:
    ({ plan, signals, expectation }) =>
    (i) => {
      const mean = expectation.fits[cell(plan.phase[i])]?.meanBytes ?? Number.NaN;
      return cell(signals.bytes[i]) > mean;
    },
  clause: () => "to uneven inputs",
  gained: "since the costly attempts read less than their peers",
  advice: { rank: 2, of: repartition },
  fixed: "tasks with more input",
};

/** Inputs are uneven if the largest is at least this many times the median. */
const UNEVEN = 1.2;

function repartition(...[{ phases }, row]: Parameters<Advise>): readonly string[] {
  const [worst] = row.evidence;
  const phase = phases.find((one) => worst?.what.startsWith(`${one.phase}/`));
  if (phase?.skew === undefined) return [];
  return phase.skew.bytes < UNEVEN * phase.skew.medianBytes
    ? []
    : [`Repartition: ${skewText(phase, phase.skew)}; ${savedAlone(row)}.`];
}

function skewText({ phase, tasks }: PhaseRow, skew: NonNullable<PhaseRow["skew"]>): string {
  const times = (skew.bytes / skew.medianBytes).toFixed(1);
  const median = `the median of ${tasks} tasks (${bytesText(Math.round(skew.medianBytes))})`;
  const most = `${phase}/${skew.task} reads ${bytesText(skew.bytes)}, ${times} times ${median}`;
  if (skew.tasks < 2) return most;
  return `${most}, and ${skew.tasks - 1} more at least twice as much`;
}
