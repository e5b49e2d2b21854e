import {
  type Infer,
  list,
  number,
  positive,
  record,
  required,
  standard,
  text,
  whole,
} from "../../../base/shape.ts";
import { HEADING } from "../../heading.ts";

const networks = required(whole({ min: 1 }));

export type PhaseScheme = Infer<typeof phaseScheme>;
const phaseScheme = record("a scheme", {
  label: required(text),
  discipline: required(text),
  /** Values of `--set`: "speculation.gap=0". */
  set: standard(list(text), []),
});

const sampled = record("a sample of the logs", {
  networks,
  /** Phases per run. */
  phases: required(whole({ min: 1 })),
  /**
   * Phases with tasks of at least this time are all taken; of the others fewer, the shorter they
   * are.
   */
  longMs: required(positive),
});

const repeats = record("all of the logs", {
  /** The number of runs of each phase, each with its own draws of contention and network. */
  networks,
});

/** §6.3: Figures 16 to 18, on the phases of the logs. */
export type PhasesFile = Infer<typeof phasesFile>;
export const phasesFile = record("an experiment on phases", {
  ...HEADING,
  /** The scheme with which all others are compared. */
  baseline: required(text),
  /** The first scheme is the paper's own. */
  schemes: required(list(phaseScheme, { min: 1 })),
  /** A relative change of a phase's completion time below this counts as none. */
  seen: required(number({ min: 0, max: 1 })),
  sample: required(sampled),
  full: required(repeats),
});
