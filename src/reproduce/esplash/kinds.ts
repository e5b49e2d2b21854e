import type { ExperimentKind } from "../experiment.ts";
import { clustering } from "./clustering.ts";
import { types } from "./types.ts";

/** The kinds of experiment that only this paper needs. */
export const KINDS: readonly ExperimentKind[] = [clustering, types];
