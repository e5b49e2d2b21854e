import {
  list,
  number,
  object,
  positive,
  required,
  type Shape,
  standard,
  text,
  whole,
} from "../../../base/shape.ts";
import { HEADING, type Heading } from "../../heading.ts";

/** §6.3: Figures 16 to 18, on the phases of the logs. */
export interface PhasesFile extends Heading {
  /** What all are compared with. */
  readonly baseline: string;
  /** The first one is the paper's own. */
  readonly schemes: readonly PhaseScheme[];
  /** A smaller change of a phase's completion time, as a share of it, is none. */
  readonly seen: number;
  readonly sample: Share;
  readonly full: Repeats;
}

export interface PhaseScheme {
  readonly label: string;
  readonly discipline: string;
  /** What `--set` takes: "speculation.gap=0". */
  readonly set: readonly string[];
}

interface Repeats {
  /** Each phase is run so often, with its contention and network drawn anew. */
  readonly networks: number;
}

interface Share extends Repeats {
  /** Of each run. */
  readonly phases: number;
  /** Phases whose tasks take so long are all taken, of others the fewer the shorter they are. */
  readonly longMs: number;
}

const networks = required(whole({ min: 1 }));

export const phasesFile: Shape<PhasesFile> = object<PhasesFile>("an experiment on phases", {
  ...HEADING,
  baseline: required(text),
  schemes: required(
    list(
      object<PhaseScheme>("a scheme", {
        label: required(text),
        discipline: required(text),
        set: standard(list(text), []),
      }),
      { min: 1 },
    ),
  ),
  seen: required(number({ min: 0, max: 1 })),
  sample: required(
    object<Share>("a sample of the logs", {
      networks,
      phases: required(whole({ min: 1 })),
      longMs: required(positive),
    }),
  ),
  full: required(object<Repeats>("all of the logs", { networks })),
});
