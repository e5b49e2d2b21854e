import { fileURLToPath } from "node:url";
import { answerPath, type Contestant } from "../contestant.ts";

/** Reads lines as a single column without separator or quotes. */
const lines = (file: string): string =>
  `read_csv('${file}', columns = {'line': 'VARCHAR'}, delim = '\x01', quote = '', escape = '', ` +
  "header = false, auto_detect = false)";

const table = (file: string, column: string): string =>
  `read_csv('${file}', columns = {'k': 'BIGINT', '${column}': 'BIGINT'}, header = true, ` +
  "auto_detect = false)";

export const countWords = (file: string): string =>
  `SELECT w, count(*) FROM (SELECT unnest(string_split(line, ' ')) AS w FROM ${lines(file)}) ` +
  "GROUP BY w";

export const sortLines = (file: string): string => `SELECT line FROM ${lines(file)} ORDER BY line`;

export const sumByKey = (facts: string): string =>
  `SELECT k, sum(v) FROM ${table(facts, "v")} GROUP BY k`;

export const joinAndSum = (facts: string, groups: string): string =>
  `SELECT g, sum(v) FROM ${table(facts, "v")} JOIN ${table(groups, "g")} USING (k) GROUP BY g`;

/** DuckDB on two threads, its answer in a file. */
export const duckDB = (query: string): Contestant => ({
  name: "DuckDB",
  answers: "in-file",
  clock: "own",
  absence: () => undefined,
  command(place) {
    const script = fileURLToPath(new URL("./duckdb-run.js", import.meta.url));
    const into = `TO '${answerPath(place)}' (FORMAT csv, DELIMITER '\t', QUOTE '', HEADER false)`;
    return { program: process.execPath, args: [script, place, `COPY (${query}) ${into}`] };
  },
});
