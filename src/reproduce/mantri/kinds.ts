import type { ExperimentKind } from "../experiment.ts";
import { appendix } from "./appendix/experiment.ts";
import { logs } from "./logs/experiment.ts";
import { phases } from "./phases/experiment.ts";
import { placement } from "./placement/experiment.ts";
import { production } from "./production/experiment.ts";
import { recompute } from "./recompute/experiment.ts";
import { worked } from "./worked/experiment.ts";

/** The kinds of experiment that only this paper needs. */
export const KINDS: readonly ExperimentKind[] = [
  appendix,
  logs,
  phases,
  placement,
  production,
  recompute,
  worked,
];
