import { dryad, mapreduce } from "./baselines.ts";
import { capacity } from "./capacity.ts";
import { esplash } from "./esplash.ts";
import { fair } from "./fair.ts";
import { flink } from "./flink.ts";
import { hadoop, hadoopPaper } from "./hadoop.ts";
import { late, lateEarly } from "./late.ts";
import { late021 } from "./late-0.21.ts";
import type { Letter } from "./letter.ts";
import { mantri } from "./mantri.ts";
import { latePhaseAware } from "./phase-aware.ts";
import { lateRateAlone } from "./rate-alone.ts";
import { spark4, spark35 } from "./spark.ts";
import { yarn } from "./yarn.ts";

/** Every policy that has its letter here. */
export const LETTERS: readonly Letter[] = [
  late,
  lateEarly,
  latePhaseAware,
  lateRateAlone,
  late021,
  hadoop,
  hadoopPaper,
  mapreduce,
  dryad,
  spark35,
  spark4,
  flink,
  yarn,
  mantri,
  esplash,
  fair,
  capacity,
];
