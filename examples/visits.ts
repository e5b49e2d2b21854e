/**
 * Which countries and pages do a web log's visits come from and go to? The log names countries by
 * their codes; a table has their names, and is small enough for every task to hold.
 *
 *     node examples/make-data.mjs data
 *     npx broomwagon run examples/visits.ts --output visits \
 *       --input visits=data/visits.csv --input countries=data/countries.csv
 */
import { count, csv, defineFlow, left, right, sum, topK, tsv } from "broomwagon/job";

const VISIT = { page: "text", country: "text", status: "number", bytes: "number" } as const;

export default defineFlow("visits", (f) => {
  const visits = f
    .read("visits", csv("data/visits.csv", { columns: VISIT }))
    .filter(({ status }) => status === 200);
  const names = f
    .read("countries", csv("data/countries.csv", { columns: ["code", "name"] }))
    .keyBy("code", "name");

  visits
    .keyBy("country", "bytes")
    .join("named", names, { by: "broadcast" })
    .keyBy(right, left)
    .fold("bytes-by-country", sum())
    .write(tsv(), "countries");

  visits
    .keyBy("page")
    .fold("visits-by-page", count())
    .map(([page, times]) => [times, page] as const)
    .total("top-pages", topK(10))
    .flatMap((top) => [...top])
    .write(tsv(), "pages");
});
