import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { answerPath, type Contestant } from "../contestant.ts";
import { ROOT } from "../place.ts";

/** Spark in one JVM with two threads, where Python finds `pyspark`. */
export const spark = (work: "words" | "sort" | "sum", file: string): Contestant => ({
  name: "Spark",
  answers: "in-file",
  clock: "own",
  absence() {
    const { status } = spawnSync("python3", ["-c", "import pyspark"], { stdio: "ignore" });
    return status === 0 ? undefined : "python3 cannot import pyspark";
  },
  command(place) {
    const script = join(ROOT, "bench/engine/peers/spark-run.py");
    return { program: "python3", args: [script, work, file, answerPath(place), place] };
  },
});
