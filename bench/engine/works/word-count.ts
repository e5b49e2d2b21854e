import { ours } from "../ours.ts";
import { countWords, duckDB } from "../peers/duckdb.ts";
import { spark } from "../peers/spark.ts";
import type { Work } from "./work.ts";

/** Few different words: counted by an operator, and by typical user code. */
export const words: Work = {
  name: "words",
  contenders({ file }) {
    const text = file("text-50k");
    const inputs = [text];
    return {
      order: "any",
      contestants: [
        ours({ name: "ours", job: "../jobs/words.ts", inputs }),
        ours({ name: "ours, map", job: "../jobs/words-map.ts", inputs }),
        ours({ name: "ours, generator", job: "../jobs/words-generator.ts", inputs }),
        duckDB(countWords(text)),
        spark("words", text),
      ],
      comparisons: [
        { work: "words", ours: "ours", peer: "DuckDB", goal: 0.4 },
        { work: "words", ours: "ours", peer: "Spark", goal: 0.08 },
        { work: "words-map", ours: "ours, map", peer: "DuckDB", goal: 2.2 },
        { work: "words-map", ours: "ours, map", peer: "Spark", goal: 0.5 },
        { work: "words-generator", ours: "ours, generator", peer: "DuckDB", goal: 3 },
        { work: "words-generator", ours: "ours, generator", peer: "Spark", goal: 0.6 },
      ],
    };
  },
};

/** A million different words, most of them rare. */
export const manyWords: Work = {
  name: "words-1m",
  contenders({ file }) {
    const text = file("text-1m-0");
    return {
      order: "any",
      contestants: [
        ours({ name: "ours", job: "../jobs/words.ts", inputs: [text] }),
        duckDB(countWords(text)),
      ],
      comparisons: [{ work: "words-1m", ours: "ours", peer: "DuckDB", goal: 0.4 }],
    };
  },
};
