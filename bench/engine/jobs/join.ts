/** The sum of `v` for each `g` that the table `groups` has for `k`. */
import { csv, defineFlow, left, right, sum, tsv } from "broomwagon/job";

export default defineFlow("join", (f) => {
  const facts = f.read("facts", csv(undefined, { columns: { k: "number", v: "number" } }));
  const groups = f.read("groups", csv(undefined, { columns: { k: "number", g: "number" } }));
  facts
    .keyBy("k", "v")
    .join("join", groups.keyBy("k", "g"), { by: "broadcast" })
    .keyBy(right, left)
    .fold("sum", sum())
    .write(tsv());
});
