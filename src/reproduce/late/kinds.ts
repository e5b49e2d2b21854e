import type { ExperimentKind } from "../experiment.ts";
import { estimates } from "./estimates.ts";

/** The kinds of experiment that only this paper needs. */
export const KINDS: readonly ExperimentKind[] = [estimates];
