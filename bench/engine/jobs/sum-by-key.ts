/** The sum of `v` for each `k`. */
import { csv, defineFlow, sum, tsv } from "broomwagon/job";

export default defineFlow("sum-by-key", (f) => {
  const facts = f.read("facts", csv(undefined, { columns: { k: "number", v: "number" } }));
  facts.keyBy("k", "v").fold("sum", sum()).write(tsv());
});
