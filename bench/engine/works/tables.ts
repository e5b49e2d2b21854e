import { ours } from "../ours.ts";
import { duckDB, joinAndSum, sumByKey } from "../peers/duckdb.ts";
import { spark } from "../peers/spark.ts";
import type { Work } from "./work.ts";

/** The sum for each of a million keys. */
export const sumOfKeys: Work = {
  name: "sum-by-key",
  contenders({ file }) {
    const facts = file("facts");
    return {
      order: "any",
      contestants: [
        ours({ name: "ours", job: "../jobs/sum-by-key.ts", inputs: [facts] }),
        duckDB(sumByKey(facts)),
        spark("sum", facts),
      ],
      comparisons: [
        { work: "sum-by-key", ours: "ours", peer: "DuckDB", goal: 1.2 },
        { work: "sum-by-key", ours: "ours", peer: "Spark" },
      ],
    };
  },
};

/** Each row of facts looks up its key's group among a million; the sum for each group. */
export const join: Work = {
  name: "join",
  contenders({ file }) {
    const facts = file("facts");
    const groups = file("groups");
    const inputs = [`facts=${facts}`, `groups=${groups}`];
    return {
      order: "any",
      contestants: [
        ours({ name: "ours", job: "../jobs/join.ts", inputs }),
        duckDB(joinAndSum(facts, groups)),
      ],
      comparisons: [{ work: "join", ours: "ours", peer: "DuckDB", goal: 1.2 }],
    };
  },
};
