/** All lines in order, over all parts. */
import { defineFlow, text } from "broomwagon/job";

export default defineFlow("sort", (f) => {
  f.read("lines", text()).sortBy("sort").write(text());
});
