/**
 * `node duckdb-run.js SCRATCH QUERY`: DuckDB in a separate process. It prints the time from its
 * first setting on, without the start of Node and the loading of the library.
 */
import { DuckDBInstance } from "@duckdb/node-api";

const [scratch = "", query = ""] = process.argv.slice(2);
const before = performance.now();
const instance = await DuckDBInstance.create(":memory:", {
  threads: "2",
  // Our engine may also use all memory; DuckDB takes only what it needs.
  memory_limit: "8GB",
  temp_directory: scratch,
  preserve_insertion_order: "false",
});
const connection = await instance.connect();
await connection.run(query);
console.log(JSON.stringify({ seconds: (performance.now() - before) / 1000 }));
