import { ours } from "../ours.ts";
import { duckDB, sortLines } from "../peers/duckdb.ts";
import { spark } from "../peers/spark.ts";
import { gnuSort } from "../peers/system.ts";
import type { Work } from "./work.ts";

const JOB = "../jobs/sort.ts";

export const sort: Work = {
  name: "sort",
  contenders({ file }) {
    const records = file("records");
    return {
      order: "fixed",
      contestants: [
        ours({ name: "ours", job: JOB, inputs: [records] }),
        gnuSort(records, "4G"),
        duckDB(sortLines(records)),
        spark("sort", records),
      ],
      comparisons: [
        { work: "sort", ours: "ours", peer: "GNU sort", goal: 0.45 },
        { work: "sort", ours: "ours", peer: "DuckDB" },
        { work: "sort", ours: "ours", peer: "Spark" },
      ],
    };
  },
};

/** With memory of a quarter of the data's size, or less. */
export const sortInLittle: Work = {
  name: "sort-256mb",
  contenders({ file }) {
    const records = file("records");
    const flags = ["--memory", "256MB"];
    return {
      order: "fixed",
      contestants: [
        ours({ name: "ours", job: JOB, inputs: [records], flags }),
        gnuSort(records, "256M"),
      ],
      comparisons: [{ work: "sort-256mb", ours: "ours", peer: "GNU sort", goal: 0.7 }],
    };
  },
};
