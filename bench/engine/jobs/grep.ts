/** The number of lines that contain "the". */
import { count, defineFlow, text } from "broomwagon/job";

export default defineFlow("grep", (f) => {
  f.read("lines", text()).matching("the").total("count", count()).write(text());
});
