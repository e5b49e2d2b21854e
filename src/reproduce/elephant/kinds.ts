import type { ExperimentKind } from "../experiment.ts";
import { copiesOverTime } from "./copies-over-time.ts";

/** The kinds of experiment that only this paper needs. */
export const KINDS: readonly ExperimentKind[] = [copiesOverTime];
