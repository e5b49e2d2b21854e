/**
 * `node duckdb-run.js SCRATCH QUERY`: DuckDB in a process of its own; it tells how long it took
 * from its first setting on, so that Node's start and the library's are not counted.
 */
import { DuckDBInstance } from "@duckdb/node-api";

const [scratch = "", query = ""] = process.argv.slice(2);
const before = performance.now();
const instance = await DuckDBInstance.create(":memory:", {
  threads: "2",
  // Ours may use all as well; DuckDB takes what it needs and no more.
  memory_limit: "8GB",
  temp_directory: scratch,
  preserve_insertion_order: "false",
});
const connection = await instance.connect();
await connection.run(query);
console.log(JSON.stringify({ seconds: (performance.now() - before) / 1000 }));
