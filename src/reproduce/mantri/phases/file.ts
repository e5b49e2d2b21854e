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
  /** What `--set` takes: "speculation.gap=0". */
  set: standard(list(text), []),
});

const sampled = record("a sample of the logs", {
  networks,
  /** Of each run. */
  phases: required(whole({ min: 1 })),
  /** Phases whose tasks take so long are all taken, of others the fewer the shorter they are. */
  longMs: required(positive),
});

const repeats = record("all of the logs", {
  /** Each phase is run so often, with its contention and network drawn anew. */
  networks,
});

/** §6.3: Figures 16 to 18, on the phases of the logs. */
export type PhasesFile = Infer<typeof phasesFile>;
export const phasesFile = record("an experiment on phases", {
  ...HEADING,
  /** What all are compared with. */
  baseline: required(text),
  /** The first one is the paper's own. */
  schemes: required(list(phaseScheme, { min: 1 })),
  /** A smaller change of a phase's completion time, as a share of it, is none. */
  seen: required(number({ min: 0, max: 1 })),
  sample: required(sampled),
  full: required(repeats),
});
